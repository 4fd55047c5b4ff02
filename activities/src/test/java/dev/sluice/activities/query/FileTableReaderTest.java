package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.query.TableFacts.Range;
import dev.sluice.activities.query.TableFacts.Wanted;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTableReaderTest {

  private static final List<ColumnSpec> COLUMNS =
      List.of(
          ColumnSpec.of("g", Scalar.INT64),
          ColumnSpec.of("f", Scalar.FLOAT64),
          ColumnSpec.of("at", Scalar.TIMESTAMP));

  @TempDir private static Path folder;
  private static FileTables files;

  @BeforeAll
  static void open() throws SQLException {
    files = new FileTables(folder);
  }

  @AfterAll
  static void close() throws SQLException {
    files.close();
  }

  @Test
  void factsAreThoseOfAllFilesWhateverTheBatches() throws SQLException {
    FileTable table =
        files.table(
            COLUMNS,
            "SELECT * FROM (VALUES (1, 'NaN'::DOUBLE, TIMESTAMP '2024-01-01 10:00:00'), (2, '-0.0', '2024-01-01 11:00:00')) t(g, f, \"at\")",
            "SELECT * FROM (VALUES (2::BIGINT, NULL::DOUBLE, TIMESTAMP '1969-12-31 10:00:00'), (NULL, -1.5, NULL)) t(g, f, \"at\")");

    for (FileTable each : List.of(table, FileTables.oneByOne(table))) {
      TableFacts facts = facts(each);
      assertThat(facts.rows()).isEqualTo(4);
      assertThat(facts.nulls()).isEqualTo(Map.of("g", 1L, "f", 1L, "at", 1L));
      assertThat(facts.ranges())
          .isEqualTo(
              Map.of(
                  "g", new Range("1", "2"),
                  "f", new Range("-1.5", "0.0"),
                  "at", new Range("1969-12-31 10:00:00", "2024-01-01 11:00:00")));
      assertThat(facts.distinct()).isEqualTo(Map.of("g", 2L, "f", 3L, "at", 3L));
      assertThat(facts.groups().get("at"))
          .isEqualTo(
              Map.of(
                  Optional.of("2024-01-01"),
                  2L,
                  Optional.of("1969-12-31"),
                  1L,
                  Optional.empty(),
                  1L));
    }
  }

  @Test
  void deletedRowsAreNotThere() throws SQLException {
    TableFile whole =
        files.file(
            "SELECT range AS g, 0.5::DOUBLE AS f, NULL::TIMESTAMP AS \"at\" FROM range(10)",
            COLUMNS);
    TableFile positions =
        files.file("SELECT '' AS file_path, unnest([0, 9])::BIGINT AS pos", List.of());
    TableFile file =
        new TableFile(
            whole.path(),
            whole.sizeBytes(),
            whole.rows(),
            whole.mapping(),
            Map.of(),
            List.of(new TableFile.DeleteFile(positions.path(), 2, positions.sizeBytes())),
            new TableFile.DeletedRows() {
              @Override
              public boolean isEmpty() {
                return false;
              }

              @Override
              public LongStream positions() {
                return LongStream.of(5, 9);
              }
            });

    TableFacts facts = facts(files.table(COLUMNS, List.of(file)));

    assertThat(facts.rows()).isEqualTo(7);
    assertThat(facts.ranges().get("g")).isEqualTo(new Range("1", "8"));
  }

  @Test
  void valuesBesideTheFileWinOverItAndItsPath() throws SQLException {
    TableFile whole = files.file("SELECT 1::BIGINT AS g, 2.5::DOUBLE AS f", COLUMNS);
    FileMapping mapping =
        new FileMapping.ByName(
            List.of(
                new MappedField("g", "g", Origin.FILE_COLUMN, List.of()),
                new MappedField("f", "f", Origin.FILE_COLUMN, List.of())));
    TableFile file =
        new TableFile(
            whole.path(),
            whole.sizeBytes(),
            1,
            mapping,
            Map.of("g", Optional.of("7"), "at", Optional.of("2024-02-29 12:00:00")),
            List.of(),
            TableFile.DeletedRows.NONE);
    TableFile withNull =
        new TableFile(
            whole.path(),
            whole.sizeBytes(),
            1,
            mapping,
            Map.of("g", Optional.empty()),
            List.of(),
            TableFile.DeletedRows.NONE);

    assertThat(facts(files.table(COLUMNS, List.of(file))).ranges())
        .isEqualTo(
            Map.of(
                "g", new Range("7", "7"),
                "f", new Range("2.5", "2.5"),
                "at", new Range("2024-02-29 12:00:00", "2024-02-29 12:00:00")));
    assertThat(facts(files.table(COLUMNS, List.of(withNull))).nulls())
        .isEqualTo(Map.of("g", 1L, "f", 0L, "at", 1L));
  }

  @Test
  void aTableWithoutFilesHasNoRows() throws SQLException {
    TableFacts facts = facts(files.table(COLUMNS, List.of()));

    assertThat(facts.rows()).isZero();
    assertThat(facts.ranges().get("g")).isEqualTo(new Range(null, null));
  }

  @Test
  void whatDuckDbCannotReadIsToldWithTheReason() throws SQLException {
    FileTable table =
        files.table(List.of(ColumnSpec.of("g", Scalar.INT64)), "SELECT 'no number' AS g");

    assertThatThrownBy(() -> facts(table))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("the files: DuckDB cannot read it as the table's columns")
        .hasMessageContaining("no number");
  }

  @Test
  void aCancelledReaderReadsNothingMore() throws SQLException {
    FileTable table = files.table(COLUMNS, "SELECT 1::BIGINT AS g, 1.0::DOUBLE AS f");
    try (FileTableReader reader = FileTableReader.open(table, files.limits())) {
      reader.cancel();

      assertThatThrownBy(() -> reader.read(wanted(table)))
          .isInstanceOfSatisfying(
              QueryException.class,
              e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.INTERRUPTED))
          .hasMessage("the files: reading it was interrupted; read it again");
    }
  }

  private static TableFacts facts(FileTable table) {
    try (FileTableReader reader = FileTableReader.open(table, files.limits())) {
      return reader.read(wanted(table));
    }
  }

  private static Wanted wanted(FileTable table) {
    List<Column> all = table.columns();
    return new Wanted(List.of(), all, all, all, all);
  }
}
