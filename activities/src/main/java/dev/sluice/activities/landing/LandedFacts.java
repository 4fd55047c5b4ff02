package dev.sluice.activities.landing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What landing made of a file of a Delta table, as the ledger keeps it.
 *
 * @param sourceRows rows of the source's file by its own footer, deleted ones included
 * @param rewritten why the file was written anew instead of copied; null when it was copied
 * @param deletes rows of it that are no content; null when all are
 * @param footer what the footer of its object says; null when that has yet to be read
 */
public record LandedFacts(
    long sourceRows,
    @Nullable String rewritten,
    @Nullable LandedDeletes deletes,
    @Nullable LandedFooter footer) {

  /** Of an object whose footer has yet to be read. */
  LandedFacts(long sourceRows, @Nullable String rewritten, @Nullable LandedDeletes deletes) {
    this(sourceRows, rewritten, deletes, null);
  }

  /** The same with other deletes. */
  public LandedFacts with(@Nullable LandedDeletes others) {
    return new LandedFacts(sourceRows, rewritten, others, footer);
  }

  /** The same, with what the footer of the object says. */
  LandedFacts with(LandedFooter read) {
    return new LandedFacts(sourceRows, rewritten, deletes, read);
  }

  /** What the object's footer says to such a match; empty when it has to be read. */
  Optional<LandedFooter> footerFor(String basis) {
    return Optional.ofNullable(footer).filter(read -> read.basis().equals(basis));
  }

  /** The same for a copy of the file in another landing; the delete file is yet to be copied. */
  public LandedFacts movedTo(String landingId, String sourceKey) {
    return deletes == null
        ? this
        : with(
            new LandedDeletes(
                DeltaFiles.deletesKey(landingId, sourceKey),
                deletes.objectKey(),
                deletes.count(),
                deletes.bytes(),
                deletes.footerBytes(),
                null));
  }

  /** The text that {@link #parse} reads. */
  public String text() {
    ObjectNode root = LedgerJson.object();
    root.put("sourceRows", sourceRows);
    root.put("rewritten", rewritten);
    if (deletes != null) {
      ObjectNode node = root.putObject("deletes");
      node.put("own", deletes.ownKey());
      node.put("object", deletes.objectKey());
      node.put("count", deletes.count());
      node.put("bytes", deletes.bytes());
      node.put("footer", deletes.footerBytes());
      node.put("supersedes", deletes.supersedes());
    }
    if (footer != null) {
      footer.write(root.putObject("footerRead"));
    }
    return LedgerJson.write(root);
  }

  /** Reads what {@link #text} wrote. */
  public static LandedFacts parse(String text) {
    JsonNode root = LedgerJson.read(text);
    JsonNode node = root.get("deletes");
    JsonNode footer = root.get("footerRead");
    return new LandedFacts(
        root.get("sourceRows").asLong(),
        LedgerJson.text(root.get("rewritten")),
        node == null
            ? null
            : new LandedDeletes(
                node.get("own").asText(),
                node.get("object").asText(),
                node.get("count").asLong(),
                node.get("bytes").asLong(),
                node.get("footer").asLong(),
                LedgerJson.text(node.get("supersedes"))),
        footer == null ? null : LandedFooter.parse(footer));
  }
}
