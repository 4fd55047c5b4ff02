package dev.sluice.worker.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.ErrorText;
import dev.sluice.activities.jobs.Migrations;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.temporal.AttemptEnds;
import dev.sluice.activities.temporal.Reaper;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.EmbeddedTemporal;
import dev.sluice.embedded.PostgresDatabase;
import dev.sluice.worker.metrics.RegisterMetrics;
import dev.sluice.worker.metrics.SluiceMetrics;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the loop says and counts when something keeps the reaper from its work. */
class ReaperLoopTest {
  private static final String FOLDER = "flights__query_100";

  private final PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
  private final HikariDataSource pool = database.dataSource(2);
  private final HomeStores home =
      HomeStores.over(new StateDatabase("home database", pool), ErrorText.withoutKnownSecrets());
  private final SluiceMetrics metrics = new SluiceMetrics();
  private final ListAppender<ILoggingEvent> said = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(ReaperLoop.class);

  @BeforeEach
  void listen() {
    Migrations.migrate(Migrations.Part.HOME, "home database", database.dataSource());
    logger.setLevel(Level.INFO);
    said.start();
    logger.addAppender(said);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(said);
    logger.setLevel(null);
    pool.close();
  }

  private ReaperLoop loop(WorkflowClient client) {
    Reaper reaper =
        new Reaper(
            home.reaperList(),
            new AttemptEnds(
                home.jobs(),
                home.reaperList(),
                home.names(),
                lake -> {
                  throw new IllegalStateException("no lake is asked for");
                }),
            client,
            new Reaper.Settings("a test", "queue", Duration.ofSeconds(20), 10));
    return new ReaperLoop(
        reaper, Duration.ofSeconds(20), metrics, new RegisterMetrics(metrics, home.jobs()));
  }

  /** Makes it everybody's turn again. */
  private void offer(ReaperLoop loop) {
    home.database().write(dsl -> dsl.execute("DELETE FROM sluice.duty"));
    loop.offer();
  }

  private void open() {
    RegisterTrigger trigger =
        new RegisterTrigger(
            2,
            "job",
            "source",
            "Postgres",
            null,
            "flights",
            FOLDER,
            ProducerOrder.ofFolder(FOLDER),
            null,
            null);
    home.jobs()
        .open(
            new AttemptOpening(
                WorkflowPath.REGISTER, trigger, Instant.now(), "workflow", "run", "default"));
  }

  private long count(String name) {
    return metrics.registry().counter(name).getCount();
  }

  @Test
  void aServiceThatIsAwayIsCountedEachTimeAndLoggedOnce() {
    open();
    WorkflowServiceStubs nowhere =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget("127.0.0.1:1").build());
    try (EmbeddedTemporal temporal = EmbeddedTemporal.start();
        ReaperLoop away = loop(WorkflowClient.newInstance(nowhere))) {
      offer(away);
      offer(away);

      assertThat(count("sluice_reaper_passes{result=\"temporal_unreachable\"}")).isEqualTo(2);
      assertThat(said.list)
          .singleElement()
          .satisfies(
              event ->
                  assertThat(event.getFormattedMessage())
                      .startsWith(
                          "the reaper can do nothing until this is over: Temporal namespace"));
      assertThat(home.jobs().running()).hasSize(1);

      try (ReaperLoop back = loop(temporal.client())) {
        offer(back);
      }
      assertThat(home.jobs().running()).isEmpty();
      assertThat(count("sluice_reaper_passes{result=\"done\"}")).isEqualTo(1);
      assertThat(count("sluice_reaper_closed{status=\"failed\"}")).isEqualTo(1);
      assertThat(
              count(
                  "ducklake_register_data_imports_finished{team_id=\"2\",schema_id=\"source\","
                      + "status=\"failed\"}"))
          .isEqualTo(1);
    } finally {
      nowhere.shutdownNow();
    }
  }

  @Test
  void whatKeptItIsSaidToBeOver() {
    try (EmbeddedTemporal temporal = EmbeddedTemporal.start();
        ReaperLoop loop = loop(temporal.client())) {
      home.database().write(dsl -> dsl.execute("ALTER TABLE sluice.duty RENAME TO gone"));
      loop.offer();
      loop.offer();
      home.database().write(dsl -> dsl.execute("ALTER TABLE sluice.gone RENAME TO duty"));
      loop.offer();

      assertThat(count("sluice_reaper_passes{result=\"failed\"}")).isEqualTo(2);
      assertThat(count("sluice_reaper_passes{result=\"done\"}")).isEqualTo(1);
      assertThat(said.list)
          .extracting(event -> event.getLevel().toString())
          .containsExactly("WARN", "INFO");
    }
  }

  @Test
  void aTurnThatIsNotOursIsNoPass() {
    try (EmbeddedTemporal temporal = EmbeddedTemporal.start();
        ReaperLoop loop = loop(temporal.client())) {
      loop.offer();
      loop.offer();

      assertThat(count("sluice_reaper_passes{result=\"done\"}")).isEqualTo(1);
      assertThat(said.list).isEmpty();
    }
  }
}
