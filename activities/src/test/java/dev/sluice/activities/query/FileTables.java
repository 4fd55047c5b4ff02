package dev.sluice.activities.query;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.embedded.DuckLakeSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes Parquet files and reads them as a table that is only files. */
final class FileTables implements AutoCloseable {

  private static final long MEMORY_BYTES = 256L << 20;

  private final Path folder;
  private final DuckLakeSession duckDb;
  private final AtomicInteger number = new AtomicInteger();

  FileTables(Path folder) throws SQLException {
    this.folder = folder;
    this.duckDb = DuckLakeSession.open(List.of());
  }

  EngineLimits limits() {
    return new EngineLimits(MEMORY_BYTES, folder.resolve("spill"));
  }

  /** Writes one file; its rows are counted by DuckDB. */
  TableFile file(String select, List<ColumnSpec> columns) throws SQLException {
    Path path = folder.resolve("file-" + number.incrementAndGet() + ".parquet");
    duckDb.execute("COPY (" + select + ") TO '" + path + "' (FORMAT parquet)");
    long rows =
        (Long) duckDb.query("SELECT count(*) FROM read_parquet('" + path + "')").get(0).get(0);
    return new TableFile(path.toString(), size(path), rows, byName(columns));
  }

  private static long size(Path path) {
    try {
      return Files.size(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A table of files. */
  FileTable table(List<ColumnSpec> columns, List<TableFile> files) {
    return new FileTable(
        "the files",
        FileTable.numbered(columns, List.of()),
        files,
        new LocalDataFiles(folder.resolve("links")));
  }

  /** A table of what each SELECT gives. */
  FileTable table(List<ColumnSpec> columns, String... selects) throws SQLException {
    List<TableFile> files = new ArrayList<>();
    for (String select : selects) {
      files.add(file(select, columns));
    }
    return table(columns, files);
  }

  /** The same table, read in batches of a file each. */
  static FileTable oneByOne(FileTable table) {
    DataFiles all = table.access();
    return new FileTable(
        table.name(),
        table.columns(),
        table.files(),
        new DataFiles() {
          @Override
          public Lease lease(Collection<WantedFile> files) {
            return all.lease(files);
          }

          @Override
          public long leaseBytes() {
            return 1;
          }
        });
  }

  private static FileMapping byName(List<ColumnSpec> columns) {
    return new FileMapping.ByName(columns.stream().map(FileTables::mapped).toList());
  }

  private static MappedField mapped(ColumnSpec column) {
    return new MappedField(
        column.name(),
        column.name(),
        Origin.FILE_COLUMN,
        column.children().stream()
            .map(
                child ->
                    column.type() == Nested.LIST
                        ? new MappedField(
                            "list", child.name(), Origin.FILE_COLUMN, mapped(child).children())
                        : mapped(child))
            .toList());
  }

  @Override
  public void close() throws SQLException {
    duckDb.close();
  }
}
