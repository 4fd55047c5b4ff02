package dev.sluice.activities.parquet;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The columns of a table that holds a set of files: a union by name without regard to case, in the
 * order of first appearance, with the partition columns of the paths after those of the files.
 *
 * <p>Where files disagree on a type, the column gets the narrowest type that accepts both; DuckDB's
 * union would go further (numbers to text), but such a column would refuse one of the files.
 */
public final class SchemaInference {

  private static final Pattern BIGINT = Pattern.compile("0|-?[1-9]\\d{0,17}");
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Pattern TIMESTAMP =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?");

  private SchemaInference() {}

  /** What type a column that only the paths have gets. */
  public enum HiveTypes {
    /**
     * BIGINT, DATE or TIMESTAMP where every value is one, as DuckDB detects them, else VARCHAR. The
     * type belongs to the values at hand: a later generation with other values may get another one,
     * which is safe where a publication may change the table's columns. Spellings that would change
     * on the way (leading zeros, signs, blanks) stay VARCHAR.
     */
    DETECT,
    /** Always VARCHAR, for tables whose column types may never change. */
    VARCHAR
  }

  /** A file and what its path says. */
  public record Source(ParquetFile file, HivePath hive) {}

  /**
   * What was found.
   *
   * @param columns nullable columns without defaults
   * @param partitioning the path's keys in order of first appearance, by identity
   */
  public record Inferred(List<ColumnSpec> columns, List<PartitionKey> partitioning) {

    /** Copies the lists. */
    public Inferred {
      columns = List.copyOf(columns);
      partitioning = List.copyOf(partitioning);
    }
  }

  /**
   * Infers the columns of all files, those without rows included.
   *
   * @throws ParquetRefusedException if types conflict, a column cannot be registered, or the files
   *     are not laid out by the same keys
   */
  public static Inferred infer(List<Source> sources, HiveTypes hiveTypes) {
    return infer(sources, hiveTypes, Set.of());
  }

  /**
   * Infers the columns of all files, where some folders are known to be no columns.
   *
   * @param noColumns folder names in lower case that make no column unless a file has one so called
   * @throws ParquetRefusedException as the shorter form
   */
  public static Inferred infer(List<Source> sources, HiveTypes hiveTypes, Set<String> noColumns) {
    Map<String, UnionColumn> columns = new LinkedHashMap<>();
    FileSchema previous = null;
    for (Source source : sources) {
      // equal schemas are one object, and a schema united twice changes nothing
      if (!source.file().schema().equals(previous)) {
        UnionColumn.addAll(columns, source.file(), source.file().schema().fields(), "");
        previous = source.file().schema();
      }
    }
    List<ColumnSpec> specs = new ArrayList<>();
    columns.values().forEach(column -> specs.add(column.spec()));
    List<PartitionKey> keys = new ArrayList<>();
    for (PathColumn column : pathColumns(sources)) {
      UnionColumn inFiles = columns.get(ColumnMatcher.lower(column.name()));
      if (inFiles == null && noColumns.contains(ColumnMatcher.lower(column.name()))) {
        continue;
      }
      if (inFiles == null) {
        specs.add(
            new ColumnSpec(column.name(), column.type(hiveTypes), Nulls.ALLOWED, null, List.of()));
      }
      keys.add(PartitionKey.identity(inFiles == null ? column.name() : inFiles.name()));
    }
    return new Inferred(specs, keys);
  }

  private record PathColumn(String name, List<HivePath.Entry> entries) {

    ColumnType type(HiveTypes types) {
      return switch (types) {
        case VARCHAR -> Scalar.VARCHAR;
        case DETECT -> detected();
      };
    }

    private ColumnType detected() {
      List<String> values =
          entries.stream()
              .filter(entry -> !entry.isNull(Scalar.VARCHAR))
              .map(HivePath.Entry::text)
              .toList();
      if (values.isEmpty()) {
        return Scalar.VARCHAR;
      }
      if (all(values, DATE, Scalar.DATE)) {
        return Scalar.DATE;
      }
      if (all(values, TIMESTAMP, Scalar.TIMESTAMP)) {
        return Scalar.TIMESTAMP;
      }
      return all(values, BIGINT, Scalar.INT64) ? Scalar.INT64 : Scalar.VARCHAR;
    }

    private static boolean all(List<String> values, Pattern pattern, ColumnType type) {
      return values.stream()
          .allMatch(
              value -> pattern.matcher(value).matches() && PathValue.cast(value, type) != null);
    }
  }

  /** DuckDB refuses a set of files that is not laid out by the same keys throughout. */
  private static List<PathColumn> pathColumns(List<Source> sources) {
    Map<String, PathColumn> columns = new LinkedHashMap<>();
    for (Source source : sources) {
      for (HivePath.Entry entry : source.hive().entries()) {
        columns
            .computeIfAbsent(
                ColumnMatcher.lower(entry.name()),
                name -> new PathColumn(entry.name(), new ArrayList<>()))
            .entries()
            .add(entry);
      }
    }
    for (PathColumn column : columns.values()) {
      if (column.entries().size() < sources.size()) {
        throw ParquetErrors.pathKeyMissing(
            without(sources, column.name()).file().key(),
            column.name(),
            with(sources, column.name()).file().key());
      }
    }
    return List.copyOf(columns.values());
  }

  private static Source without(List<Source> sources, String column) {
    return sources.stream()
        .filter(source -> source.hive().find(column).isEmpty())
        .findFirst()
        .orElseThrow();
  }

  private static Source with(List<Source> sources, String column) {
    return sources.stream()
        .filter(source -> source.hive().find(column).isPresent())
        .findFirst()
        .orElseThrow();
  }
}
