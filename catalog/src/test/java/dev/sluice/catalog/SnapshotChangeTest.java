package dev.sluice.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.SnapshotChange.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotChangeTest {

  @Test
  void entriesOfEveryFormAreParsed() {
    assertThat(
            SnapshotChange.parse(
                "created_schema:\"ma,in\",created_table:\"s.x\".\"t\"\"q,\",inserted_into_table:12,"
                    + "FLUSHED_INLINED:3,compacted_table:4"))
        .containsExactly(
            new SnapshotChange(
                Kind.CREATED_SCHEMA, null, "ma,in", null, "created_schema:\"ma,in\""),
            new SnapshotChange(
                Kind.CREATED_TABLE, null, "s.x", "t\"q,", "created_table:\"s.x\".\"t\"\"q,\""),
            new SnapshotChange(Kind.INSERTED_INTO_TABLE, 12L, null, null, "inserted_into_table:12"),
            new SnapshotChange(Kind.INLINE_FLUSH, 3L, null, null, "FLUSHED_INLINED:3"),
            new SnapshotChange(Kind.COMPACTED_TABLE, 4L, null, null, "compacted_table:4"));
  }

  @Test
  void nothingRecordedMeansNoEntries() {
    assertThat(SnapshotChange.parse(null)).isEmpty();
    assertThat(SnapshotChange.parse("")).isEmpty();
  }

  @Test
  void whatIsNotUnderstoodIsAnUnknownEntryWithItsText() {
    assertThat(
            SnapshotChange.parse(
                "teleported_table:1,created_table,created_table:unquoted.name,,altered_table:x,"
                    + "created_table:\"a\".\"b\".\"c\",altered_table:99999999999999999999"))
        .allSatisfy(change -> assertThat(change.kind()).isEqualTo(Kind.UNKNOWN))
        .extracting(SnapshotChange::text)
        .isEqualTo(
            List.of(
                "teleported_table:1",
                "created_table",
                "created_table:unquoted.name",
                "",
                "altered_table:x",
                "created_table:\"a\".\"b\".\"c\"",
                "altered_table:99999999999999999999"));
  }
}
