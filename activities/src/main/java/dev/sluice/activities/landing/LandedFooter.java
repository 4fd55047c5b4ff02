package dev.sluice.activities.landing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.activities.landing.InspectionText.FileFacts;
import dev.sluice.activities.parquet.MatchResult;
import dev.sluice.catalog.NewDataFile;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the footer of a landed object says, read right after it has landed while other files are
 * still copied, so that the inspection need not read it once more.
 *
 * @param basis what it was matched with, see {@link DeltaMatch#basis}
 * @param rows of the object; 0 when it is not to be registered
 * @param objectBytes size of the object
 * @param footerBytes length of its footer; null when it was not told
 * @param shared the heading that {@code file} was written under; empty without rows
 * @param file partition values and statistics; empty without rows
 */
record LandedFooter(
    String basis,
    long rows,
    long objectBytes,
    @Nullable Long footerBytes,
    String shared,
    String file) {

  private static final int NOT_COUNTED = 0;

  static LandedFooter of(String basis, MatchResult result) {
    return switch (result) {
      case MatchResult.WithoutRows none -> new LandedFooter(basis, 0, 0, null, "", "");
      case MatchResult.Register(NewDataFile found) -> {
        InspectionText text = new InspectionText(List.of(), List.of(), NOT_COUNTED, basis);
        String file =
            text.file(new FileFacts(found.mapping(), found.partitionValues(), found.statistics()));
        yield new LandedFooter(
            basis,
            found.recordCount(),
            found.fileSizeBytes(),
            found.footerSize(),
            text.heading(),
            file);
      }
    };
  }

  /**
   * What is registered of the object.
   *
   * @param uri its address
   * @return empty when it has no rows
   */
  Optional<NewDataFile> registered(String uri) {
    if (rows == 0) {
      return Optional.empty();
    }
    FileFacts facts = InspectionText.parseHeading(shared).parseFile(file);
    return Optional.of(
        new NewDataFile(
            uri,
            rows,
            objectBytes,
            footerBytes,
            facts.mapping(),
            facts.partitionValues(),
            facts.statistics(),
            null));
  }

  void write(ObjectNode node) {
    node.put("basis", basis);
    node.put("rows", rows);
    node.put("bytes", objectBytes);
    node.put("footer", footerBytes);
    node.put("shared", shared);
    node.put("file", file);
  }

  static LandedFooter parse(JsonNode node) {
    return new LandedFooter(
        node.get("basis").asText(),
        node.get("rows").asLong(),
        node.get("bytes").asLong(),
        LedgerJson.number(node.get("footer")),
        node.get("shared").asText(),
        node.get("file").asText());
  }
}
