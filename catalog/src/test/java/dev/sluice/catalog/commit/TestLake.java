package dev.sluice.catalog.commit;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.catalog.commit.CommitRequest.Base;
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
import java.util.List;
import java.util.UUID;

/** A fresh lake with a DuckDB attached to it, and files made by that DuckDB. */
final class TestLake implements AutoCloseable {

  static final String LAKE = "public";

  final PostgresDatabase database;
  final Path folder;
  final Catalog catalog;
  final DuckLakeSession duck;

  private TestLake(PostgresDatabase database, Path folder, Catalog catalog) throws SQLException {
    this.database = database;
    this.folder = folder;
    this.catalog = catalog;
    this.duck = attach();
  }

  static TestLake create(Path folder) throws SQLException {
    DuckDbReferee.assumeAvailable();
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    Catalog catalog = Catalog.create(database.dataSource(), LAKE, folder + "/data");
    return new TestLake(database, folder, catalog);
  }

  /** A further DuckDB on the same lake. */
  DuckLakeSession attach() throws SQLException {
    return DuckLakeSession.open().attach(DuckLakeAttachment.existing(database));
  }

  /** Writes the query's rows as a Parquet file and describes it, with unknown statistics. */
  NewDataFile file(String query) throws SQLException {
    Path path = folder.resolve("data/in/" + UUID.randomUUID() + ".parquet");
    try {
      Files.createDirectories(path.getParent());
      duck.execute("COPY (%s) TO '%s' (FORMAT parquet)".formatted(query, path));
      long rows =
          Long.parseLong(
              String.valueOf(duck.valueText("SELECT count(*) FROM '%s'".formatted(path))));
      List<MappedField> fields =
          duck.columns("SELECT * FROM '%s'".formatted(path)).stream()
              .map(name -> new MappedField(name, name, Origin.FILE_COLUMN, List.of()))
              .toList();
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

  CommitResult commit(Change... changes) {
    return catalog.commit(CommitRequest.of("test", new Base.Newest(), List.of(changes)));
  }

  static Change.ReplaceContent publish(
      TableName name, List<ColumnSpec> columns, NewDataFile... files) {
    return new Change.ReplaceContent(
        name, columns, List.of(), List.of(files), SchemaPolicy.SYNC, ForeignContent.REFUSE, null);
  }

  /** DuckDB's answer as text, rows joined by blanks and lines. */
  String ask(String sql) throws SQLException {
    return duck.queryText(sql).stream()
        .map(row -> String.join(" ", row.stream().map(String::valueOf).toList()))
        .reduce((one, other) -> one + "\n" + other)
        .orElse("");
  }

  @Override
  public void close() throws SQLException {
    duck.close();
  }
}
