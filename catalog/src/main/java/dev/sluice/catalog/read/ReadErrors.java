package dev.sluice.catalog.read;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Every user-visible error of this package: context, problem, reason, remedy. */
final class ReadErrors {

  private static final int NAMES_SHOWN = 5;

  private ReadErrors() {}

  static SnapshotNotFoundException noSnapshot(
      String lake, long id, Snapshot earliest, Snapshot latest) {
    return new SnapshotNotFoundException(
        "lake %s: snapshot %d does not exist; it was never made or has expired; %s"
            .formatted(lake, id, range(earliest, latest)));
  }

  static SnapshotNotFoundException noSnapshotAt(
      String lake, Instant time, Snapshot earliest, Snapshot latest) {
    return new SnapshotNotFoundException(
        "lake %s: there is no snapshot at %s; the earliest one that is kept is newer; %s"
            .formatted(lake, time, range(earliest, latest)));
  }

  static SnapshotNotFoundException noSnapshotSince(
      String lake, Instant time, Snapshot earliest, Snapshot latest) {
    return new SnapshotNotFoundException(
        "lake %s: there is no snapshot since %s; the latest one is older; %s"
            .formatted(lake, time, range(earliest, latest)));
  }

  static SnapshotNotFoundException noSnapshots(String lake) {
    return new SnapshotNotFoundException(
        ("lake %s: there is no snapshot at all; a lake always has one, so the catalog is damaged;"
                + " restore ducklake_snapshot from a backup")
            .formatted(lake));
  }

  static TableNotFoundException isView(TableName name, Snapshot snapshot) {
    return new TableNotFoundException(
        "table %s: is a view in snapshot %d; a view has no rows of its own; query it with SQL"
            .formatted(name, snapshot.id()));
  }

  static TableNotFoundException tableNotFound(
      TableName name, Snapshot snapshot, List<Table> tables) {
    String similar =
        tables.stream()
            .map(Table::name)
            .filter(candidate -> isSimilar(candidate, name))
            .limit(NAMES_SHOWN)
            .map(TableName::toString)
            .collect(Collectors.joining(", "));
    return new TableNotFoundException(
        "table %s: not in snapshot %d, which has %d tables; %s"
            .formatted(
                name,
                snapshot.id(),
                tables.size(),
                similar.isEmpty()
                    ? "check the name, or ask for another snapshot"
                    : "similar names: " + similar));
  }

  static UnreadableTableException puffin(TableName table, String path, String format) {
    return new UnreadableTableException(
        ("table %s: delete file %s has format '%s'; only parquet delete files are read, and leaving"
                + " it out would show deleted rows; rewrite the table's data files with DuckDB"
                + " (ducklake_rewrite_data_files) and switch write_deletion_vectors off")
            .formatted(table, path, format));
  }

  static UnreadableTableException encrypted(TableName table, String path) {
    return new UnreadableTableException(
        "table %s: file %s is encrypted; encrypted lakes are not read; use DuckDB for this lake"
            .formatted(table, path));
  }

  static UnreadableTableException fileFormat(TableName table, String path, String format) {
    return new UnreadableTableException(
        ("table %s: data file %s has format '%s'; only parquet is read; use the program that wrote"
                + " it")
            .formatted(table, path, format));
  }

  static UnreadableTableException missingNameMap(TableName table, String path, long mappingId) {
    return new UnreadableTableException(
        ("table %s: file %s refers to name map %d, which does not exist; without it columns would"
                + " be guessed; restore ducklake_name_mapping or register the file again")
            .formatted(table, path, mappingId));
  }

  static UnreadableTableException tablesKeepMissing(TableName table, int tries, Throwable cause) {
    return new UnreadableTableException(
        ("table %s: cannot be read; a table of the catalog was missing %d times in a row: another"
                + " program moves inlined rows away all the time, or the catalog is damaged; try"
                + " again, and if that does not help look at the cause")
            .formatted(table, tries),
        cause);
  }

  static InvalidPredicateException emptyRange(TableName table, long from, long to) {
    return new InvalidPredicateException(
        ("table %s: there are no snapshots from %d to %d; the first one has to be the older one;"
                + " swap them")
            .formatted(table, from, to));
  }

  static InvalidPredicateException noColumn(TableName table, List<String> path, List<Column> near) {
    return new InvalidPredicateException(
        "table %s: there is no column %s; the columns there are %s"
            .formatted(
                table,
                String.join(".", path),
                near.stream().map(Column::name).collect(Collectors.joining(", "))));
  }

  static InvalidPredicateException notComparable(
      TableName table, List<String> path, Column column) {
    return new InvalidPredicateException(
        ("table %s: column %s is a %s and cannot be compared with a literal; name a scalar column"
                + " or a field of a struct, or ask whether it is NULL")
            .formatted(table, String.join(".", path), column.type().text()));
  }

  private static boolean isSimilar(TableName candidate, TableName wanted) {
    String left = candidate.table().toLowerCase(Locale.ROOT);
    String right = wanted.table().toLowerCase(Locale.ROOT);
    return left.contains(right) || right.contains(left);
  }

  private static String range(Snapshot earliest, Snapshot latest) {
    return "the lake has snapshots %d (%s) to %d (%s): ask for one of these"
        .formatted(earliest.id(), earliest.time(), latest.id(), latest.time());
  }
}
