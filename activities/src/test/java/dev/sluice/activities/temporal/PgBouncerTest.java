package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.delta.DeltaActions;
import dev.sluice.activities.lake.CommitNote;
import dev.sluice.activities.lake.InsertRequest;
import dev.sluice.activities.lake.LakeTables;
import dev.sluice.activities.lake.RowCondition;
import dev.sluice.activities.lake.RowSource;
import dev.sluice.activities.lake.UpdateRequest;
import dev.sluice.activities.lake.UpsertRequest;
import dev.sluice.activities.lake.WriteSettings;
import dev.sluice.activities.query.LakeScanner;
import dev.sluice.activities.query.LocalDataFiles;
import dev.sluice.activities.query.ScanRequest;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PgBouncer;
import dev.sluice.embedded.PgBouncerProgram;
import dev.sluice.embedded.PostgresDatabase;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * CAT-09: worker, scans and writes reach both databases through a real pgbouncer in transaction
 * mode that has two sessions for each, so that a transaction of ours finds whatever session is
 * free.
 */
class PgBouncerTest {

  /** Beyond the five after which the driver would use a named statement. */
  private static final int REPEATS = 7;

  private static final int SESSIONS = 2;
  private static final int CONNECTIONS = 8;

  @TempDir private static Path scratch;
  private static PgBouncer pgBouncer;
  private static RegisterFixture path;

  @BeforeAll
  static void start() throws SQLException {
    DuckDbReferee.assumeAvailable();
    EmbeddedDatabase server = EmbeddedDatabase.shared();
    pgBouncer = PgBouncer.before(PgBouncerProgram.assumeAvailable(), server, SESSIONS);
    path =
        RegisterFixture.local(
            scratch,
            RegisterFixture.Faults.none(
                database -> pgBouncer.through(database).dataSource(CONNECTIONS)));
  }

  @AfterAll
  static void stop() throws SQLException {
    if (path != null) {
      path.close();
    }
    if (pgBouncer != null) {
      pgBouncer.close();
    }
  }

  @Test
  @DisplayName("CAT-09: generations are registered, swapped and read, several sources at a time")
  void cat09GenerationsAreRegisteredAndSwapped() throws Exception {
    List<Source> sources = List.of(path.newSource("a"), path.newSource("b"), path.newSource("c"));
    for (long generation = 1; generation <= REPEATS; generation++) {
      List<RegisterTrigger> triggers = new ArrayList<>();
      for (Source source : sources) {
        path.write(
            source,
            generation,
            "part.parquet",
            "SELECT range AS id, " + generation + " AS generation FROM range(3)");
        RegisterTrigger trigger = source.trigger(generation);
        path.start(trigger);
        triggers.add(trigger);
      }
      for (int i = 0; i < triggers.size(); i++) {
        assertThat(path.await(triggers.get(i)).status()).isEqualTo(RegisterStatus.COMPLETED);
        String live = Long.toString(generation);
        assertThat(path.scan(sources.get(i)))
            .containsExactlyInAnyOrder(List.of("0", live), List.of("1", live), List.of("2", live));
      }
    }
    assertNothingIsLeftInSessions(path.homeDatabase);
    assertNothingIsLeftInSessions(path.lakeDatabase);
  }

  @Test
  @DisplayName("CAT-09: Delta tables are copied")
  void cat09DeltaTablesAreCopied() throws Exception {
    DeltaSource delta = new DeltaSource(path, "pooled");
    for (int version = 0; version < REPEATS; version++) {
      DeltaActions.Add file =
          delta.file(version + ".parquet", 1, "SELECT " + version + "::INT AS id");
      if (version == 0) {
        delta
            .folder()
            .commit(
                version,
                DeltaActions.protocol(),
                DeltaActions.metadata(DeltaActions.schema(DeltaActions.field("id", "integer"))),
                file);
      } else {
        delta.folder().commit(version, file);
      }
      assertThat(delta.copy(version).status()).isEqualTo(RegisterStatus.COMPLETED);
    }
    assertThat(path.scan(delta.source())).hasSize(REPEATS);
    assertNothingIsLeftInSessions(path.lakeDatabase);
  }

  @Test
  @DisplayName("CAT-09: rows are written and read, each statement more than five times")
  void cat09RowsAreWrittenAndRead() throws Exception {
    TableName name = new TableName("by_hand", "t");
    create(name);
    LocalDataFiles files = new LocalDataFiles(scratch.resolve("write-links"));
    LakeTables tables =
        new LakeTables(
            path.catalog, path.lakeStore, files, WriteSettings.in(scratch.resolve("write")));
    LakeScanner scanner = new LakeScanner(path.catalog.reader(), files);
    for (int i = 1; i <= REPEATS; i++) {
      RowSource rows = new RowSource.Select("SELECT range AS k, 'new' AS v FROM range(10)");
      tables.insert(InsertRequest.of(name, rows));
      tables.update(UpdateRequest.of(name, Map.of("v", "'changed'"), RowCondition.sql("k < 5")));
      tables.upsert(
          UpsertRequest.of(
              name, new RowSource.Select("SELECT 100 AS k, 'round " + i + "' AS v"), List.of("k")));
      tables.delete(name, RowCondition.sql("k BETWEEN 5 AND 9"), CommitNote.NONE);

      Snapshot newest = path.catalog.reader().latest();
      assertThat(scanner.count(ScanRequest.all(name, newest))).isEqualTo(5L * i + 1);
    }
    assertNothingIsLeftInSessions(path.lakeDatabase);
  }

  @Test
  @DisplayName("CAT-09: a large plan, and a large result that is fetched in pieces")
  void cat09LargeResults() throws Exception {
    int count = 3000;
    TableName name = new TableName("large", "t");
    create(name);
    List<NewDataFile> files =
        LongStream.range(0, count)
            .mapToObj(
                i ->
                    new NewDataFile(
                        path.lakeRoot.uri() + "/large/t/" + i + ".parquet",
                        1,
                        500,
                        200L,
                        new FileMapping.ByFieldId(),
                        List.of(),
                        List.of()))
            .toList();
    path.catalog.commit(
        CommitRequest.of(
            "many files",
            new Base.Newest(),
            List.of(new Change.AddDataFiles(TableRef.name("large", "t"), files))));

    Snapshot newest = path.catalog.reader().latest();
    assertThat(
            path.catalog
                .reader()
                .plan(newest, path.catalog.reader().view(newest).table(name), Predicate.all())
                .files())
        .hasSize(count);
    try (HikariDataSource pool = pgBouncer.through(path.lakeDatabase).dataSource(1);
        Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(100);
      int rows = 0;
      try (ResultSet result = statement.executeQuery("SELECT path FROM ducklake_data_file")) {
        while (result.next()) {
          rows++;
        }
      }
      connection.rollback();
      assertThat(rows).isGreaterThanOrEqualTo(count);
    }
  }

  private static void create(TableName name) {
    path.catalog.commit(
        CommitRequest.of(
            "create",
            new Base.Newest(),
            List.of(
                new Change.CreateSchema(name.schema(), IfExists.KEEP),
                new Change.CreateTable(
                    name,
                    List.of(ColumnSpec.of("k", Scalar.INT64), ColumnSpec.of("v", Scalar.VARCHAR)),
                    List.of(),
                    IfExists.REFUSE))));
  }

  /** Both sessions of a database, each held by an open transaction. */
  private static void assertNothingIsLeftInSessions(PostgresDatabase database) throws SQLException {
    PostgresDatabase pooled = pgBouncer.through(database);
    try (Connection one = pooled.connect();
        Connection other = pooled.connect()) {
      one.setAutoCommit(false);
      other.setAutoCommit(false);
      assertThat(leftInSession(one)).isEmpty();
      assertThat(leftInSession(other)).isEmpty();
      assertThat(text(one, "SELECT pg_backend_pid()"))
          .isNotEqualTo(text(other, "SELECT pg_backend_pid()"));
      one.rollback();
      other.rollback();
    }
  }

  /** What pgbouncer carries over by itself does not count. */
  private static List<String> leftInSession(Connection connection) throws SQLException {
    return text(
        connection,
        """
        SELECT 'statement ' || name FROM pg_prepared_statements
        UNION ALL SELECT 'lock ' || mode FROM pg_locks
         WHERE locktype = 'advisory' AND pid = pg_backend_pid()
        UNION ALL SELECT 'table ' || relname FROM pg_class
         WHERE relpersistence = 't' AND pg_my_temp_schema() = relnamespace
        UNION ALL SELECT 'setting ' || name FROM pg_settings WHERE source = 'session'
          AND lower(name) NOT IN ('client_encoding', 'datestyle', 'timezone',
            'standard_conforming_strings', 'application_name', 'transaction_isolation',
            'transaction_read_only', 'transaction_deferrable')
        """);
  }

  private static List<String> text(Connection connection, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        texts.add(result.getString(1));
      }
    }
    return texts;
  }
}
