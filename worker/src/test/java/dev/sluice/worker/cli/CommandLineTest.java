package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.TableName;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How commands read their arguments, and how they end. */
class CommandLineTest {

  private static final String MARK = "password-mark-7f3a91";

  @TempDir private Path folder;

  @Test
  void withoutCommandTheHelpNamesEveryCommandAndExitCode() {
    CliRun run = CliRun.of();

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("demo", "dev", "migrate", "worker", "scan", "start", "jobs", "why", "generations")
        .contains("sql", "changes", "explain", "tables", "describe", "files", "snapshots")
        .contains("Exit codes: 0 done, 1 failed, 2 usage, 3 refused, 4 conflict, 5 outcome");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "dev",
        "migrate",
        "worker",
        "scan",
        "sql",
        "changes",
        "explain",
        "tables",
        "describe",
        "files",
        "snapshots",
        "start",
        "jobs",
        "why",
        "generations"
      })
  void everyCommandExplainsItself(String command) {
    CliRun run = CliRun.of(command, "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("Usage: ./sluice " + command);
    assertThat(run.err()).isEmpty();
  }

  @Test
  void anUnknownCommandIsAUsageError() {
    CliRun run = CliRun.of("demonstrate");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("demonstrate");
  }

  @Test
  void aNameThatIsNotQualifiedIsAUsageError() {
    CliRun run = CliRun.of("why", "invoices");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "sluice: table invoices: not a qualified name; required: SCHEMA.TABLE or SCHEMA TABLE"
                + System.lineSeparator());
  }

  @Test
  void aFolderWithNothingPreparedIsRefusedWithTheLayoutThatIsRequired() {
    CliRun run = CliRun.of("demo", "--source", folder.toString());

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("source " + folder + ": nothing to import")
        .contains("team_<team>_<source type>_<source schema UUID>/<table>__query_<epoch seconds>")
        .doesNotContain("\tat ");
  }

  @Test
  void verboseFailuresComeWithTheirStackTrace() {
    CliRun run = CliRun.of("demo", "--source", folder.toString(), "--verbose");

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err()).contains("DemoException").contains("\tat ");
  }

  @Test
  void anUnknownKeyOfTheConfigurationIsAUsageError() throws IOException {
    Path file = Files.writeString(folder.resolve("wrong.yaml"), "mode: development\nlaks: {}\n");

    CliRun run = CliRun.of("jobs", "--config", file.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("laks").contains("lakes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--verbose", "--json"})
  void noPasswordIsPrintedWhenTheDatabaseCannotBeReached(String option) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("unreachable.yaml"),
            """
            mode: development
            home: {database: {host: 127.0.0.1, port: 1, user: me, password: %s}}
            """
                .formatted(MARK));

    CliRun run =
        option.isEmpty()
            ? CliRun.of("jobs", "--config", file.toString())
            : CliRun.of("jobs", option, "--config", file.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("127.0.0.1:1").doesNotContain(MARK);
  }

  @ParameterizedTest
  @CsvSource({
    FailureTypes.BAD_SOURCE + ",3",
    FailureTypes.SCHEMA_MISMATCH + ",3",
    FailureTypes.MISCONFIGURED + ",3",
    FailureTypes.FOREIGN_CONTENT + ",3",
    FailureTypes.NAME_TAKEN + ",4",
    FailureTypes.LOGICAL_CONFLICT + ",4",
    FailureTypes.COMMIT_OUTCOME_UNKNOWN + ",5",
    FailureTypes.VERIFICATION_FAILED + ",1",
    FailureTypes.UNAVAILABLE + ",1",
    "SomethingElse,1"
  })
  void failureTypesHaveTheirExitCodes(String type, int code) {
    assertThat(ExitCodes.of(ApplicationFailure.newFailure("m", type)).code()).isEqualTo(code);
    assertThat(
            ExitCodes.of(new IllegalStateException(ApplicationFailure.newFailure("m", type)))
                .code())
        .isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "COMPLETED,,0",
    "STALE,,0",
    "STALE," + FailureTypes.ATTEMPT_FENCED + ",4",
    "SKIPPED,,3",
    "FAILED,,1",
    "FAILED," + FailureTypes.REGISTER_FAILED + ",1",
    "FAILED," + FailureTypes.INVALID_INPUT + ",3",
    "FAILED," + FailureTypes.NAME_TAKEN + ",4",
    "FAILED," + FailureTypes.COMMIT_OUTCOME_UNKNOWN + ",5",
    "FAILED," + FailureTypes.VERIFICATION_FAILED + ",1"
  })
  void outcomesHaveTheirExitCodes(RegisterStatus status, @Nullable String type, int code) {
    RegisterResult outcome =
        new RegisterResult(
            status, "because", type, "job:1", "1", null, null, null, null, null, null);

    assertThat(ExitCodes.of(outcome).code()).isEqualTo(code);
  }

  @Test
  @DisplayName("WFL-07: a trigger that cannot be sent is reported as failed")
  void wfl07_aTriggerThatCannotBeSentIsReportedAsFailed() throws IOException {
    CliRun run = register("invoices__query_1785365521_5be1a0c7", "job");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("sluice: Temporal at 127.0.0.1:1: cannot be reached: ");
  }

  @ParameterizedTest
  @CsvSource({
    "'',job,no producer order can be derived",
    "a/b__query_1,job,contains a slash",
    "invoices__query_1,' ',the job id is empty",
    "invoices,job,no producer order can be derived"
  })
  void aBadTriggerIsRefusedBeforeAnythingIsContacted(String prepared, String job, String reason)
      throws IOException {
    CliRun run = register(prepared, job);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
    assertThat(run.err()).contains(reason);
    assertThat(run.err().split("; ")).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void aLongJobIdAndAnUnknownSourceAreRefused() throws IOException {
    CliRun longJob = register("invoices__query_1785365521_5be1a0c7", "j".repeat(10_000));
    CliRun unknown =
        CliRun.of(
            "start",
            "register",
            "--source",
            "nobody",
            "--folder",
            "f__query_1",
            "--config",
            configuration());

    assertThat(longJob.exitCode()).isEqualTo(3);
    assertThat(longJob.err()).contains("the job id has 10000 characters; at most 400 are allowed");
    assertThat(unknown.exitCode()).isEqualTo(3);
    assertThat(unknown.err())
        .contains("source nobody: refused; the configuration has no source of that name; it has")
        .contains("invoices");
  }

  private CliRun register(String prepared, String job) throws IOException {
    return CliRun.of(
        "start",
        "register",
        "--source",
        "invoices",
        "--folder",
        prepared,
        "--job",
        job,
        "--config",
        configuration());
  }

  private String configuration() throws IOException {
    return Files.writeString(
            folder.resolve("one-source.yaml"),
            """
            mode: development
            teams: {1: {}}
            sources: {invoices: {team: 1, id: s-1, type: Stripe, table: invoices}}
            temporal: {address: 127.0.0.1:1}
            """)
        .toString();
  }

  @Test
  void aScanIsAskedForInWordsOrByOptions() {
    ScanOptions words =
        ScanOptions.of(
            List.of("s", "t", "at", "3", "where", "a", ">", "1", "columns", "a,b", "limit", "5"),
            null,
            null,
            null,
            null);
    ScanOptions options = ScanOptions.of(List.of("s.t"), "3", "a > 1", "a, b", "5");

    assertThat(words).isEqualTo(options);
  }

  @ParameterizedTest
  @CsvSource({
    "a.b,,a,b",
    "a,b,a,b",
    "a.b.c,,a,b.c",
    "'\"my.schema\".select',,my.schema,select",
    "'\"my.schema\"',select,my.schema,select",
    "'\"a\"\"b.c\".\"d.e\"',,a\"b.c,d.e",
    "s,'x\"; drop table y; --',s,'x\"; drop table y; --'"
  })
  void tableNamesMayBeQuoted(String first, @Nullable String second, String schema, String table) {
    List<String> words = second == null ? List.of(first) : List.of(first, second);

    assertThat(TableArguments.first(words)).isEqualTo(new TableName(schema, table));
  }

  @Test
  void columnsMayBeQuoted() {
    assertThat(QuotedNames.list("a, \"b,c\" ,d\"e,\"f\"\"g\""))
        .containsExactly("a", "b,c", "d\"e", "f\"g");
  }
}
