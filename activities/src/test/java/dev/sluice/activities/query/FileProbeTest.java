package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.parquet.FileSchema;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.PartitionTransform.Simple;
import dev.sluice.embedded.DuckLakeSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileProbeTest {

  @TempDir private Path folder;
  private Path file;
  private FileProbe probe;

  @BeforeEach
  void writeAFile() throws SQLException, IOException {
    Path odd = folder.resolve("p=odd");
    file = odd.resolve("it's [1].parquet");
    probe = new FileProbe(new LocalDataFiles(folder.resolve("links")));
    Files.createDirectory(odd);
    try (DuckLakeSession duckDb = DuckLakeSession.open(List.of())) {
      duckDb.execute(
          "COPY (SELECT * FROM (VALUES (1, 'a', TIMESTAMP '2023-12-31'), (NULL, 'a', TIMESTAMP"
              + " '2024-01-01')) t(x, \"p\", ts)) TO '"
              + file.toString().replace("'", "''")
              + "' (FORMAT parquet)");
    }
  }

  @Test
  @DisplayName("REG-15: NULLs are counted in the data where the footer does not count them")
  void reg15_nullsAreCountedInTheData() throws IOException {
    assertThat(probe.nulls(footer(), file.toString(), "x")).hasValue(1);
    assertThat(probe.nulls(footer(), file.toString(), "p")).hasValue(0);
  }

  @Test
  void distinctValuesComeFromTheFileAndNeverFromItsPath() throws IOException {
    assertThat(probe.distinct(footer(), file.toString(), "p", Scalar.VARCHAR, Simple.IDENTITY, 10))
        .contains(List.of("a"));
    assertThat(probe.distinct(footer(), file.toString(), "ts", Scalar.TIMESTAMP, Simple.YEAR, 10))
        .hasValueSatisfying(years -> assertThat(years).containsExactlyInAnyOrder("2023", "2024"));
    assertThat(probe.distinct(footer(), file.toString(), "ts", Scalar.TIMESTAMP, Simple.YEAR, 1))
        .hasValueSatisfying(years -> assertThat(years).hasSize(1));
    assertThat(probe.distinct(footer(), file.toString(), "x", Scalar.INT64, Simple.IDENTITY, 10))
        .hasValueSatisfying(values -> assertThat(values).containsExactlyInAnyOrder("1", null));
  }

  @Test
  void aFileThatDuckDbCannotReadIsNamed() throws IOException {
    ParquetFile footer = footer();
    Files.write(file, new byte[Math.toIntExact(footer.sizeBytes())]);

    assertThatThrownBy(() -> probe.nulls(footer, file.toString(), "x"))
        .isInstanceOf(QueryException.class)
        .hasMessageStartingWith("file " + file + ": DuckDB cannot read it;");
  }

  private ParquetFile footer() throws IOException {
    return new ParquetFile(
        file.toString(), Files.size(file), 1, 2, new FileSchema(List.of()), List.of());
  }
}
