package dev.sluice.activities.delta;

import static dev.sluice.activities.delta.DeltaActions.add;
import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.mappedField;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.remove;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.delta.DeltaException.Kind;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files are live, where they are, and their partition values. */
class DeltaReaderFilesTest {

  @TempDir private Path scratch;
  private DeltaFolder table;

  @BeforeEach
  void openFolder() {
    table = new DeltaFolder(scratch.resolve("t"));
  }

  @Test
  @DisplayName("CPY-02: only what the log says is live")
  void cpy02_onlyWhatTheLogSaysIsLive() {
    table
        .parquet("f2.parquet", "SELECT 2 AS id")
        .parquet("f9.parquet", "SELECT 9 AS id")
        .commit(0, protocol(), metadata(schema(field("id", "integer"))), add("f1.parquet").rows(1))
        .commit(1, add("f2.parquet").rows(1))
        .commit(2, remove("f2.parquet"), add("f3.parquet").rows(1));

    assertThat(table.liveFiles())
        .extracting(DeltaFile::key)
        .containsExactly("f1.parquet", "f3.parquet");
    assertThat(table.liveFiles()).extracting(DeltaFile::liveRecords).containsExactly(1L, 1L);
  }

  @Test
  void saysWhatTheLogSaysOfAFile() {
    table.commit(
        0,
        protocol(),
        metadata(schema(field("id", "integer"))),
        add("f1.parquet").size(4711),
        add("f2.parquet").rows(5));

    assertThat(table.liveFiles())
        .containsExactly(
            new DeltaFile(
                "f1.parquet",
                4711,
                Instant.ofEpochMilli(1_700_000_000_000L),
                Map.of(),
                DeltaStatistics.UNKNOWN,
                null),
            new DeltaFile(
                "f2.parquet",
                1000,
                Instant.ofEpochMilli(1_700_000_000_000L),
                Map.of(),
                new DeltaStatistics(5L, Map.of()),
                null));
    assertThat(table.liveFiles().get(0).liveRecords()).isNull();
  }

  @Test
  @DisplayName("CPY-03: paths are decoded once")
  void cpy03_pathsAreDecodedOnce() {
    table.commit(
        0,
        protocol(),
        metadata(schema(field("id", "integer"), field("x", "string")), "x"),
        add("x=A%252FA/f1.parquet").partition("x", "A/A"),
        add("x=B%2520B/f2.parquet").partition("x", "B B"),
        add("x=50%2525/f3.parquet").partition("x", "50%"));

    assertThat(table.liveFiles())
        .extracting(DeltaFile::key)
        .containsExactly("x=50%25/f3.parquet", "x=A%2FA/f1.parquet", "x=B%20B/f2.parquet");
    assertThat(table.liveFiles())
        .extracting(file -> file.partitionValues().get("x"))
        .containsExactly("50%", "A/A", "B B");
  }

  @Test
  @DisplayName("CPY-04: texts that look like NULL are texts")
  void cpy04_textsThatLookLikeNullAreTexts() {
    table.commit(
        0,
        protocol(),
        metadata(schema(field("id", "integer"), field("p", "string")), "p"),
        add("p=NULL/1.parquet").partition("p", "NULL"),
        add("p=x/2.parquet").partition("p", "__HIVE_DEFAULT_PARTITION__"),
        add("p=y/3.parquet").partition("p", null));

    assertThat(table.liveFiles())
        .extracting(file -> file.partitionValues().get("p"))
        .containsExactly("NULL", "__HIVE_DEFAULT_PARTITION__", null);
  }

  @Test
  @DisplayName("CPY-05: an empty text is NULL unless the column holds text")
  void cpy05_emptyTextIsNullUnlessTheColumnHoldsText() {
    table.commit(
        0,
        protocol(),
        metadata(
            schema(
                field("id", "integer"),
                field("n", "integer"),
                field("d", "date"),
                field("s", "string")),
            "n",
            "d",
            "s"),
        add("f.parquet").partition("n", "").partition("d", "").partition("s", ""));

    Map<String, String> values = table.liveFiles().get(0).partitionValues();
    assertThat(values).containsEntry("n", null).containsEntry("d", null).containsEntry("s", "");
    assertThat(values.keySet()).containsExactly("n", "d", "s");
  }

  @Test
  @DisplayName("CPY-06: microseconds before 1970 are exact")
  void cpy06_microsecondsBefore1970AreExact() {
    table.commit(
        0,
        protocol("timestampNtz"),
        metadata(
            schema(field("id", "integer"), field("t", "timestamp"), field("n", "timestamp_ntz")),
            "t",
            "n"),
        add("1.parquet")
            .partition("t", "1969-12-31 23:59:59.5")
            .partition("n", "1969-12-31 23:20:57.657658"),
        add("2.parquet")
            .partition("t", "1969-12-31T23:20:57.657658Z")
            .partition("n", "1969-12-31T23:59:59.500000"));

    assertThat(table.liveFiles())
        .extracting(file -> file.partitionValues().get("t"))
        .containsExactly("1969-12-31 23:59:59.500000+00", "1969-12-31 23:20:57.657658+00");
    assertThat(table.liveFiles())
        .extracting(file -> file.partitionValues().get("n"))
        .containsExactly("1969-12-31 23:20:57.657658", "1969-12-31 23:59:59.500000");
  }

  @Test
  @DisplayName("CPY-08: partition values are found by physical name")
  void cpy08_partitionValuesAreFoundByPhysicalName() {
    table.commit(
        0,
        protocol("columnMapping"),
        metadata(
            schema(
                mappedField("id", "integer", 1, "col-1"),
                mappedField("BATCH_ID", "long", 2, "col-9")),
            Map.of("delta.columnMapping.mode", "name"),
            "BATCH_ID"),
        add("f.parquet").partition("col-9", "7"));

    assertThat(table.latest().partitionColumns()).containsExactly("BATCH_ID");
    assertThat(table.liveFiles().get(0).partitionValues())
        .containsExactly(Map.entry("BATCH_ID", "7"));
  }

  @ParameterizedTest
  @CsvSource({
    "boolean, True, true",
    "byte, -128, -128",
    "short, 007, 7",
    "integer, -1, -1",
    "long, 9223372036854775807, 9223372036854775807",
    "float, 1.5, 1.5",
    "double, -Infinity, -Infinity",
    "double, NaN, NaN",
    "'decimal(10,2)', 1.5, 1.50",
    "'decimal(38,0)', 1E+3, 1000",
    "date, 2024-02-29, 2024-02-29",
    "date, -0044-03-15, 0045-03-15 (BC)",
    "timestamp, 2024-01-01 00:00:00, 2024-01-01 00:00:00+00",
    "timestamp, 2024-01-01T01:30:00+02:00, 2023-12-31 23:30:00+00",
    "binary, AZ, \\x41\\x5A"
  })
  void partitionValuesAreSpelledForDuckDb(String type, String inLog, String expected) {
    table.commit(
        0,
        protocol(),
        metadata(schema(field("id", "integer"), field("p", type)), "p"),
        add("f.parquet").partition("p", inLog));

    assertThat(table.liveFiles().get(0).partitionValues()).containsEntry("p", expected);
  }

  @ParameterizedTest
  @CsvSource({
    "boolean, yes",
    "byte, 128",
    "integer, 1.5",
    "integer, __HIVE_DEFAULT_PARTITION__",
    "double, one",
    "'decimal(4,2)', 1.005",
    "'decimal(4,2)', 100",
    "date, 2023-02-29",
    "timestamp, 2024-01-01 25:00:00",
    "timestamp, yesterday"
  })
  void valueThatIsNoneOfItsTypeIsRefusedWithFileAndColumn(String type, String inLog) {
    table.commit(
        0,
        protocol(),
        metadata(schema(field("id", "integer"), field("p", type)), "p"),
        add("p=x/f.parquet").partition("p", inLog));

    assertThatThrownBy(table::liveFiles)
        .isInstanceOfSatisfying(
            DeltaException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BAD_FILE_ENTRY))
        .hasMessageContaining(
            "the value '%s' of partition column 'p' of file p=x/f.parquet", inLog);
  }

  @Test
  void fileWithoutAValueOfAPartitionColumnIsRefused() {
    table.commit(
        0,
        protocol(),
        metadata(schema(field("id", "integer"), field("p", "string")), "p"),
        add("f.parquet"));

    assertThatThrownBy(table::liveFiles)
        .isInstanceOf(DeltaException.class)
        .hasMessageContaining("the log gives file f.parquet no value of partition column 'p'");
  }

  @Test
  void absolutePathInsideTheTableIsMadeRelative() {
    String folder = table.path().toString();
    table.commit(
        0,
        protocol(),
        metadata(schema(field("id", "integer"))),
        add(folder + "/a%20b.parquet"),
        add("file://" + folder + "/c.parquet"),
        add("file:" + folder + "/x=1/d.parquet"));

    assertThat(table.liveFiles())
        .extracting(DeltaFile::key)
        .containsExactly("a b.parquet", "c.parquet", "x=1/d.parquet");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/elsewhere/f.parquet", "s3://other/t/f.parquet", "s3a://other/f"})
  void pathOutsideTheTableIsRefusedByName(String path) {
    table.commit(0, protocol(), metadata(schema(field("id", "integer"))), add(path));

    assertThatThrownBy(table::liveFiles)
        .isInstanceOfSatisfying(
            DeltaException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BAD_FILE_ENTRY))
        .hasMessageContaining("the data file %s lies outside the table's folder", path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"../other/f.parquet", "a/%2E%2E/f.parquet", "a//f.parquet"})
  void pathThatLeadsElsewhereIsRefused(String path) {
    table.commit(0, protocol(), metadata(schema(field("id", "integer"))), add(path));

    assertThatThrownBy(table::liveFiles)
        .isInstanceOf(DeltaException.class)
        .hasMessageContaining("the log's path '%s' cannot be used", path);
  }

  @Test
  void fileThatIsAddedAgainCountsOnceAndAsItWasLast() {
    table
        .commit(0, protocol(), metadata(schema(field("id", "integer"))), add("f.parquet").rows(1))
        .commit(1, add("f.parquet").rows(2));

    assertThat(table.liveFiles()).extracting(DeltaFile::liveRecords).containsExactly(2L);
  }
}
