package dev.sluice.activities.jobs;

import dev.sluice.catalog.commit.Attachment;
import dev.sluice.catalog.commit.PlannedCommit;
import dev.sluice.catalog.commit.RowStatement;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.List;
import java.util.Optional;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Passing a target's fence, as part of the commit that publishes: the fence is compared first of
 * all, so that nothing is decided for an attempt that may not publish any more, and advanced with
 * what is published. It stays locked until the transaction ends. Immutable.
 */
public final class FencePass implements Attachment {

  private static final RowStatement ADVANCE =
      new RowStatement(
          "UPDATE sluice.fence AS fence SET order_kind = passed.order_kind,"
              + " order_value = passed.order_value, generation = passed.generation,"
              + " advanced_at = now() FROM (VALUES ",
          "(?, ?, ?, ?, ?::bigint, ?)",
          ") AS passed (lake, schema_name, table_name, order_kind, order_value, generation)"
              + " WHERE fence.lake = passed.lake AND fence.schema_name = passed.schema_name"
              + " AND fence.table_name = passed.table_name");

  private final Target target;
  private final AttemptRef attempt;
  private final @Nullable Generation generation;

  private record Generation(ProducerOrder order, String token) {}

  private FencePass(Target target, AttemptRef attempt, @Nullable Generation generation) {
    this.target = target;
    this.attempt = attempt;
    this.generation = generation;
  }

  /**
   * For an attempt that publishes a generation: checks as {@link Fences#check} does, and moves the
   * newest published order to this one.
   *
   * @param token the generation's token
   */
  public static FencePass publishing(
      Target target, AttemptRef attempt, ProducerOrder order, String token) {
    return new FencePass(target, attempt, new Generation(order, token));
  }

  /**
   * For an attempt that brings an earlier generation back: only who holds the fence counts. What
   * comes back is older than what was published, and the newest order stays: only a newer
   * generation may follow.
   */
  public static FencePass restoring(Target target, AttemptRef attempt) {
    return new FencePass(target, attempt, null);
  }

  @Override
  public Question question() {
    return Fences.lockedBy(target);
  }

  /**
   * Refuses an attempt or a generation that may not pass.
   *
   * @throws StateException of kind {@code ATTEMPT_FENCED}, {@code STALE_GENERATION} or {@code
   *     ORDER_KIND}
   */
  @Override
  public void decide(List<? extends Record> answers) {
    Fences.Fence fence = Fences.of(answers);
    Optional<StateException> refusal =
        generation == null
            ? Fences.notHeld(fence, target, attempt)
            : Fences.refusal(fence, target, attempt, generation.order(), generation.token());
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  @Override
  public void write(PlannedCommit commit, Rows rows) {
    if (generation != null) {
      rows.add(
          ADVANCE,
          target.lake(),
          target.schema(),
          target.table(),
          generation.order().kind().word(),
          generation.order().value(),
          generation.token());
    }
  }
}
