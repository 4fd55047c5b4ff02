package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.query.LakeScanner;
import dev.sluice.activities.query.LocalDataFiles;
import dev.sluice.activities.query.ScanRequest;
import dev.sluice.activities.query.ScanRows;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.Predicate.Operator;
import dev.sluice.embedded.CatalogDump;
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
import org.jspecify.annotations.Nullable;

/** A lake into which matched files are committed; DuckDB and our own scan have to agree on them. */
final class RegistrationLake implements AutoCloseable {

  private final Path folder;
  private final PostgresDatabase database;
  private final DuckLakeSession duckDb;
  private final Catalog lake;
  private final CatalogReader catalog;
  private final LakeScanner scanner;
  private int round;

  private RegistrationLake(
      PostgresDatabase database, Catalog lake, Path folder, DuckLakeSession duckDb) {
    this.database = database;
    this.lake = lake;
    this.folder = folder;
    this.duckDb = duckDb;
    this.catalog = lake.reader();
    this.scanner = new LakeScanner(catalog, new LocalDataFiles(folder.resolve("links")));
  }

  static RegistrationLake create(Path folder) throws SQLException {
    DuckDbReferee.assumeAvailable();
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    Catalog lake = Catalog.create(database.dataSource(), "public", folder.resolve("lake") + "/");
    DuckLakeSession duckDb = DuckLakeSession.open();
    duckDb.attach(DuckLakeAttachment.existing(database));
    return new RegistrationLake(database, lake, folder, duckDb);
  }

  /** Drops all tables; files are made in a folder of their own from now on. */
  void startAfresh() throws SQLException {
    for (Table table : catalog.view(catalog.latest()).tables()) {
      run("DROP TABLE \"" + table.name().table() + "\"");
    }
    round++;
  }

  /** Runs statements in DuckDB, each a transaction of its own. */
  void run(String... statements) throws SQLException {
    for (String statement : statements) {
      duckDb.execute(statement);
    }
  }

  /** Where a file of a relative path is to be written. */
  Path file(String path) {
    return folder.resolve("files").resolve(Integer.toString(round)).resolve(path);
  }

  Table table(String name) {
    return catalog.view(catalog.latest()).table(new TableName("main", name));
  }

  /** Matches files with a table and registers those that have rows. */
  void register(String table, MatchOptions options, String... paths) {
    Table target = table(table);
    FileMatcher matcher = FileMatcher.forTable(target, options, DataProbe.NONE);
    List<NewDataFile> files = new ArrayList<>();
    for (String path : paths) {
      Path file = file(path);
      MatchResult result =
          matcher.match(TestFiles.read(file), file.toString(), HivePath.parse(path));
      if (result instanceof MatchResult.Register(NewDataFile registered)) {
        files.add(registered);
      }
    }
    lake.commit(
        CommitRequest.of(
            "register into " + table,
            new Base.PlannedOn(catalog.latest().id()),
            List.of(new Change.AddDataFiles(TableRef.id(target.id()), files))));
  }

  void register(String table, String... paths) {
    register(table, MatchOptions.STRICT, paths);
  }

  /**
   * A strict table does not take these files: the refusal names the first of them, and the lake and
   * the files are as they were.
   */
  void assertRefused(String table, String message, String... paths) throws SQLException {
    CatalogDump before = CatalogDump.of(database);
    List<byte[]> contents = contents(paths);

    assertThatThrownBy(() -> register(table, paths))
        .isInstanceOf(ParquetRefusedException.class)
        .hasMessageStartingWith(file(paths[0]) + ": " + message);

    assertThat(CatalogDump.of(database).differences(before)).isEmpty();
    assertThat(contents(paths)).usingRecursiveComparison().isEqualTo(contents);
  }

  private List<byte[]> contents(String... paths) {
    List<byte[]> contents = new ArrayList<>();
    for (String path : paths) {
      try {
        contents.add(Files.readAllBytes(file(path)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return contents;
  }

  /** The stored bounds of a column, one file after the other, each {@code min..max}. */
  void assertStoredBounds(String table, String column, String... bounds) throws SQLException {
    assertThat(
            stored(
                "SELECT coalesce(min_value, 'NULL') || '..' || coalesce(max_value, 'NULL') FROM"
                    + " ducklake_file_column_stats JOIN ducklake_column USING (table_id, column_id)"
                    + " JOIN ducklake_data_file USING (table_id, data_file_id) WHERE table_id = %d"
                    + " AND column_name = '%s' ORDER BY data_file_id",
                table, column))
        .containsExactly(bounds);
  }

  /** The stored partition values, one file after the other, each {@code key index=value}. */
  void assertStoredPartitionValues(String table, String... values) throws SQLException {
    assertThat(
            stored(
                "SELECT partition_key_index || '=' || coalesce(partition_value, 'NULL') FROM"
                    + " ducklake_file_partition_value WHERE table_id = %d ORDER BY data_file_id,"
                    + " partition_key_index",
                table))
        .containsExactly(values);
  }

  /** The first column of a query on the catalog, into which the table's id and more is put. */
  List<String> stored(String query, String table, Object... more) throws SQLException {
    List<Object> arguments = new ArrayList<>();
    arguments.add(table(table).id());
    arguments.addAll(List.of(more));
    List<String> values = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query.formatted(arguments.toArray()))) {
      while (rows.next()) {
        values.add(String.valueOf(rows.getString(1)));
      }
    }
    return values;
  }

  /** All rows by our own scan. */
  List<List<@Nullable String>> scanned(String table) {
    return scan(table, Predicate.all());
  }

  /** Makes a table of the columns inferred from files, partitioned by their paths. */
  void createFrom(String table, String... paths) {
    List<SchemaInference.Source> sources = new ArrayList<>();
    for (String path : paths) {
      sources.add(new SchemaInference.Source(TestFiles.read(file(path)), HivePath.parse(path)));
    }
    SchemaInference.Inferred inferred =
        SchemaInference.infer(sources, SchemaInference.HiveTypes.DETECT);
    FileMatcher matcher =
        FileMatcher.forColumns(
            inferred.columns(), inferred.partitioning(), MatchOptions.STRICT, DataProbe.NONE);
    List<NewDataFile> files = new ArrayList<>();
    for (SchemaInference.Source source : sources) {
      MatchResult result = matcher.match(source.file(), source.file().key(), source.hive());
      if (result instanceof MatchResult.Register(NewDataFile registered)) {
        files.add(registered);
      }
    }
    lake.commit(
        CommitRequest.of(
            "create " + table,
            new Base.PlannedOn(catalog.latest().id()),
            List.of(
                new Change.CreateTable(
                    new TableName("main", table),
                    inferred.columns(),
                    inferred.partitioning(),
                    Change.IfExists.REFUSE),
                new Change.AddDataFiles(TableRef.name("main", table), files))));
  }

  /** The newest snapshot's id. */
  long latestSnapshot() {
    return catalog.latest().id();
  }

  /** Both readers return these rows, values as DuckDB's text joined by a bar. */
  void assertRows(String table, String... rows) throws SQLException {
    assertThat(joined(duckDb.queryText("SELECT * FROM " + table)))
        .as("rows of DuckDB")
        .containsExactlyInAnyOrder(rows);
    assertThat(joined(scan(table, Predicate.all())))
        .as("rows of our scan")
        .containsExactlyInAnyOrder(rows);
    assertThat(duckDb.valueText("SELECT count(*) FROM " + table))
        .isEqualTo(Integer.toString(rows.length));
  }

  /** Both readers find this many rows. */
  void assertFinds(int rows, String table, String column, Operator operator, String value)
      throws SQLException {
    Column target =
        table(table).columns().stream()
            .filter(candidate -> candidate.name().equals(column))
            .findFirst()
            .orElseThrow();
    String condition = "\"%s\" %s '%s'".formatted(column, operator.sql(), value.replace("'", "''"));
    assertThat(duckDb.queryText("SELECT * FROM " + table + " WHERE " + condition))
        .as("DuckDB, " + condition)
        .hasSize(rows);
    assertThat(scan(table, Predicate.compare(column, operator, new Literal(target.type(), value))))
        .as("our scan, " + condition)
        .hasSize(rows);
  }

  /** Both readers find this many NULLs. */
  void assertFindsNulls(int rows, String table, String column) throws SQLException {
    assertThat(duckDb.queryText("SELECT * FROM " + table + " WHERE \"" + column + "\" IS NULL"))
        .hasSize(rows);
    assertThat(scan(table, new Predicate.IsNull(List.of(column)))).hasSize(rows);
  }

  /** What DuckDB answers, as text. */
  @Nullable String ask(String sql) throws SQLException {
    return duckDb.valueText(sql);
  }

  /** How many files a plan of ours would read. */
  int plannedFiles(String table, String column, Operator operator, String value) {
    Table target = table(table);
    Literal literal =
        new Literal(
            target.columns().stream()
                .filter(candidate -> candidate.name().equals(column))
                .findFirst()
                .orElseThrow()
                .type(),
            value);
    return catalog
        .plan(catalog.latest(), target, Predicate.compare(column, operator, literal))
        .files()
        .size();
  }

  private List<List<@Nullable String>> scan(String table, Predicate predicate) {
    List<List<@Nullable String>> rows = new ArrayList<>();
    ScanRequest request =
        ScanRequest.all(new TableName("main", table), catalog.latest()).where(predicate);
    try (ScanRows scan = scanner.scan(request)) {
      while (scan.next()) {
        rows.add(scan.row());
      }
    }
    return rows;
  }

  private static List<String> joined(List<List<@Nullable String>> rows) {
    List<String> joined = new ArrayList<>();
    for (List<@Nullable String> row : rows) {
      List<String> shown = new ArrayList<>();
      row.forEach(value -> shown.add(value == null ? "NULL" : value));
      joined.add(String.join("|", shown));
    }
    return joined;
  }

  @Override
  public void close() throws SQLException {
    duckDb.close();
  }
}
