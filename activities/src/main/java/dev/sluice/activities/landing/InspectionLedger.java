package dev.sluice.activities.landing;

import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingFiles.Inspected;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.NewDataFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Keeps inspections in the ledger, so that publishing can happen later and elsewhere. */
public final class InspectionLedger {

  private static final long NO_FOOTER = 0;

  private InspectionLedger() {}

  /**
   * Writes an inspection of all files of a landing, in the caller's transaction.
   *
   * @param basis what it was made from, see {@link InspectionBasis}
   */
  public static void write(
      DSLContext dsl,
      LandingLedger.Key key,
      ObjectStore lake,
      Inspection inspection,
      String basis) {
    InspectionText text =
        new InspectionText(
            inspection.columns(), inspection.partitioning(), inspection.emptyFiles(), basis);
    Map<String, NewDataFile> byPath = new HashMap<>();
    for (NewDataFile file : inspection.files()) {
      byPath.put(file.path(), file);
      text.share(file.mapping(), file.statistics());
    }
    // Putting the statistics of thousands of files into words is work for all cores.
    List<Inspected> rows =
        LandingFiles.objects(dsl, key).entrySet().parallelStream()
            .map(file -> inspected(file.getKey(), byPath.get(lake.uri(file.getValue())), text))
            .toList();
    LandingFiles.inspected(dsl, key, text.heading(), rows);
  }

  private static Inspected inspected(
      String sourceKey, @Nullable NewDataFile found, InspectionText text) {
    return found == null
        ? new Inspected(sourceKey, 0, NO_FOOTER, "")
        : new Inspected(
            sourceKey,
            found.recordCount(),
            found.footerSize() == null ? NO_FOOTER : found.footerSize(),
            text.file(
                new InspectionText.FileFacts(
                    found.mapping(), found.partitionValues(), found.statistics())));
  }

  /**
   * What an inspection came to.
   *
   * @param rows of all files
   * @param files that were inspected
   * @param columns of the content
   */
  public record Summary(long rows, long files, long columns) {}

  /**
   * Finds out whether the landing was inspected to the end, from the same as would be now.
   *
   * @return what that came to; empty when it has to be inspected
   */
  public static Optional<Summary> find(DSLContext dsl, LandingLedger.Key key, String basis) {
    Optional<InspectionText> made =
        LandingLedger.find(dsl, key)
            .map(LandingLedger.Landing::content)
            .map(InspectionText::parseHeading)
            .filter(text -> text.basis().equals(basis));
    if (made.isEmpty()) {
      return Optional.empty();
    }
    LandingFiles.Totals totals = LandingFiles.totals(dsl, key);
    return totals.inspected() == totals.files()
        ? Optional.of(new Summary(totals.rows(), totals.files(), made.get().columns().size()))
        : Optional.empty();
  }

  /**
   * Reads an inspection back.
   *
   * @throws IllegalStateException when the landing was not inspected
   */
  public static Inspection read(StateDatabase lakeState, LandingLedger.Key key, ObjectStore lake) {
    return lakeState.read(
        dsl ->
            of(
                LandingLedger.find(dsl, key)
                    .orElseThrow(() -> new IllegalStateException("no landing " + key.landingId())),
                LandingFiles.files(dsl, key),
                lake));
  }

  /**
   * The inspection that a landing and its files hold.
   *
   * @throws IllegalStateException when the landing was not inspected
   */
  public static Inspection of(
      LandingLedger.Landing landing, List<LedgerFile> files, ObjectStore lake) {
    String content = landing.content();
    if (content == null) {
      throw new IllegalStateException(
          "landing " + landing.key().landingId() + " was not inspected");
    }
    InspectionText text = InspectionText.parseHeading(content);
    List<NewDataFile> registered =
        files.parallelStream()
            .filter(file -> rows(file) > 0)
            .map(file -> dataFile(file, text, lake))
            .toList();
    return new Inspection(text.columns(), text.partitioning(), registered, text.emptyFiles());
  }

  private static long rows(LedgerFile file) {
    return Objects.requireNonNull(file.recordCount(), "an inspected file has a row count");
  }

  private static NewDataFile dataFile(LedgerFile file, InspectionText text, ObjectStore lake) {
    InspectionText.FileFacts facts =
        text.parseFile(Objects.requireNonNull(file.facts(), "an inspected file has facts"));
    Long footer = file.footerSize();
    return new NewDataFile(
        lake.uri(file.objectKey()),
        rows(file),
        file.objectBytes(),
        footer == null || footer == NO_FOOTER ? null : footer,
        facts.mapping(),
        facts.partitionValues(),
        facts.statistics(),
        LandedDeletes.of(file).map(deletes -> deletes.registered(lake)).orElse(null));
  }
}
