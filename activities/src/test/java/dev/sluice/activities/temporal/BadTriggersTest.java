package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.SourceEvent;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RegisterWorkflow;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.ProducerOrder.Kind;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Triggers that cannot be taken: a typed refusal, an event, and nothing else. */
class BadTriggersTest {

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  @AfterEach
  void withoutFaults() {
    path.lakeFault = lake -> lake;
  }

  /** A trigger with every part in reach. */
  record Parts(
      long team,
      String job,
      String source,
      String type,
      String table,
      String folder,
      ProducerOrder order) {

    static Parts of(RegisterTrigger good) {
      return new Parts(
          good.team(),
          good.jobId(),
          good.sourceSchemaId(),
          good.sourceType(),
          good.table(),
          good.preparedFolder(),
          good.order());
    }

    RegisterTrigger trigger() {
      return new RegisterTrigger(team, job, source, type, null, table, folder, order, null, null);
    }

    Parts withTeam(long other) {
      return new Parts(other, job, source, type, table, folder, order);
    }

    Parts withJob(String other) {
      return new Parts(team, other, source, type, table, folder, order);
    }

    Parts withSource(String other) {
      return new Parts(team, job, other, type, table, folder, order);
    }

    Parts withType(String other) {
      return new Parts(team, job, source, other, table, folder, order);
    }

    Parts withTable(String other) {
      return new Parts(team, job, source, type, other, folder, order);
    }

    Parts withFolder(String other) {
      return new Parts(team, job, source, type, table, other, order);
    }

    Parts withOrder(Kind kind, long value) {
      return new Parts(team, job, source, type, table, folder, new ProducerOrder(kind, value));
    }
  }

  private static Arguments bad(String what, UnaryOperator<Parts> change, String reason) {
    return arguments(what, change, reason);
  }

  static Stream<Arguments> badTriggers() {
    long inTwoDays = Instant.now().plus(2, ChronoUnit.DAYS).getEpochSecond();
    return Stream.of(
        bad("unknown team", p -> p.withTeam(999), "knows no team 999"),
        bad("unknown source", p -> p.withSource("nobody"), "the team has no such source"),
        bad("type of another source", p -> p.withType("Hubspot"), "it is of Hubspot"),
        bad("table of another source", p -> p.withTable("others"), "it is of Stripe others"),
        bad(
            "folder of another source",
            p -> p.withFolder("customers__query_200"),
            "is a generation of table customers"),
        bad("long job id", p -> p.withJob("j".repeat(10_000)), "the job id has 10000 characters"),
        bad("blank job id", p -> p.withJob(" \t"), "the job id is empty"),
        bad("empty job id", p -> p.withJob(""), "the job id is empty"),
        bad("control character in a job id", p -> p.withJob("a\u0000b"), "a control character"),
        bad("line break in a job id", p -> p.withJob("a\nb"), "a control character"),
        bad("half a character in a job id", p -> p.withJob("a\ud83d"), "half of a character"),
        bad("blank source id", p -> p.withSource("  "), "the source schema id is empty"),
        bad("long source id", p -> p.withSource("s".repeat(300)), "has 300 characters"),
        bad("source id that is a path", p -> p.withSource("../x"), "source schema id '../x'"),
        bad("blank table", p -> p.withTable(""), "the table name is empty"),
        bad("folder in another place", p -> p.withFolder("../a__query_200"), "contains a slash"),
        bad("folder's parent", p -> p.withFolder(".."), "points to another folder"),
        bad("folder with a backslash", p -> p.withFolder("a\\b__query_200"), "contains a slash"),
        bad("no folder", p -> p.withFolder(""), "the prepared folder is empty"),
        bad(
            "long generation",
            p -> p.withJob("j".repeat(300)).withFolder("t__query_" + "1".repeat(300)),
            "job id and generation together have 601 characters"),
        bad(
            "version without end",
            p -> p.withOrder(Kind.DELTA_VERSION, Long.MAX_VALUE),
            "the producer order delta_version:newest is absurd"),
        bad(
            "epoch after the year 9999",
            p -> p.withOrder(Kind.FOLDER_EPOCH, Long.MAX_VALUE),
            "is absurd"),
        bad(
            "import that finishes the day after tomorrow",
            p -> p.withOrder(Kind.IMPORT_FINISHED, inTwoDays * 1_000_000),
            "lies in the future"),
        bad(
            "folder of the day after tomorrow",
            p -> p.withOrder(Kind.FOLDER_EPOCH, inTwoDays),
            "lies in the future"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badTriggers")
  void aTriggerThatCannotBeTakenLeavesAnEventAndNothingElse(
      String what, UnaryOperator<Parts> change, String expected) throws Exception {
    Source source = path.newSource("bad");
    RegisterTrigger trigger = change.apply(Parts.of(source.trigger(200))).trigger();
    CatalogDump before = path.catalogRows();
    List<List<Object>> rows = stateRows();

    RegisterResult result = path.run(trigger);

    assertThat(result.status()).as(what).isEqualTo(RegisterStatus.FAILED);
    assertThat(result.failureType()).isEqualTo(FailureTypes.INVALID_INPUT);
    assertThat(result.reason()).contains(": refused; ").contains(expected);
    assertThat(Objects.requireNonNull(result.reason()).split("; ")).hasSizeGreaterThanOrEqualTo(3);
    String stored = trigger.sourceSchemaId();
    assertThat(
            path.events.newest(
                new SourceRef(trigger.team(), stored.substring(0, Math.min(100, stored.length()))),
                5))
        .first()
        .returns(EventKind.REFUSED, SourceEvent::kind)
        .returns(path.text.clean(result.reason()), SourceEvent::reason);
    assertThat(stateRows()).isEqualTo(rows);
    assertThat(path.catalogRows().differences(before)).isEmpty();
  }

  /** How many attempts, triggers, landings and names there are. */
  private static List<List<Object>> stateRows() {
    List<Object> home =
        path.homeState.read(
            dsl ->
                dsl.fetchSingle(
                        """
                        SELECT (SELECT count(*) FROM sluice.source_job),
                          (SELECT count(*) FROM sluice.trigger),
                          (SELECT count(*) FROM sluice.table_name)
                        """)
                    .intoList());
    List<Object> lake =
        path.lakeState.read(
            dsl -> dsl.fetchSingle("SELECT count(*) FROM sluice.landing").intoList());
    return List.of(home, lake);
  }

  @Test
  void aBadArrivalTakesNothingFromTheOneThatWaits() throws Exception {
    Source source = path.newSource("waits_on");
    path.write(source, 100, "a.parquet", "SELECT 100 AS g");
    path.write(source, 200, "a.parquet", "SELECT 200 AS g");
    Gatekeeper landing = new Gatekeeper("land");
    path.lakeFault = landing;
    RegisterWorkflow running = path.start(source.trigger(100));
    landing.awaitReached();
    running.submit(source.trigger(200));
    Parts good = Parts.of(source.trigger(300));
    running.submit(good.withOrder(Kind.FOLDER_EPOCH, Instant.now().getEpochSecond() * 2).trigger());
    running.submit(good.withJob("j".repeat(10_000)).trigger());
    running.submit(good.withSource("another").trigger());
    path.lakeFault = lake -> lake;
    landing.letGo();

    RegisterResult last = path.await(source.trigger(100));

    assertThat(last.generation()).isEqualTo("200");
    assertThat(path.scan(source)).containsExactly(List.of("200"));
    assertThat(path.eventKinds(source)).contains(EventKind.REFUSED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"trigger\": {\"team\": 2}}",
        "{\"trigger\": {\"team\": 2, \"jobId\": \"j\", \"sourceSchemaId\": \"s\","
            + " \"order\": {\"kind\": \"DELTA_VERSION\", \"value\": -1}}}"
      })
  void aPayloadThatIsNoWholeTriggerEndsItsRunInsteadOfBlockingItsSource(String json)
      throws Exception {
    Source source = path.newSource("garbage");
    path.write(source, 100, "a.parquet", "SELECT 100 AS g");

    assertThat(path.runRaw(source.trigger(100), json)).isEqualTo("WorkflowFailedException");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
  }
}
