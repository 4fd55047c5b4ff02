package dev.sluice.activities.jobs;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import dev.sluice.catalog.commit.Attachment;
import dev.sluice.catalog.commit.RowStatement;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Who may publish to a target, and the newest order ever published to it. An attempt takes the
 * fence when it prepares ({@link #claim}), and the publishing transaction compares and advances it
 * ({@link FencePass}), so that what was reaped or overtaken cannot publish, nor anything go
 * backwards. Stateless; every method locks the target's row until the caller's transaction ends.
 */
public final class Fences {
  private static final String TARGET = " WHERE lake = ? AND schema_name = ? AND table_name = ?";

  private static final Fence NEVER_CLAIMED = new Fence(null, 0, null, null, "it was never claimed");

  private static final List<Field<?>> FIELDS =
      List.of(
          field(name("lake"), String.class),
          field(name("schema_name"), String.class),
          field(name("table_name"), String.class),
          field(name("opening"), Long.class),
          field(name("attempt_id"), String.class),
          field(name("attempt_number"), Integer.class),
          field(name("order_kind"), String.class),
          field(name("order_value"), Long.class),
          field(name("generation"), String.class),
          field(name("reason"), String.class));

  private static final RowStatement LOCKED =
      new RowStatement(
          "SELECT %s FROM sluice.fence WHERE (lake, schema_name, table_name) IN ("
              .formatted(FIELDS.stream().map(Field::getName).collect(Collectors.joining(", "))),
          "(?, ?, ?)",
          // always in the same order, so that nobody waits for each other
          ") ORDER BY lake, schema_name, table_name FOR UPDATE");

  private Fences() {}

  /**
   * State of a fence.
   *
   * @param holder the attempt that may publish; null when the last one was revoked
   * @param opening the highest opening that ever held it
   * @param published the newest order ever published; null before the first publication
   * @param generation the generation of that order; null before the first publication and once its
   *     table is gone
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
   * Refuses an attempt that does not hold the fence. Belongs into every transaction that changes
   * what the attempts of a generation share: a late write of one that was overtaken would otherwise
   * end up in what its successor publishes.
   *
   * @throws StateException of kind {@code ATTEMPT_FENCED}
   */
  public static void requireHeld(DSLContext dsl, Target target, AttemptRef attempt) {
    Optional<StateException> refusal = notHeld(locked(dsl, target), target, attempt);
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  /** Whether an attempt may publish a generation. */
  public sealed interface Verdict {
    /** It may. */
    record Allowed() implements Verdict {}

    /**
     * It may not: a newer generation, or this very one, was published.
     *
     * @param reason a sentence for people
     */
    record Stale(String reason) implements Verdict {}

    /**
     * It may not: another attempt holds the fence, or this one was revoked.
     *
     * @param reason a sentence for people
     */
    record Fenced(String reason) implements Verdict {}

    /**
     * It may not: its order counts something else than what was published.
     *
     * @param reason a sentence for people
     */
    record Refused(String reason) implements Verdict {}
  }

  /**
   * Says, without changing anything, whether the attempt may publish the generation. A generation
   * with the published order is stale when it is the published one; another one of the same order
   * arrived later and may follow, since arrival breaks ties.
   *
   * @param generation the generation's token
   */
  public static Verdict check(
      DSLContext dsl, Target target, AttemptRef attempt, ProducerOrder order, String generation) {
    return refusal(locked(dsl, target), target, attempt, order, generation)
        .<Verdict>map(Fences::verdict)
        .orElseGet(Verdict.Allowed::new);
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

  /**
   * Lets the newest published generation be published again, because its table is gone. The order
   * stays: nothing older may follow.
   */
  public static void forgetGeneration(DSLContext dsl, Target target) {
    dsl.execute("UPDATE sluice.fence SET generation = NULL" + TARGET, binds(target));
  }

  /** Finds a target's fence; empty before the first claim. Locks nothing. */
  public static Optional<Fence> find(DSLContext dsl, Target target) {
    return dsl.fetchOptional("SELECT * FROM sluice.fence" + TARGET, binds(target))
        .map(Fences::fence);
  }

  /** Why the attempt may not do what only the holder may; empty when it holds the fence. */
  static Optional<StateException> notHeld(Fence fence, Target target, AttemptRef attempt) {
    return attempt.equals(fence.holder())
        ? Optional.empty()
        : Optional.of(fenced(target, attempt, fence));
  }

  /** Why the attempt may not publish the generation; empty when it may. */
  static Optional<StateException> refusal(
      Fence fence, Target target, AttemptRef attempt, ProducerOrder order, String generation) {
    Optional<StateException> notHeld = notHeld(fence, target, attempt);
    if (notHeld.isPresent()) {
      return notHeld;
    }
    ProducerOrder published = fence.published();
    if (published == null) {
      return Optional.empty();
    }
    if (!order.comparableWith(published)) {
      return Optional.of(StateErrors.orderKind(target.toString(), order, published.kind().word()));
    }
    boolean same = order.equals(published) && generation.equals(fence.generation());
    return same || published.isNewerThan(order)
        ? Optional.of(StateErrors.stale(target, order, published, fence.generation()))
        : Optional.empty();
  }

  /**
   * The attempt that may publish to a target, with the fence locked until the transaction ends:
   * nobody takes or passes it meanwhile. Empty when nobody may.
   */
  public static Optional<AttemptRef> holder(DSLContext dsl, Target target) {
    return Optional.ofNullable(locked(dsl, target).holder());
  }

  private static Fence locked(DSLContext dsl, Target target) {
    return of(dsl.fetch(LOCKED.sql(1), binds(target)));
  }

  /** Asks, as part of a commit, for the target's fence and locks it. */
  static Attachment.Question lockedBy(Target target) {
    return new Attachment.Question(LOCKED, FIELDS, List.of(binds(target)));
  }

  /** The fence, from what answers {@link #lockedBy}. */
  static Fence of(List<? extends Record> rows) {
    return rows.stream().findFirst().map(Fences::fence).orElse(NEVER_CLAIMED);
  }

  private static Verdict verdict(StateException refusal) {
    String reason = String.valueOf(refusal.getMessage());
    return switch (refusal.kind()) {
      case STALE_GENERATION -> new Verdict.Stale(reason);
      case ATTEMPT_FENCED -> new Verdict.Fenced(reason);
      case ORDER_KIND -> new Verdict.Refused(reason);
      case NAME_TAKEN,
          NOT_PROVISIONED,
          FIXED_SETTING,
          IN_USE,
          UNKNOWN_ATTEMPT,
          NOT_MIGRATED,
          UNAVAILABLE ->
          throw refusal;
    };
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
