package dev.sluice.worker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.zaxxer.hikari.HikariDataSource;
import dev.openfeature.sdk.EvaluationContext;
import dev.openfeature.sdk.FeatureProvider;
import dev.openfeature.sdk.Metadata;
import dev.openfeature.sdk.ProviderEvaluation;
import dev.openfeature.sdk.Value;
import dev.sluice.activities.jobs.ErrorText;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.Migrations;
import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.SourceEvent;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.SourcePauses;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.TriggerStore;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.GateCheck;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateTest {
  private static final String FLAG = "ducklake-data-imports-registration-workflow";
  private static final String RIVAL = "ducklake-data-imports-copy-workflow";

  private final PostgresDatabase postgres = EmbeddedDatabase.shared().newDatabase();
  private final HikariDataSource pool = postgres.dataSource(1);
  private final StateDatabase home = new StateDatabase("home database", pool);
  private final Provisioning provisioning = new Provisioning(home);
  private final ErrorText text = ErrorText.withoutKnownSecrets();
  private final SourcePauses pauses = new SourcePauses(home, new SourceJobEvents(home, text), text);

  @BeforeEach
  void provision() {
    Migrations.migrate(Migrations.Part.HOME, "home database", postgres.dataSource());
    provisioning.put(new Provisioning.Lake("main", "public", "localhost:1/x", "s3://lake/"));
    provisioning.put(new Provisioning.Team(2, "main", "copy_v1", "imports", "models"));
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void itIsOpenWhenTheFlagIsOnForTheTeam() {
    assertThat(reason(FLAG + ": {default: false, teams: {2: true}}", trigger(2))).isNull();
    assertThat(reason("{\"" + FLAG + "\": {\"teams\": {\"2\": true}}}", trigger(2))).isNull();
    assertThat(reason(FLAG + ": {default: true}", trigger(2))).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          x: {default: false}                 | is off for team 2
          x: {default: true, teams: {2: false}} | is off for team 2
          x: {teams: {3: true}}               | has no answer: it is not set for team 2
          x: {default: null}                  | has no answer: it is not set for team 2
          x: {default: maybe}                 | has no answer: flag x has a value that is neither true nor false
          x: {defualt: true}                  | has no answer: flag x has an unknown part defualt; known: default, teams
          x: [true]                           | has no answer: flag x is no map of default and teams
          - x                                 | has no answer: the flags are no map of flag keys
          """)
  void whateverIsNotAYesIsClosedWithItsReason(String flags, String reason) {
    String expected = reason.replace("flag x", "flag " + FLAG);
    assertThat(reason(flags.replaceFirst("^x:", FLAG + ":"), trigger(2)))
        .isEqualTo("flag " + FLAG + " " + expected);
  }

  @Test
  void flagsThatCannotBeReadCloseTheGate(@TempDir Path folder) {
    try (Flags flags = Flags.of(FlagSource.file(folder.resolve("missing.yaml")))) {
      assertThat(ask(flags, trigger(2)))
          .startsWith("flag " + FLAG + " has no answer: the flags cannot be read: ");
    }
    try (Flags flags = Flags.of(FlagSource.none())) {
      assertThat(ask(flags, trigger(2)))
          .isEqualTo("flag " + FLAG + " has no answer: it is not set for team 2");
    }
  }

  @Test
  void aChangeOfTheFileIsSeen(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("flags.yaml"), FLAG + ": {default: false}");
    try (Flags flags = Flags.of(FlagSource.file(file))) {
      assertThat(ask(flags, trigger(2))).isNotNull();
      Files.writeString(file, FLAG + ": {default: true}");
      assertThat(ask(flags, trigger(2))).isNull();
    }
  }

  @Test
  void aProviderThatThrowsOrAnswersNothingClosesTheGate() {
    try (Flags flags =
        Flags.over(
            answering(
                () -> {
                  throw new IllegalStateException("boom");
                }))) {
      assertThat(ask(flags, trigger(2))).isEqualTo("flag " + FLAG + " has no answer: boom");
    }
    try (Flags flags = Flags.over(answering(() -> ProviderEvaluation.<Boolean>builder().build()))) {
      assertThat(ask(flags, trigger(2)))
          .isEqualTo("flag " + FLAG + " has no answer: its evaluation gave nothing");
    }
  }

  @Test
  void aTeamOrLakeThatIsNotProvisionedIsClosed() {
    assertThat(reason(FLAG + ": {default: true}", trigger(3)))
        .isEqualTo("team 3 is not provisioned");
    assertThat(reason(FLAG + ": {default: true}", trigger(2).withLake("other")))
        .isEqualTo("lake other of team 2 is not provisioned");
  }

  @Test
  void aHomeDatabaseThatCannotBeReadIsClosed() {
    pool.close();
    assertThat(reason(FLAG + ": {default: true}", trigger(2)))
        .startsWith("provisioning cannot be read: ");
  }

  @Test
  void aRivalPathThatMayBeOpenIsClosed() {
    assertThat(reason(FLAG + ": {default: true}\n" + RIVAL + ": {default: maybe}", trigger(2)))
        .isEqualTo(
            "another path may be open for the same tables: flag "
                + RIVAL
                + " has no answer: flag "
                + RIVAL
                + " has a value that is neither true nor false; make the flag's answer readable, or"
                + " switch it off");
  }

  @Test
  void aCopyHasAFlagOfItsOwnAndTheSameRival() {
    RegisterTrigger copy =
        RegisterTrigger.copy(
            2,
            "job",
            "s-1",
            "Postgres",
            null,
            "flights",
            ProducerOrder.NEWEST_DELTA_VERSION,
            null,
            null);

    assertThat(reason(RIVAL + ": {default: true}", copy)).isNull();
    assertThat(reason(FLAG + ": {default: true}", copy))
        .isEqualTo("flag " + RIVAL + " has no answer: it is not set for team 2");
    assertThat(reason(FLAG + ": {default: true}\n" + RIVAL + ": {default: true}", copy))
        .contains("two paths are open for the same tables")
        .contains(FLAG + " is on for team 2 as well");
  }

  @Test
  void twoPathsForTheSameTablesAreClosed() {
    assertThat(reason(FLAG + ": {default: true}\n" + RIVAL + ": {teams: {2: true}}", trigger(2)))
        .isEqualTo(
            "two paths are open for the same tables: flag "
                + RIVAL
                + " is on for team 2 as well; switch one of the two off");
    try (Flags flags =
        Flags.of(FlagSource.on(Set.of(FlagKey.IMPORTS_REGISTRATION, FlagKey.MODELING_COPY)))) {
      assertThat(ask(flags, trigger(2))).isNull();
    }
  }

  @Test
  void aRefusalBecomesAnEventWithItsReason() {
    SourceJobEvents events = new SourceJobEvents(home, ErrorText.withoutKnownSecrets());
    TriggerStore triggers = new TriggerStore(home, events, ErrorText.withoutKnownSecrets());
    String reason = Objects.requireNonNull(reason(FLAG + ": {default: false}", trigger(2)));

    provisioning.put(
        new Provisioning.Source(
            new SourceRef(2, "s-1"), trigger(2).sourceType(), "", trigger(2).table(), null));

    triggers.record(
        new TriggerRecord(
            WorkflowPath.REGISTER,
            trigger(2),
            TriggerDisposition.SKIPPED,
            reason,
            "w",
            "r",
            "default",
            Instant.EPOCH));

    assertThat(events.newest(new SourceRef(2, "s-1"), 9))
        .extracting(SourceEvent::kind, SourceEvent::reason)
        .containsExactly(tuple(EventKind.GATE_CLOSED, "flag " + FLAG + " is off for team 2"));
  }

  @Test
  void itIsClosedWhileTheSourceIsPaused() {
    String on = FLAG + ": {default: true}";
    SourceRef source = new SourceRef(2, "s-1");
    pauses.pause(source, "bad import");
    pauses.pause(source, "a second one changes nothing");

    assertThat(reason(on, trigger(2)))
        .startsWith("source is paused since ")
        .contains(": bad import; let it go on with: ./sluice resume");

    assertThat(pauses.resume(source)).isPresent();
    assertThat(pauses.resume(source)).isEmpty();
    assertThat(reason(on, trigger(2))).isNull();
    assertThat(new SourceJobEvents(home, text).newest(source, 9))
        .extracting(SourceEvent::kind)
        .containsExactly(EventKind.RESUMED, EventKind.PAUSED);
  }

  private @Nullable String reason(String text, RegisterTrigger trigger) {
    try (Flags flags = Flags.of(() -> text)) {
      return ask(flags, trigger);
    }
  }

  private @Nullable String ask(Flags flags, RegisterTrigger trigger) {
    return new Gate(flags, provisioning, pauses)
        .check(new GateCheck(trigger.path(), trigger))
        .closedReason();
  }

  private static RegisterTrigger trigger(long team) {
    return new RegisterTrigger(
        team,
        "job",
        "s-1",
        "Postgres",
        null,
        "flights",
        "flights__query_1",
        ProducerOrder.ofFolder("flights__query_1"),
        null,
        null);
  }

  private interface Answer {
    ProviderEvaluation<Boolean> give();
  }

  private static FeatureProvider answering(Answer answer) {
    FlagsProvider plain = new FlagsProvider(FlagSource.none());
    return new FeatureProvider() {
      @Override
      public Metadata getMetadata() {
        return plain.getMetadata();
      }

      @Override
      public ProviderEvaluation<Boolean> getBooleanEvaluation(
          String key, Boolean whenAbsent, EvaluationContext context) {
        return answer.give();
      }

      @Override
      public ProviderEvaluation<String> getStringEvaluation(
          String key, String whenAbsent, EvaluationContext context) {
        return plain.getStringEvaluation(key, whenAbsent, context);
      }

      @Override
      public ProviderEvaluation<Integer> getIntegerEvaluation(
          String key, Integer whenAbsent, EvaluationContext context) {
        return plain.getIntegerEvaluation(key, whenAbsent, context);
      }

      @Override
      public ProviderEvaluation<Double> getDoubleEvaluation(
          String key, Double whenAbsent, EvaluationContext context) {
        return plain.getDoubleEvaluation(key, whenAbsent, context);
      }

      @Override
      public ProviderEvaluation<Value> getObjectEvaluation(
          String key, Value whenAbsent, EvaluationContext context) {
        return plain.getObjectEvaluation(key, whenAbsent, context);
      }
    };
  }
}
