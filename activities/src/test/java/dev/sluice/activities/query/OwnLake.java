package dev.sluice.activities.query;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitResult;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A lake in a local folder that we write and that DuckDB and our own scan both read. */
final class OwnLake implements AutoCloseable {

  final PostgresDatabase database;
  final Path folder;
  final DuckLakeSession duckDb;
  private Catalog catalog;

  private OwnLake(PostgresDatabase database, Path folder, Catalog catalog) throws SQLException {
    this.database = database;
    this.folder = folder;
    this.catalog = catalog;
    this.duckDb = attach();
  }

  static OwnLake create(Path folder) throws SQLException {
    DuckDbReferee.assumeAvailable();
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    return new OwnLake(
        database, folder, Catalog.create(database.dataSource(), "public", folder + "/data"));
  }

  /** A further DuckDB on the lake. */
  DuckLakeSession attach() throws SQLException {
    return DuckLakeSession.open().attach(DuckLakeAttachment.existing(database));
  }

  Catalog catalog() {
    return catalog;
  }

  /** The lake as a process sees it that opens it now. */
  void reopen() {
    catalog = Catalog.open(database.dataSource(), "public");
  }

  LakeScanner scanner() {
    return new LakeScanner(catalog.reader(), new LocalDataFiles(folder.resolve("links")));
  }

  CommitResult commit(Change... changes) {
    return catalog.commit(CommitRequest.of("test", new Base.Newest(), List.of(changes)));
  }

  void createTable(TableName name, ColumnSpec... columns) {
    commit(
        new Change.CreateSchema(name.schema(), IfExists.KEEP),
        new Change.CreateTable(name, List.of(columns), List.of(), IfExists.REFUSE));
  }

  static Change.ReplaceContent publish(
      TableName name, List<ColumnSpec> columns, NewDataFile... files) {
    return new Change.ReplaceContent(
        name, columns, List.of(), List.of(files), SchemaPolicy.SYNC, ForeignContent.REFUSE, null);
  }

  /** Writes a query's rows beside the tables' own folders. */
  NewDataFile file(String query) throws SQLException {
    return file(folder.resolve("data/in/" + UUID.randomUUID() + ".parquet"), query);
  }

  /** Writes a query's rows of flat columns. */
  NewDataFile file(Path path, String query) throws SQLException {
    try {
      Files.createDirectories(path.getParent());
      duckDb.execute("COPY (%s) TO '%s' (FORMAT parquet)".formatted(query, path));
      List<MappedField> fields =
          duckDb.columns("SELECT * FROM '%s'".formatted(path)).stream()
              .map(name -> new MappedField(name, name, Origin.FILE_COLUMN, List.of()))
              .toList();
      long rows =
          Long.parseLong(
              String.valueOf(duckDb.valueText("SELECT count(*) FROM '%s'".formatted(path))));
      return new NewDataFile(
          path.toString(),
          rows,
          Files.size(path),
          null,
          new FileMapping.ByName(fields),
          List.of(),
          List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All rows of a request by our own scan. */
  List<List<@Nullable String>> scan(ScanRequest request) {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (ScanRows scan = scanner().scan(request)) {
      while (scan.next()) {
        rows.add(scan.row());
      }
    }
    return rows;
  }

  /** All rows of a table now, by our own scan. */
  List<List<@Nullable String>> scan(TableName name) {
    return scan(ScanRequest.all(name, catalog.reader().latest()));
  }

  @Override
  public void close() throws SQLException {
    duckDb.close();
  }
}
