package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.parquet.MatchOptions.ExtraColumns;
import dev.sluice.activities.parquet.MatchOptions.MissingColumns;
import dev.sluice.activities.parquet.ParquetRefusedException.Kind;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionTransform.Simple;
import dev.sluice.catalog.Partitioning;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** Matches files with columns, for tests of what a table takes. */
final class Matching {

  static final MatchOptions LENIENT =
      new MatchOptions(MissingColumns.READ_AS_DEFAULT, ExtraColumns.IGNORE);

  private Matching() {}

  static MatchResult match(
      Path file, MatchOptions options, DataProbe probe, ColumnSpec... columns) {
    return FileMatcher.forColumns(List.of(columns), List.of(), options, probe)
        .match(TestFiles.read(file), file.toString(), HivePath.parse(""));
  }

  static NewDataFile register(Path file, ColumnSpec... columns) {
    return register(file, MatchOptions.STRICT, DataProbe.NONE, columns);
  }

  static NewDataFile register(
      Path file, MatchOptions options, DataProbe probe, ColumnSpec... columns) {
    return ((MatchResult.Register) match(file, options, probe, columns)).file();
  }

  static void assertRefused(ThrowingCallable call, Kind kind, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ParquetRefusedException.class,
            refusal -> {
              assertThat(refusal.kind()).isEqualTo(kind);
              assertThat(refusal.getMessage()).startsWith(refusal.file() + ": ");
            })
        .hasMessageContaining(message);
  }

  static List<@Nullable String> bounds(NewDataFile file, String column) {
    return file.statistics().stream()
        .filter(statistics -> statistics.column().equals(List.of(column)))
        .findFirst()
        .map(statistics -> Arrays.asList(statistics.min(), statistics.max()))
        .orElseThrow();
  }

  static MappedField fromFile(String source, String target, MappedField... children) {
    return new MappedField(source, target, Origin.FILE_COLUMN, List.of(children));
  }

  static ColumnSpec list(String name, ColumnSpec element) {
    return ColumnSpec.nested(name, Nested.LIST, List.of(element));
  }

  static Column column(long id, String name, ColumnType type, Column... children) {
    return new Column(id, name, type, Nulls.ALLOWED, null, null, null, null, List.of(children));
  }

  static Table table(Column... columns) {
    return new Table(
        1,
        new UUID(0, 1),
        new TableName("main", "t"),
        "/lake/main/t/",
        List.of(columns),
        Partitioning.none());
  }

  static DataProbe nullsProbe(long nulls) {
    return new DataProbe() {
      @Override
      public OptionalLong nulls(ParquetFile file, String path, String column) {
        return OptionalLong.of(nulls);
      }

      @Override
      public Optional<List<@Nullable String>> distinct(
          ParquetFile file,
          String path,
          String column,
          ColumnType type,
          Simple transform,
          int limit) {
        return Optional.empty();
      }
    };
  }
}
