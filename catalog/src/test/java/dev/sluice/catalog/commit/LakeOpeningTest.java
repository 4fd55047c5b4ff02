package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitResult.Outcome;
import dev.sluice.catalog.error.CatalogException;
import dev.sluice.catalog.error.CatalogUnavailableException;
import dev.sluice.catalog.error.LakeRefusedException;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Which lakes are opened, with how many connections, and what a refusal says. */
class LakeOpeningTest {

  private static final ColumnSpec K = ColumnSpec.of("k", Scalar.INT32);
  private static final String SECRET = "p4ss-MARK";

  @TempDir Path folder;
  private TestLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = TestLake.create(folder);
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  @Test
  @DisplayName(
      "writer bug 35: older, newer, unknown and encrypted lakes are refused, never migrated")
  void bug35OtherFormatsAreRefusedByName() throws SQLException {
    refusedAfter("version", "0.3", "format version 0.3 is not supported", "AUTOMATIC_MIGRATION");
    refusedAfter("version", "1.1-dev1", "this version is newer or unknown", "1.1-dev1");
    refusedAfter("version", "2.0", "this version is newer or unknown", "exactly 1.0");
    lake.tamper("UPDATE ducklake_metadata SET value = '1.0' WHERE key = 'version'");
    refusedAfter("encrypted", "true", "is encrypted", "created without ENCRYPTED");
    refusedAfter("encrypted", "perhaps", "the catalog is damaged", "encrypted is 'perhaps'");
  }

  private void refusedAfter(String key, String value, String... parts) throws SQLException {
    lake.tamper("UPDATE ducklake_metadata SET value = '%s' WHERE key = '%s'".formatted(value, key));
    assertThatThrownBy(() -> Catalog.open(lake.database.dataSource(), TestLake.LAKE))
        .isInstanceOf(LakeRefusedException.class)
        .hasMessageContainingAll(parts);
    assertThatThrownBy(() -> Catalog.adopt(lake.database.dataSource(), TestLake.LAKE))
        .isInstanceOf(LakeRefusedException.class)
        .hasMessageContainingAll(parts);
    assertThatThrownBy(() -> lake.commit(new Change.CreateSchema("x", IfExists.KEEP)))
        .isInstanceOf(LakeRefusedException.class)
        .hasMessageContainingAll(parts);
    assertThat(lake.sql("SELECT value FROM ducklake_metadata WHERE key = '" + key + "'"))
        .isEqualTo(value);
  }

  @Test
  void missingAndExistingLakesAreToldApart() {
    PostgresDatabase empty = EmbeddedDatabase.shared().newDatabase();

    assertThat(Catalog.exists(empty.dataSource(), "public")).isFalse();
    assertThatThrownBy(() -> Catalog.open(empty.dataSource(), "public"))
        .isInstanceOf(LakeRefusedException.class)
        .hasMessageContaining("lake public: there is no lake");
    assertThatThrownBy(
            () -> Catalog.create(lake.database.dataSource(), TestLake.LAKE, folder + "/data"))
        .isInstanceOf(LakeRefusedException.class)
        .hasMessageContaining("already holds a lake; open it instead");
    assertThatThrownBy(() -> Catalog.create(empty.dataSource(), "public", "relative/path"))
        .isInstanceOf(LakeRefusedException.class)
        .hasMessageContaining("data path 'relative/path' is not usable");
  }

  @Test
  void twoLakesShareADatabaseAndTheirKeysDoNotMix() throws SQLException {
    Catalog second = Catalog.create(lake.database.dataSource(), "se\"cond", folder + "/second");
    CommitRequest request =
        CommitRequest.of(
                "make schema",
                new Base.Newest(),
                List.of(new Change.CreateSchema("x", IfExists.REFUSE)))
            .withKey("same key");

    assertThat(lake.catalog.commit(request).outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(second.commit(request).outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(second.commit(request).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
    try (DuckLakeSession session =
        DuckLakeSession.open()
            .attach(DuckLakeAttachment.existing(lake.database).inSchema("se\"cond"))) {
      assertThat(session.valueText("SELECT count(*) FROM ducklake_snapshots('lake')"))
          .isEqualTo("2");
    }
  }

  @Test
  void aLakeMadeAgainUnderItsOldNameHasNoMemoryOfTheFormerOne() throws SQLException {
    Catalog former = Catalog.create(lake.database.dataSource(), "again", folder + "/again");
    CommitRequest request =
        CommitRequest.of(
                "make schema",
                new Base.Newest(),
                List.of(new Change.CreateSchema("x", IfExists.REFUSE)))
            .withKey("key");
    former.commit(request);
    lake.tamper("DROP SCHEMA again CASCADE");

    Catalog latter = Catalog.create(lake.database.dataSource(), "again", folder + "/again");

    assertThat(latter.commit(request).outcome()).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void aLakeOfDuckDbIsAdoptedAndItsContentIsForeign() throws SQLException {
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    try (DuckLakeSession session =
        DuckLakeSession.open()
            .attach(DuckLakeAttachment.of(database, folder + "/duck/").withDefaultInlining())) {
      session.execute("CREATE TABLE t (k INT); INSERT INTO t VALUES (1), (2)");

      Catalog adopted = Catalog.adopt(database.dataSource(), "public");

      assertThat(adopted.info().dataPath()).isEqualTo(folder + "/duck/");
      TableName name = new TableName("main", "t");
      assertThatThrownBy(
              () ->
                  adopted.commit(
                      CommitRequest.of(
                          "publish",
                          new Base.Newest(),
                          List.of(TestLake.publish(name, List.of(K))))))
          .hasMessageContaining("was changed by others since Sluice last published it")
          .hasMessageContaining("2 rows were added inside the catalog");
      adopted.commit(
          CommitRequest.of(
              "add column",
              new Base.Newest(),
              List.of(
                  new Change.AddColumn(
                      new TableRef.ByName(name), List.of(), ColumnSpec.of("j", Scalar.INT32)))));
      session.execute("INSERT INTO t VALUES (3, 30)");
      assertThat(session.valueText("SELECT string_agg(k || '-' || j, ',') FROM t"))
          .isEqualTo("3-30");
      assertThat(session.valueText("SELECT sum(k) FROM t")).isEqualTo("6");
    }
  }

  @Test
  @DisplayName("CAT-10, writer bug 30: the password is in no error")
  void cat10ThePasswordIsInNoError() throws SQLException {
    List<Throwable> errors = new ArrayList<>();
    errors.add(failure(database("127.0.0.1", 1, "postgres")));
    errors.add(failure(database(lake.database.host(), lake.database.port(), "no_such_database")));
    PGSimpleDataSource working =
        database(lake.database.host(), lake.database.port(), lake.database.name());
    Catalog catalog = Catalog.open(working, TestLake.LAKE);
    errors.add(
        thrownBy(
            () ->
                catalog.commit(
                    CommitRequest.of(
                            "break",
                            new Base.Newest(),
                            List.of(new Change.CreateSchema("x", IfExists.REFUSE)))
                        .withSteps(context -> context.dsl().execute("SELECT nonsense")))));
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setDataSource(database("127.0.0.1", 1, "postgres"));
      pool.setConnectionTimeout(250);
      errors.add(failure(pool));
    }

    assertThat(errors).hasSize(4);
    assertThat(errors.get(0)).isInstanceOf(CatalogUnavailableException.class);
    assertThat(errors.get(1)).isInstanceOf(LakeRefusedException.class);
    assertThat(errors.get(1)).hasMessageContaining("user, password or database name is wrong");
    assertThat(errors.get(3)).isInstanceOf(CatalogUnavailableException.class);
    for (Throwable error : errors) {
      StringWriter text = new StringWriter();
      error.printStackTrace(new PrintWriter(text));
      assertThat(text.toString()).doesNotContain("MARK");
    }
  }

  private Throwable failure(javax.sql.DataSource dataSource) {
    return thrownBy(() -> Catalog.open(dataSource, TestLake.LAKE));
  }

  private static Throwable thrownBy(Callable<?> call) {
    try {
      call.call();
    } catch (Exception e) {
      return e;
    }
    throw new AssertionError("nothing was thrown");
  }

  private PGSimpleDataSource database(String host, int port, String name) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setServerNames(new String[] {host});
    dataSource.setPortNumbers(new int[] {port});
    dataSource.setDatabaseName(name);
    dataSource.setUser(lake.database.user());
    dataSource.setPassword(SECRET);
    return dataSource;
  }

  @Test
  @DisplayName("CAT-08, writer bug 26: a pool of one serves four writers and leaves nothing open")
  void cat08APoolOfOneIsEnough() throws Exception {
    try (HikariDataSource pool = lake.database.dataSource(1)) {
      Catalog catalog = Catalog.open(pool, TestLake.LAKE);
      lake.commit(new Change.CreateSchema("s", IfExists.REFUSE));
      List<Callable<Integer>> workers = new ArrayList<>();
      for (int w = 0; w < 4; w++) {
        int worker = w;
        workers.add(
            () -> {
              for (int i = 0; i < 15; i++) {
                TableName name = new TableName("s", "t" + worker + "_" + i);
                catalog.commit(
                    CommitRequest.of(
                        "publish",
                        new Base.Newest(),
                        List.of(
                            TestLake.publish(
                                name, List.of(K), lake.invented("pool-" + worker + "-" + i, 1)))));
              }
              return 15;
            });
      }

      Workers.together(workers);

      assertThat(catalog.reader().latest().id()).isEqualTo(61);
      assertThat(
              lake.sql(
                  "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND"
                      + " state LIKE 'idle in transaction%' AND application_name <> ''"
                      + " AND query NOT LIKE '%ducklake_metadata%'"))
          .isEqualTo("0");
      assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isEqualTo(1);
    }
    assertThat(lake.sql("SELECT count(*) FROM ducklake_table WHERE end_snapshot IS NULL"))
        .isEqualTo("60");
  }

  @Test
  void everyKindOfErrorAnswersItsThreeQuestions() {
    assertThat(CatalogException.class.getPermittedSubclasses()).hasSize(6);
  }
}
