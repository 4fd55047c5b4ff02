package dev.sluice.activities.jobs;

import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.Objects;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Who may publish to a target, and the newest order ever published to it. An attempt takes the
 * fence when it prepares ({@link #claim}), and the publishing transaction compares and advances it
 * ({@link #advance}), so that what was reaped or overtaken cannot publish, nor anything go
 * backwards. Stateless; every method locks the target's row until the caller's transaction ends.
 */
public final class FenceStore {
  private static final String TARGET = " WHERE lake = ? AND schema_name = ? AND table_name = ?";

  private FenceStore() {}

  /**
   * State of a fence.
   *
   * @param holder the attempt that may publish; null when the last one was revoked
   * @param opening the highest opening that ever held it
   * @param published the newest order ever published; null before the first publication
   * @param generation the generation of that order; null before the first publication
   * @param reason why the holder was revoked; null unless it was
   */
  public record Fence(
      @Nullable AttemptRef holder,
      long opening,
      @Nullable ProducerOrder published,
      @Nullable String generation,
      @Nullable String reason) {}

  /**
   * Takes the fence for an attempt. An attempt that was opened later takes it from an earlier one;
   * claiming again what one holds is harmless.
   *
   * @param opening of the attempt, see {@link SourceJob#opening}
   * @throws StateException of kind {@code ATTEMPT_FENCED} when an attempt opened later has held it,
   *     or this one was revoked
   */
  public static void claim(DSLContext dsl, Target target, AttemptRef attempt, long opening) {
    int taken =
        dsl.execute(
            """
            INSERT INTO sluice.fence AS fence (lake, schema_name, table_name, opening, attempt_id,
              attempt_number, advanced_at)
            VALUES (?, ?, ?, ?, ?, ?, now())
            ON CONFLICT (lake, schema_name, table_name) DO UPDATE SET opening = excluded.opening,
              attempt_id = excluded.attempt_id, attempt_number = excluded.attempt_number,
              reason = NULL, advanced_at = now()
            WHERE fence.opening < excluded.opening
              OR (fence.opening = excluded.opening AND fence.attempt_id = excluded.attempt_id
                AND fence.attempt_number = excluded.attempt_number)
            """,
            target.lake(),
            target.schema(),
            target.table(),
            opening,
            attempt.attemptId(),
            attempt.number());
    if (taken == 0) {
      throw fenced(target, attempt, find(dsl, target).orElseThrow());
    }
  }

  /**
   * Checks, without changing anything, that the attempt may go on and its generation is not older
   * than what was published.
   *
   * @throws StateException of kind {@code ATTEMPT_FENCED}, {@code STALE_GENERATION} or {@code
   *     ORDER_KIND}
   */
  public static void check(DSLContext dsl, Target target, AttemptRef attempt, ProducerOrder order) {
    Optional<Fence> found =
        dsl.fetchOptional("SELECT * FROM sluice.fence" + TARGET + " FOR UPDATE", binds(target))
            .map(FenceStore::fence);
    Fence fence = found.orElse(new Fence(null, 0, null, null, "it was never claimed"));
    if (!attempt.equals(fence.holder())) {
      throw fenced(target, attempt, fence);
    }
    requireNotOlder(target, order, fence);
  }

  /**
   * Checks as {@link #check} does, then moves the newest published order to this one. Belongs into
   * the publishing transaction. An equal order passes: arrival breaks ties.
   *
   * @throws StateException of kind {@code ATTEMPT_FENCED}, {@code STALE_GENERATION} or {@code
   *     ORDER_KIND}
   */
  public static void advance(
      DSLContext dsl, Target target, AttemptRef attempt, ProducerOrder order, String generation) {
    check(dsl, target, attempt, order);
    dsl.execute(
        "UPDATE sluice.fence SET order_kind = ?, order_value = ?, generation = ?,"
            + " advanced_at = now()"
            + TARGET,
        order.kind().word(),
        order.value(),
        generation,
        target.lake(),
        target.schema(),
        target.table());
  }

  /**
   * Takes the fence away from an attempt for good, so that its zombie cannot publish. When this
   * returns and its transaction commits, the attempt has published or never will: the row's lock
   * waits for a publication in flight. No effect when another attempt holds the fence.
   */
  public static void revoke(DSLContext dsl, Target target, AttemptRef attempt, String reason) {
    dsl.execute(
        "UPDATE sluice.fence SET attempt_id = NULL, attempt_number = NULL, reason = ?,"
            + " advanced_at = now()"
            + TARGET
            + " AND attempt_id = ? AND attempt_number = ?",
        reason,
        target.lake(),
        target.schema(),
        target.table(),
        attempt.attemptId(),
        attempt.number());
  }

  /** Finds a target's fence; empty before the first claim. Locks nothing. */
  public static Optional<Fence> find(DSLContext dsl, Target target) {
    return dsl.fetchOptional("SELECT * FROM sluice.fence" + TARGET, binds(target))
        .map(FenceStore::fence);
  }

  private static void requireNotOlder(Target target, ProducerOrder order, Fence fence) {
    ProducerOrder published = fence.published();
    if (published == null) {
      return;
    }
    if (!order.comparableWith(published)) {
      throw StateErrors.orderKind(target.toString(), order, published.kind().word());
    }
    if (published.isNewerThan(order)) {
      throw StateErrors.stale(target, order, published, fence.generation());
    }
  }

  private static StateException fenced(Target target, AttemptRef attempt, Fence fence) {
    AttemptRef holder = fence.holder();
    return StateErrors.fenced(
        target, attempt, holder == null ? null : holder.key(), fence.reason());
  }

  private static Object[] binds(Target target) {
    return new Object[] {target.lake(), target.schema(), target.table()};
  }

  private static Fence fence(Record row) {
    String attemptId = row.get("attempt_id", String.class);
    boolean published = row.get("order_kind", String.class) != null;
    return new Fence(
        attemptId == null
            ? null
            : new AttemptRef(
                attemptId, Objects.requireNonNull(row.get("attempt_number", Integer.class))),
        row.get("opening", Long.class),
        published ? Rows.order(row) : null,
        row.get("generation", String.class),
        row.get("reason", String.class));
  }
}
