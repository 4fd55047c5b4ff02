package dev.sluice.activities.publish;

import dev.sluice.activities.jobs.FencePass;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.PublicationRecord;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Attachment;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitResult;
import dev.sluice.workflows.activity.AttemptRef;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Publishes generations: one commit in which the fences are compared and advanced, the tables'
 * content replaced, and the publications recorded. Several become visible together or not at all.
 * Safe to repeat: the commit looks its key up first. Thread-safe.
 */
public final class Publisher {

  private static final String AUTHOR = "sluice";

  private final Catalog catalog;

  /** Publishes into the catalog's lake. */
  public Publisher(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Makes the generation the live content of its table; see {@link #publishTogether}. */
  public long publish(Generation generation) {
    return publishTogether(List.of(generation));
  }

  /**
   * Makes each generation the live content of its table, all in one snapshot.
   *
   * @param generations of different tables of the lake, at least one
   * @return the snapshot that made it, now or in an earlier call
   * @throws dev.sluice.activities.jobs.StateException when one of the attempts was fenced or a
   *     newer generation is published; nothing was written for any of them
   * @throws dev.sluice.catalog.error.CatalogException as its kind says
   */
  public long publishTogether(List<Generation> generations) {
    CommitRequest request =
        new CommitRequest(
            "publish " + named(generations),
            idempotencyKey(generations),
            new Base.Newest(),
            Stream.<Attachment>concat(
                    generations.stream().map(Publisher::passFence),
                    generations.stream().map(Publisher::record))
                .toList(),
            generations.stream().<Change>map(Publisher::replacement).toList(),
            List.of(),
            AUTHOR,
            message(generations));
    CommitResult result = catalog.commit(request);
    return result.snapshotId();
  }

  private static String named(List<Generation> generations) {
    return generations.stream()
        .map(each -> "generation %s of %s".formatted(each.token(), name(each)))
        .collect(Collectors.joining(", "));
  }

  private static String message(List<Generation> generations) {
    return generations.stream()
        .map(
            each ->
                "%s %s of source %s"
                    .formatted(
                        each.restores() == null ? "generation" : "rollback to generation",
                        each.token(),
                        each.attempt().source().schemaId()))
        .collect(Collectors.joining(", "));
  }

  /** That of the one, or one that the same set has whatever its order. */
  private static String idempotencyKey(List<Generation> generations) {
    if (generations.size() == 1) {
      return generations.get(0).idempotencyKey();
    }
    String all =
        generations.stream()
            .map(Generation::idempotencyKey)
            .sorted()
            .collect(Collectors.joining("\n"));
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
      return "publish-set:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static TableName name(Generation generation) {
    return new TableName(generation.target().schema(), generation.target().table());
  }

  private static Change.ReplaceContent replacement(Generation generation) {
    Inspection content = generation.content();
    return new Change.ReplaceContent(
        name(generation),
        content.columns(),
        content.partitioning(),
        content.files(),
        generation.schemaPolicy(),
        generation.foreignContent(),
        null);
  }

  private static FencePass passFence(Generation generation) {
    Target target = generation.target();
    AttemptRef attempt = generation.attempt().attempt();
    return generation.restores() == null
        ? FencePass.publishing(target, attempt, generation.order(), generation.token())
        : FencePass.restoring(target, attempt);
  }

  private static PublicationRecord record(Generation generation) {
    Inspection content = generation.content();
    return new PublicationRecord(
        generation.landing(),
        name(generation),
        made ->
            new Publication(
                generation.target(),
                made.snapshotId(),
                made.tableId(),
                generation.attempt(),
                generation.sourceJobId(),
                generation.token(),
                generation.order(),
                content.rows(),
                content.files().size(),
                content.bytes(),
                generation.restores(),
                made.replaced().orElse(null)));
  }
}
