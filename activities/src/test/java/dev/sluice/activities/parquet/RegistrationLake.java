package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lake into which matched files are committed; DuckDB and our own scan have to agree on them. */
final class RegistrationLake implements AutoCloseable {

  private final Path folder;
  private final DuckLakeSession duckDb;
  private final Catalog lake;
  private final CatalogReader catalog;
  private final LakeScanner scanner;
  private int round;

  private RegistrationLake(Catalog lake, Path folder, DuckLakeSession duckDb) {
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
    return new RegistrationLake(lake, folder, duckDb);
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
