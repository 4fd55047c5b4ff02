package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * A table that is only files: what DuckDB needs to read it without any catalog. One side of a
 * comparison, be it what a source has or what is about to be registered.
 *
 * @param name how errors call it
 * @param columns its columns; ids tell them apart and mean field ids only to files that are mapped
 *     so
 * @param files its files
 * @param access where they lie
 */
public record FileTable(
    String name, List<Column> columns, List<TableFile> files, DataFiles access) {

  /** Copies the lists. */
  public FileTable {
    columns = List.copyOf(columns);
    files = List.copyOf(files);
  }

  /** Rows of all files, deleted ones included. */
  public long rows() {
    return files.stream().mapToLong(TableFile::rows).sum();
  }

  /**
   * Gives columns ids: those of the live columns of the same name, new ones to the others.
   *
   * @param live columns of the table as it is; empty when it does not exist
   */
  public static List<Column> numbered(List<ColumnSpec> columns, List<Column> live) {
    AtomicLong last = new AtomicLong(live.stream().flatMapToLong(FileTable::ids).max().orElse(0));
    return numbered(columns, live, last);
  }

  private static List<Column> numbered(
      List<ColumnSpec> columns, List<Column> live, AtomicLong last) {
    List<Column> numbered = new ArrayList<>();
    for (ColumnSpec column : columns) {
      Optional<Column> known = live.stream().filter(each -> sameName(each, column)).findFirst();
      long id = known.map(Column::id).orElseGet(last::incrementAndGet);
      numbered.add(
          new Column(
              id,
              column.name(),
              column.type(),
              column.nulls(),
              column.initialDefault(),
              null,
              null,
              null,
              numbered(column.children(), known.map(Column::children).orElse(List.of()), last)));
    }
    return List.copyOf(numbered);
  }

  private static boolean sameName(Column live, ColumnSpec column) {
    return live.name().toLowerCase(Locale.ROOT).equals(column.name().toLowerCase(Locale.ROOT));
  }

  private static LongStream ids(Column column) {
    return LongStream.concat(
        LongStream.of(column.id()), column.children().stream().flatMapToLong(FileTable::ids));
  }
}
