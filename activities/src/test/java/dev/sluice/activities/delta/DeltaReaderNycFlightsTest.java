package dev.sluice.activities.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.catalog.ColumnType.Scalar;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables that delta-rs wrote, where they are at hand. */
class DeltaReaderNycFlightsTest {

  private static final String FLIGHTS =
      "team_1_nycflights_0198c5b0_3a10_7c44_9d0e_6f2b8a1c4e01/flights";

  @ParameterizedTest
  @CsvSource({"0, 166158", "1, 336776", "2, 336255", "3, 337031"})
  void everyVersionHasItsRows(long version, long rows) {
    DeltaSnapshot snapshot = flights().table().snapshot(OptionalLong.of(version));

    assertThat(snapshot.partitionColumns()).containsExactly("year", "month");
    assertThat(DeltaFolder.liveFiles(snapshot))
        .allSatisfy(
            file -> {
              assertThat(file.partitionValues()).containsEntry("year", "2013");
              assertThat(flights().store().head(file.key()).sizeBytes())
                  .isEqualTo(file.sizeBytes());
            });
    assertThat(
            DeltaFolder.liveFiles(snapshot).stream()
                .mapToLong(file -> Objects.requireNonNull(file.liveRecords()))
                .sum())
        .isEqualTo(rows);
  }

  @Test
  void theNewestVersionHasTheAddedColumn() {
    assertThat(flights().table().latestVersion()).isEqualTo(3);
    assertThat(flights().latest().columns())
        .hasSize(1 + flights().table().snapshot(OptionalLong.of(2)).columns().size());
    assertThat(flights().latest().columns())
        .filteredOn(column -> column.name().equals("month"))
        .extracting(DeltaColumn::type)
        .isSubsetOf(Scalar.INT8, Scalar.INT16, Scalar.INT32, Scalar.INT64);
  }

  private static DeltaFolder flights() {
    Path folder = shared().resolve("data/nycflights/source").resolve(FLIGHTS);
    assumeThat(folder).as("the shared flights data is not here").isDirectory();
    return new DeltaFolder(folder);
  }

  private static Path shared() {
    String named = System.getenv("SLUICE_SHARED");
    return named == null
        ? Path.of("").toAbsolutePath().resolve("../../shared").normalize()
        : Path.of(named);
  }
}
