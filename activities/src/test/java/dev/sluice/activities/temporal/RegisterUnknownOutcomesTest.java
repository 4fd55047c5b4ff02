package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.temporal.Steps.Effect;
import dev.sluice.activities.temporal.Steps.LostAnswer;
import dev.sluice.activities.temporal.Steps.Scope;
import dev.sluice.activities.temporal.Steps.Step;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.commit.CommitSettings;
import dev.sluice.embedded.CommitFate;
import dev.sluice.embedded.ConnectionCutter;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Databases that break at the worst moment, under the whole register path: whatever is not known is
 * looked up by the next try, nothing is cleaned up on a guess, and nobody waits for long.
 */
class RegisterUnknownOutcomesTest {

  /** Loses the first answer to every COMMIT that a run makes, at home and in the lake. */
  private static final class LosingAnswers implements Steps {
    private final List<String> lost = new ArrayList<>();
    private String last = "";

    @Override
    public synchronized void before(Step step) {}

    @Override
    public synchronized void after(Step step) {
      if (step.scope() == Scope.WITHIN && step.effect() == Effect.EFFECT) {
        last = step.what();
      }
      String commit = step.place() + ", " + last;
      if (step.scope() == Scope.COMMIT
          && step.effect() == Effect.EFFECT
          && !lost.contains(commit)) {
        lost.add(commit);
        throw new LostAnswer();
      }
    }

    synchronized List<String> lost() {
      return List.copyOf(lost);
    }
  }

  private static volatile Steps home = Steps.NONE;

  private static final Steps SWITCHED =
      new Steps() {
        @Override
        public void before(Step step) {
          home.before(step);
        }

        @Override
        public void after(Step step) {
          home.after(step);
        }
      };

  private static EmbeddedDatabase server;
  private static RegisterFixture path;
  private ConnectionCutter cutter;
  private HikariDataSource pool;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    RegisterFixture.Faults none = RegisterFixture.Faults.none();
    server = EmbeddedDatabase.start();
    path =
        RegisterFixture.local(
            scratch,
            new RegisterFixture.Faults(
                source -> SteppedDatabase.of(source, "home", SWITCHED), none.activities()),
            server);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
    server.close();
  }

  @BeforeEach
  void putCutterBeforeTheLake() {
    cutter = ConnectionCutter.before(path.lakeDatabase);
    pool = cutter.database().dataSource(2);
    Catalog catalog = Catalog.open(pool, path.catalog.info().key(), stallsForOneSecond());
    path.lakeFault = lake -> through(pool, lake, catalog);
  }

  @AfterEach
  void takeItAway() {
    home = Steps.NONE;
    path.lakeFault = lake -> lake;
    pool.close();
    cutter.close();
  }

  /** As in production, but a stalled transaction is ended after a second instead of fifteen. */
  private static CommitSettings stallsForOneSecond() {
    return CommitSettings.defaults()
        .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(1));
  }

  private static LakeAccess through(HikariDataSource pool, LakeAccess lake, Catalog catalog) {
    return new LakeAccess(
        lake.name(), catalog, lake.store(), new StateDatabase("lake main", pool), lake.probe());
  }

  /** A source whose generation 100 is live and whose generation 200 is prepared. */
  private Source live(String table) throws SQLException {
    Source source = path.newSource(table);
    path.write(source, 100, "a.parquet", "SELECT 100 AS g");
    path.write(source, 200, "a.parquet", "SELECT 200 AS g");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    return source;
  }

  private static void publishedOnce(Source source, RegisterResult result) throws SQLException {
    assertThat(result.status())
        .as(String.valueOf(result.reason()))
        .isEqualTo(RegisterStatus.COMPLETED);
    assertThat(path.publications(source).stream().map(Publication::generation))
        .containsExactly("200", "100");
    assertThat(path.attempts(source)).hasSize(2);
    assertThat(path.attempts(source).stream().map(SourceJob::status))
        .containsOnly(JobStatus.COMPLETED);
    assertThat(path.duckDb("SELECT g FROM " + source.sql())).containsExactly(List.of("200"));
  }

  @ParameterizedTest
  @EnumSource(
      value = CommitFate.class,
      names = {"CUT_BEFORE", "CUT_AFTER"})
  void aConnectionCutAtThePublishingCommitIsLookedUpAndPublishedOnce(CommitFate fate)
      throws Exception {
    Source source = live("cut_" + fate.name().toLowerCase(Locale.ROOT));
    ConnectionCutter.PlannedCommit plan = cutter.nextCommitOf("sluice.publication", fate);

    RegisterResult result = path.run(source.trigger(200));

    assertThat(plan.isReached()).isTrue();
    publishedOnce(source, result);
  }

  @Test
  void everyAnswerToACommitIsLostOnceAndTheRunEndsAllTheSame() throws Exception {
    Source source = live("answers_lost");
    LosingAnswers losing = new LosingAnswers();
    home = losing;
    Catalog catalog =
        Catalog.open(SteppedDatabase.of(pool, "lake", losing), path.catalog.info().key());
    path.lakeFault =
        lake ->
            new LakeAccess(
                lake.name(),
                catalog,
                lake.store(),
                new StateDatabase("lake main", SteppedDatabase.of(pool, "lake", losing)),
                lake.probe());

    RegisterResult result = path.run(source.trigger(200));
    home = Steps.NONE;

    assertThat(losing.lost()).hasSizeGreaterThan(5).anyMatch(each -> each.contains("commit_log"));
    publishedOnce(source, result);
  }

  @Test
  void aWorkerThatStallsInItsPublishingTransactionHoldsNobodyUpForLong() throws Exception {
    Source stalled = live("stalled");
    Source other = live("beside_the_stalled");
    ConnectionCutter.PlannedCommit held =
        cutter.nextCommitOf("sluice.publication", CommitFate.HOLD);
    path.start(stalled.trigger(200));
    held.await();

    // needs the lake's lock, which the server takes from the stalled one
    RegisterResult beside = path.run(other.trigger(200));
    assertThat(path.scan(stalled)).containsExactly(List.of("100"));
    held.release();
    RegisterResult result = path.await(stalled.trigger(200));

    publishedOnce(other, beside);
    publishedOnce(stalled, result);
  }

  @Test
  void afterAFailoverToAReadOnlyServerTheRunWaitsForOneThatWrites() throws Exception {
    Source source = live("failover");
    AtomicInteger refused = new AtomicInteger();
    LakeFaults faults = new LakeFaults();
    path.lakeFault =
        lake -> {
          Catalog catalog = Catalog.open(pool, lake.key());
          if (faults.readOnly && refused.incrementAndGet() > 2) {
            faults.set("off");
          }
          return through(pool, lake, catalog);
        };
    faults.set("on");

    RegisterResult result = path.run(source.trigger(200));

    assertThat(refused.get()).isGreaterThan(2);
    publishedOnce(source, result);
  }

  /** How the server of both databases goes down. */
  enum Down {
    /** An administrator stops it in order. */
    STOPPED {
      @Override
      void happens(EmbeddedDatabase goesDown) {
        goesDown.restart();
      }
    },
    /** Its processes are killed; it recovers from its log. */
    CRASHED {
      @Override
      void happens(EmbeddedDatabase goesDown) {
        goesDown.kill();
        goesDown.restart();
      }
    };

    abstract void happens(EmbeddedDatabase goesDown);
  }

  @ParameterizedTest
  @EnumSource
  void aDatabaseServerThatGoesDownAndComesBackOnlyCostsAnotherTry(Down down) throws Exception {
    Source source = live("server_" + down.name().toLowerCase(Locale.ROOT));
    ConnectionCutter.PlannedCommit held =
        cutter.nextCommitOf("sluice.publication", CommitFate.HOLD);
    path.start(source.trigger(200));
    held.await();

    down.happens(server);
    held.release();
    RegisterResult result = path.await(source.trigger(200));

    path.reattach();
    publishedOnce(source, result);
  }

  /** What an administrator, or a failover, does to the lake's database. */
  private static final class LakeFaults {
    private volatile boolean readOnly;

    void set(String onOrOff) {
      execute(
          "ALTER DATABASE "
              + path.lakeDatabase.name()
              + " SET default_transaction_read_only = "
              + onOrOff);
      readOnly = onOrOff.equals("on");
      endEverySession();
    }

    /** As a restart looks to clients; DuckDB's own session stays. */
    void endEverySession() {
      execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
              + path.lakeDatabase.name()
              + "' AND application_name LIKE 'PostgreSQL JDBC%' AND pid <> pg_backend_pid()");
    }

    private static void execute(String sql) {
      try (Connection connection = path.lakeDatabase.connect();
          Statement statement = connection.createStatement()) {
        connection.setReadOnly(false);
        statement.execute("SET default_transaction_read_only = off");
        statement.execute(sql);
      } catch (SQLException e) {
        throw new IllegalStateException(sql, e);
      }
    }
  }
}
