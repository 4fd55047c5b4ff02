package dev.sluice.activities.publish;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.workflows.naming.ProducerOrder;
import org.jspecify.annotations.Nullable;

/**
 * A verified generation that is to be published.
 *
 * @param target the stable name; its lake is the lake's key
 * @param attempt the attempt that publishes
 * @param sourceJobId the upstream import job
 * @param token the generation's token
 * @param order the producer's order
 * @param landing its ledger
 * @param content what the publication registers
 * @param schemaPolicy how far the table's columns may change
 * @param foreignContent what to do with what others did to the table
 * @param restores snapshot of the earlier publication that is brought back; null for a generation
 *     that is brought in
 */
public record Generation(
    Target target,
    AttemptKey attempt,
    String sourceJobId,
    String token,
    ProducerOrder order,
    LandingLedger.Key landing,
    Inspection content,
    SchemaPolicy schemaPolicy,
    ForeignContent foreignContent,
    @Nullable Long restores) {

  /**
   * The idempotency key of its publication: the source, the generation and the try, never a run.
   * The same try asks again with the same key; another try of the generation is another intent.
   */
  public String idempotencyKey() {
    return "publish:%s:%d:%s:%s"
        .formatted(
            attempt.path().word(),
            attempt.source().team(),
            attempt.source().schemaId(),
            attempt.attempt().key());
  }
}
