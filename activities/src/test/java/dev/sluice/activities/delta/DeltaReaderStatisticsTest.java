package dev.sluice.activities.delta;

import static dev.sluice.activities.delta.DeltaActions.add;
import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.delta.DeltaActions.Add;
import dev.sluice.activities.delta.DeltaStatistics.Facts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is believed of the statistics in a log. */
class DeltaReaderStatisticsTest {

  @TempDir private Path scratch;

  @ParameterizedTest
  @CsvSource(
      nullValues = "unknown",
      value = {
        "integer, -5, 7, -5, 7",
        "byte, 300, 1, unknown, 1",
        "long, 1.5, 9223372036854775807, unknown, 9223372036854775807",
        "double, '\"NaN\"', 2.5, unknown, 2.5",
        "float, 0.1, '\"Infinity\"', 0.1, Infinity",
        "boolean, false, true, false, true",
        "string, '\"a\"', '\"zz\"', a, zz",
        "string, '\"01234567890123456789012345678901\"', '\"01234567890123456789012345678901\"',"
            + " 01234567890123456789012345678901, unknown",
        "date, '\"1969-12-31\"', '\"2024-02-29\"', 1969-12-31, 2024-02-29",
        "binary, '\"a\"', '\"b\"', unknown, unknown",
        "'decimal(10,2)', 1.5, 2, 1.50, 2.00",
        "'decimal(38,2)', 12345678901234567.89, 1, unknown, 1.00",
        "timestamp_ntz, '\"1969-12-31T23:59:59.500\"', '\"1969-12-31T23:59:59.500\"', 1969-12-31"
            + " 23:59:59.500000, 1969-12-31 23:59:59.500999",
        "timestamp, '\"1969-12-31T23:20:57.657658Z\"', '\"1969-12-31T23:20:57.657658Z\"',"
            + " 1969-12-31 23:20:57.657658+00, 1969-12-31 23:20:57.657658+00",
        "timestamp, '\"2024-01-01T00:00:00.000Z\"', '\"2024-01-01T00:00:00.000+02:00\"', 2024-01-01"
            + " 00:00:00+00, 2023-12-31 22:00:00.000999+00"
      })
  @DisplayName("CPY-06: bounds are never narrower than the data")
  void cpy06_boundsAreNeverNarrowerThanTheData(
      String type, String min, String max, String expectedMin, String expectedMax) {
    DeltaStatistics statistics =
        read(
            type,
            add("f.parquet")
                .statistics(
                    "{\"numRecords\":9,\"minValues\":{\"c\":%s},\"maxValues\":{\"c\":%s},\"nullCount\":{\"c\":3}}"
                        .formatted(min, max)));

    assertThat(statistics.records()).isEqualTo(9);
    assertThat(statistics.columns())
        .containsExactly(Map.entry(List.of("c"), new Facts(expectedMin, expectedMax, 3L)));
  }

  @Test
  void fieldsOfStructsHavePathsAndListsHaveNone() {
    String struct = schema(field("x", "integer"));
    String list = "{\"type\":\"array\",\"elementType\":\"integer\",\"containsNull\":true}";
    DeltaFolder table = new DeltaFolder(scratch.resolve("t"));
    table.commit(
        0,
        protocol(),
        metadata(schema(field("s", struct), field("l", list))),
        add("f.parquet")
            .statistics(
                "{\"minValues\":{\"s\":{\"x\":1},\"l\":1},\"maxValues\":{\"s\":{\"x\":2}},\"nullCount\":{\"s\":{\"x\":0},\"l\":4}}"));

    DeltaStatistics statistics = table.liveFiles().get(0).statistics();
    assertThat(statistics.records()).isNull();
    assertThat(statistics.columns())
        .containsExactly(Map.entry(List.of("s", "x"), new Facts("1", "2", 0L)));
  }

  @Test
  void countsOfNullsAreOpenWhenRowsAreDeleted() {
    String statistics =
        "{\"numRecords\":4,\"nullCount\":{\"c\":2},\"minValues\":{\"c\":1},\"maxValues\":{\"c\":2}}";
    String loose = statistics.replace("{\"numRecords", "{\"tightBounds\":false,\"numRecords");

    assertThat(read("integer", add("f.parquet").statistics(statistics).inlineDeletes(0)).columns())
        .containsExactly(Map.entry(List.of("c"), new Facts("1", "2", null)));
    assertThat(read("integer", add("f.parquet").statistics(loose)).columns())
        .containsExactly(Map.entry(List.of("c"), new Facts("1", "2", null)));
  }

  @Test
  void statisticsThatAreNoJsonAreUnknown() {
    assertThat(read("integer", add("f.parquet").statistics("{oops")))
        .isEqualTo(DeltaStatistics.UNKNOWN);
    assertThat(read("integer", add("f.parquet").statistics(""))).isEqualTo(DeltaStatistics.UNKNOWN);
  }

  private DeltaStatistics read(String type, Add file) {
    DeltaFolder table = new DeltaFolder(scratch.resolve("t"));
    table.commit(
        0, protocol("timestampNtz", "deletionVectors"), metadata(schema(field("c", type))), file);
    return table.liveFiles().get(0).statistics();
  }
}
