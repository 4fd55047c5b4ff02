package dev.sluice.catalog.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.catalog.error.CatalogUnavailableException;
import dev.sluice.catalog.error.LakeRefusedException;
import dev.sluice.catalog.read.Predicate.Operator;
import dev.sluice.embedded.ConnectionCutter;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Writer bug 29: a catalog that cannot be read is an error of a known kind in every method of the
 * reader, and never an answer that looks like an empty lake or table.
 */
class ReadFailureTest {

  private static final TableName NAME = new TableName("s", "t");

  @TempDir private Path folder;
  private PostgresDatabase database;
  private Snapshot latest;
  private Table table;

  /** A lake in which every method has something to answer. */
  @BeforeEach
  void createLake() {
    database = EmbeddedDatabase.shared().newDatabase();
    Catalog lake = Catalog.create(database.dataSource(), "public", folder + "/lake");
    PartitionKey key = PartitionKey.identity("p");
    commit(
        lake,
        new Change.CreateSchema("s", IfExists.REFUSE),
        new Change.CreateTable(
            NAME,
            List.of(ColumnSpec.of("k", Scalar.INT32), ColumnSpec.of("p", Scalar.VARCHAR)),
            List.of(key),
            IfExists.REFUSE));
    commit(
        lake,
        new Change.AddDataFiles(
            new TableRef.ByName(NAME),
            List.of(
                new NewDataFile(
                    folder + "/f.parquet",
                    9,
                    100,
                    10L,
                    new FileMapping.ByName(
                        List.of(
                            new MappedField("k", "k", Origin.FILE_COLUMN, List.of()),
                            new MappedField("p", "p", Origin.PATH, List.of()))),
                    List.of(new PartitionValue(key, "A")),
                    List.of(new LeafStatistics(List.of("k"), 10, 9L, 0L, "1", "9", null, null))))));
    CatalogReader reader = lake.reader();
    latest = reader.latest();
    table = reader.view(latest).table(NAME);
    commit(
        lake,
        new Change.AddDeleteFiles(
            new TableRef.ByName(NAME),
            List.of(
                new Change.NewDeleteFile(
                    plan(reader).files().getFirst().dataFileId(),
                    folder + "/d.parquet",
                    1,
                    100,
                    10L))));
    latest = reader.latest();
  }

  private static void commit(Catalog lake, Change... changes) {
    lake.commit(CommitRequest.of("make", new Base.Newest(), List.of(changes)));
  }

  /** A method of the reader, by name, on a reader that remembers nothing. */
  private Object answer(String method, PostgresDatabase from) {
    CatalogReader reader = new CatalogReader(from.dataSource(), "public");
    return switch (method) {
      case "latest" -> reader.latest();
      case "snapshot" -> reader.snapshot(1);
      case "snapshotAt" -> reader.snapshotAt(Instant.parse("2999-01-01T00:00:00Z"));
      case "snapshots" -> reader.snapshots();
      case "options" -> reader.options();
      case "view" -> reader.view(latest);
      case "plan" -> plan(reader);
      default -> throw new IllegalArgumentException(method);
    };
  }

  private ScanPlan plan(CatalogReader reader) {
    return reader.plan(
        latest, table, Predicate.compare("k", Operator.GREATER, new Literal(Scalar.INT32, "5")));
  }

  @ParameterizedTest(name = "writer bug 29: {0} without {1} is no empty answer")
  @CsvSource({
    "latest, ducklake_snapshot",
    "snapshot, ducklake_snapshot",
    "snapshotAt, ducklake_snapshot",
    "snapshots, ducklake_snapshot",
    "snapshots, ducklake_snapshot_changes",
    "options, ducklake_metadata",
    "view, ducklake_schema",
    "view, ducklake_table",
    "view, ducklake_column",
    "view, ducklake_partition_info",
    "view, ducklake_partition_column",
    "view, ducklake_tag",
    "view, ducklake_column_tag",
    "plan, ducklake_data_file",
    "plan, ducklake_delete_file",
    "plan, ducklake_file_column_stats",
    "plan, ducklake_file_partition_value",
    "plan, ducklake_name_mapping",
    "plan, ducklake_inlined_data_tables"
  })
  void bug29AMissingTableIsNoEmptyAnswer(String method, String missing) throws SQLException {
    run("ALTER TABLE " + missing + " RENAME TO away");

    assertThatThrownBy(() -> answer(method, database))
        .isInstanceOfAny(LakeRefusedException.class, UnreadableTableException.class)
        .hasMessageContaining("the catalog is damaged")
        .hasMessageNotContainingAny("select ", "SELECT ");

    run("ALTER TABLE away RENAME TO " + missing);
    assertThat(answer(method, database)).isNotNull();
  }

  @ParameterizedTest(name = "writer bug 29: {0} whose connection breaks in {1} is no empty answer")
  @CsvSource({
    "latest, ducklake_snapshot",
    "snapshot, ducklake_snapshot",
    "snapshotAt, ducklake_snapshot",
    "snapshots, ducklake_snapshot_changes",
    "options, ducklake_metadata",
    "view, ducklake_column",
    "plan, ducklake_data_file",
    "plan, ducklake_delete_file",
    "plan, ducklake_file_column_stats"
  })
  void bug29AConnectionCutInMidReadIsNoEmptyAnswer(String method, String readWhenCut)
      throws Exception {
    try (ConnectionCutter cutter = ConnectionCutter.before(database);
        Connection holder = database.connect();
        Statement lock = holder.createStatement();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      holder.setAutoCommit(false);
      lock.execute("LOCK TABLE " + readWhenCut + " IN ACCESS EXCLUSIVE MODE");
      Future<Throwable> failure =
          threads.submit(() -> catchThrowable(() -> answer(method, cutter.database())));
      awaitBlockedReader();

      cutter.cutAll();

      assertThat(failure.get())
          .isInstanceOf(CatalogUnavailableException.class)
          .hasMessageStartingWith(
              "lake public: read the catalog: the catalog database does not answer;");
    }
    assertThat(answer(method, database)).isNotNull();
  }

  @Test
  void anUnreachableCatalogIsUnavailableForEveryMethod() {
    try (ConnectionCutter cutter = ConnectionCutter.before(database)) {
      cutter.goDown();
      for (String method :
          List.of("latest", "snapshot", "snapshotAt", "snapshots", "options", "view", "plan")) {
        assertThatThrownBy(() -> answer(method, cutter.database()))
            .as(method)
            .isInstanceOf(CatalogUnavailableException.class)
            .hasMessageContaining("the catalog database does not answer");
      }
    }
  }

  /** PostgreSQL says that somebody waits for the lock; no clock is needed. */
  private void awaitBlockedReader() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      boolean blocked = false;
      while (!blocked) {
        try (ResultSet waiting =
            statement.executeQuery(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND"
                    + " wait_event_type = 'Lock'")) {
          blocked = waiting.next();
        }
      }
    }
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
