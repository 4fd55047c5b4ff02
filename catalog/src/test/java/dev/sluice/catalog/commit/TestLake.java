package dev.sluice.catalog.commit;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.IfExists;
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
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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
    return create(folder, CommitSettings.defaults());
  }

  static TestLake create(Path folder, CommitSettings settings) throws SQLException {
    DuckDbReferee.assumeAvailable();
    PostgresDatabase database =
        EmbeddedDatabase.shared()
            .newDatabase("lake", made -> Catalog.create(made.dataSource(), LAKE, folder + "/data"));
    // the one thing by which the template's lake differs from one that is made here
    tamper(
        database,
        "UPDATE ducklake_metadata SET value = '%s/data/' WHERE key = 'data_path'"
            .formatted(folder));
    return new TestLake(database, folder, Catalog.open(database.dataSource(), LAKE, settings));
  }

  /** A further DuckDB on the same lake. */
  DuckLakeSession attach() throws SQLException {
    return DuckLakeSession.open().attach(DuckLakeAttachment.existing(database));
  }

  /** A further DuckDB that keeps inserts and deletes of up to ten rows in the catalog. */
  DuckLakeSession attachInlining() throws SQLException {
    duck.execute("CALL lake.set_option('data_inlining_row_limit', '10')");
    return attach();
  }

  /** As {@link #file}, while the lake's own DuckDB has a transaction open. */
  NewDataFile fileByOther(String query) throws SQLException {
    try (DuckLakeSession other = DuckLakeSession.open()) {
      return file(other, query);
    }
  }

  /** Writes the query's rows as a Parquet file and describes it, with unknown statistics. */
  NewDataFile file(String query) throws SQLException {
    return file(duck, query);
  }

  private NewDataFile file(DuckLakeSession duck, String query) throws SQLException {
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

  /** The file with statistics of one column. */
  static NewDataFile with(NewDataFile file, LeafStatistics... statistics) {
    return new NewDataFile(
        file.path(),
        file.recordCount(),
        file.fileSizeBytes(),
        file.footerSize(),
        file.mapping(),
        file.partitionValues(),
        List.of(statistics));
  }

  /** Statistics of a column without NULLs. */
  static LeafStatistics bounds(
      String column, long values, @Nullable String min, @Nullable String max) {
    return new LeafStatistics(List.of(column), 10, values, 0L, min, max, null, null);
  }

  /** A schema and a table of the given columns. */
  void createTable(TableName name, ColumnSpec... columns) {
    commit(
        new Change.CreateSchema(name.schema(), IfExists.KEEP),
        new Change.CreateTable(name, List.of(columns), List.of(), IfExists.REFUSE));
  }

  CommitResult append(TableName name, NewDataFile... files) {
    return commit(new Change.AddDataFiles(new TableRef.ByName(name), List.of(files)));
  }

  /** A file that exists in the catalog only, for tests that never read it. */
  NewDataFile invented(String name, long rows, LeafStatistics... statistics) {
    return new NewDataFile(
        folder + "/data/in/" + name + ".parquet",
        rows,
        1000,
        100L,
        new FileMapping.ByFieldId(),
        List.of(),
        List.of(statistics));
  }

  /** PostgreSQL's answer as text, rows joined by blanks and lines. */
  String sql(String query) throws SQLException {
    return sql(database, query);
  }

  static String sql(PostgresDatabase database, String query) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      int columns = rows.getMetaData().getColumnCount();
      List<String> lines = new ArrayList<>();
      while (rows.next()) {
        List<String> cells = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          cells.add(String.valueOf(rows.getString(i)));
        }
        lines.add(String.join(" ", cells));
      }
      return String.join("\n", lines);
    }
  }

  /** A statement straight into the catalog's database, as a foreign writer would. */
  void tamper(String statementText) throws SQLException {
    tamper(database, statementText);
  }

  private static void tamper(PostgresDatabase database, String statementText) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(statementText);
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
