package dev.sluice.activities.publish;

import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitContext;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitResult;
import java.util.List;

/**
 * Publishes generations: one commit in which the fence is compared and advanced, the table's
 * content replaced, and the publication recorded. Safe to repeat: the commit looks its key up
 * first. Thread-safe.
 */
public final class Publisher {

  private static final String AUTHOR = "sluice";

  private final Catalog catalog;

  /** Publishes into the catalog's lake. */
  public Publisher(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Makes the generation the live content of its table.
   *
   * @return the snapshot that made it, now or in an earlier call
   * @throws dev.sluice.activities.jobs.StateException when the attempt was fenced or a newer
   *     generation is published; nothing was written
   * @throws dev.sluice.catalog.error.CatalogException as its kind says
   */
  public long publish(Generation generation) {
    Target target = generation.target();
    Inspection content = generation.content();
    TableName name = new TableName(target.schema(), target.table());
    CommitRequest request =
        new CommitRequest(
            "publish generation %s of %s".formatted(generation.token(), name),
            generation.idempotencyKey(),
            new Base.Newest(),
            List.of(context -> advanceFence(context, generation)),
            List.of(
                new Change.ReplaceContent(
                    name,
                    content.columns(),
                    content.partitioning(),
                    content.files(),
                    generation.schemaPolicy(),
                    generation.foreignContent(),
                    null)),
            List.of(context -> record(context, generation, name)),
            AUTHOR,
            "generation %s of source %s"
                .formatted(generation.token(), generation.attempt().source().schemaId()));
    CommitResult result = catalog.commit(request);
    return result.snapshotId();
  }

  /** First of all, so that nothing is decided for an attempt that may not publish any more. */
  private static void advanceFence(CommitContext context, Generation generation) {
    Fences.advance(
        context.dsl(),
        generation.target(),
        generation.attempt().attempt(),
        generation.order(),
        generation.token());
  }

  private static void record(CommitContext context, Generation generation, TableName name) {
    Inspection content = generation.content();
    Publications.insert(
        context.dsl(),
        new Publication(
            generation.target(),
            context.snapshotId(),
            context.tableId(name).orElseThrow(),
            generation.attempt(),
            generation.sourceJobId(),
            generation.token(),
            generation.order(),
            content.rows(),
            content.files().size(),
            content.bytes()));
    LandingLedger.publish(context.dsl(), generation.landing());
  }
}
