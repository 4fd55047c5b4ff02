package dev.sluice.activities.temporal;

import static dev.sluice.activities.temporal.CheckedRuns.SPARE_BYTES;
import static dev.sluice.activities.temporal.CheckedRuns.at;
import static dev.sluice.activities.temporal.CheckedRuns.check;
import static dev.sluice.activities.temporal.CheckedRuns.failed;
import static dev.sluice.activities.temporal.CheckedRuns.landInstead;
import static dev.sluice.activities.temporal.CheckedRuns.names;
import static dev.sluice.activities.temporal.CheckedRuns.results;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.verify.CheckRules;
import dev.sluice.activities.verify.Depth;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.naming.LandingPrefix;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever goes wrong between a source's rows and what would be published is found by the depth
 * that is documented for it, and the table stays as it was (issue 5, done when 4).
 */
class RegisterVerificationTest {

  private static final String ROWS =
      "SELECT range AS id, (range %% 3)::VARCHAR AS t, range * 1.5 AS amount FROM range(%d, %d)";

  private static RegisterFixture local;
  private static RegisterFixture onS3;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    local = RegisterFixture.local(scratch.resolve("local"));
    onS3 = RegisterFixture.onS3(scratch.resolve("s3"));
  }

  @AfterAll
  static void stop() throws SQLException {
    local.close();
    onS3.close();
  }

  @AfterEach
  void withoutFaults() {
    local.lakeFault = lake -> lake;
    local.plans = CheckRules.DEFAULT;
    onS3.plans = CheckRules.DEFAULT;
  }

  @ParameterizedTest
  @EnumSource(Depth.class)
  void anHonestLandingPassesAtEveryDepth(Depth depth) throws SQLException {
    Source source = awkward(local, depth.name().toLowerCase(Locale.ROOT));
    local.plans = at(depth);

    RegisterResult result = local.run(source.trigger(100));

    assertThat(result.reason()).isNull();
    List<CheckResult> checks = results(local, source, "100");
    assertThat(checks).isNotEmpty().allMatch(CheckResult::passed);
    assertThat(names(checks))
        .contains("row_count", "file_count", "byte_count")
        .matches(names -> names.contains("schema_hash") == depth.includes(Depth.COLUMNS))
        .matches(names -> names.contains("partition_counts.p") == depth.includes(Depth.COLUMNS))
        .matches(names -> names.contains("key_cardinality.id") == depth.includes(Depth.COLUMNS))
        .matches(names -> names.contains("content") == depth.includes(Depth.CONTENT))
        .matches(names -> names.contains("content.nested") == depth.includes(Depth.CONTENT));
  }

  @Test
  void contentOnS3IsReadFromBothBuckets() throws SQLException {
    Source source = awkward(onS3, "s3");
    onS3.plans =
        at(
            Depth.CONTENT,
            check("sum", "SELECT sum(id) FROM {table}", 0, 0),
            check(
                "source",
                "SELECT count(*) FROM {source} WHERE $source_table_uri LIKE 's3://%'",
                4,
                0));

    assertThat(onS3.run(source.trigger(100)).reason()).isNull();

    assertThat(results(onS3, source, "100")).allMatch(CheckResult::passed).hasSizeGreaterThan(20);
  }

  /**
   * Awkward values, nested columns, partitions with NULL and percent signs, a column that one file
   * lacks.
   */
  private static Source awkward(RegisterFixture path, String table) throws SQLException {
    Source source = path.newSource(table);
    String first =
        """
        SELECT 1::BIGINT AS id, 'NaN'::DOUBLE AS f, NULL::VARCHAR AS t, '\\x00\\xFF'::BLOB AS b,
          TIMESTAMP '1969-07-20 20:17:40.123456' AS at_1969, -0.01::DECIMAL(38, 2) AS d,
          {'a': [1, NULL], 'm': MAP {'k': NULL::INTEGER}} AS nested
        UNION ALL SELECT 2, '-0.0', '', ''::BLOB, TIMESTAMP '0001-01-01', 1e30::DECIMAL(38, 2), NULL
        """;
    path.write(source, 100, "p=a%20b/one.parquet", first);
    path.write(source, 100, "p=__HIVE_DEFAULT_PARTITION__/two.parquet", first);
    path.write(source, 100, "p=ä/empty.parquet", first + " LIMIT 0");
    return source;
  }

  @Test
  void aFlippedValueIsFoundByContent() throws SQLException {
    Source source = published("flipped");
    landInstead(
        local, "b.parquet", ROWS.formatted(10, 20).replace("* 1.5", "* IF(range = 13, 2, 1.5)"));
    local.plans = at(Depth.CONTENT);

    RegisterResult result = refused(source);

    assertThat(failed(local, source, "200"))
        .contains("content", "content.amount")
        .doesNotContain("content.id");
    assertThat(result.reason()).contains("content.amount: expected 20 rows, ");
  }

  @Test
  void aDroppedRowIsFoundByCounts() throws SQLException {
    Source source = published("dropped");
    landInstead(local, "b.parquet", ROWS.formatted(10, 19));

    assertThat(refused(source).reason()).contains("row_count: expected 20 but observed 19");
  }

  @Test
  void aFileInPlaceOfAnotherIsFoundByColumns() throws SQLException {
    Source source = published("doubled");
    // as many rows as the file that is missing
    landInstead(local, "b.parquet", ROWS.formatted(0, 10));
    local.plans = at(Depth.COLUMNS);

    RegisterResult result = refused(source);

    assertThat(failed(local, source, "200")).contains("max.id", "key_cardinality.id");
    assertThat(result.reason()).contains("key_cardinality.id: expected 20 but observed 10");
  }

  @Test
  void aDoubledFileWithTheSameBoundsIsFoundByContent() throws SQLException {
    Source source = local.newSource("twins");
    String odd = "SELECT 1 AS g UNION ALL SELECT 9 UNION ALL SELECT ";
    local.write(source, 100, "a.parquet", odd + 3);
    local.write(source, 100, "b.parquet", odd + 5);
    assertThat(local.run(source.trigger(100)).reason()).isNull();
    local.write(source, 200, "a.parquet", odd + 3);
    local.write(source, 200, "b.parquet", odd + 7);
    landInstead(local, "b.parquet", odd + 3);
    local.plans = at(Depth.CONTENT);

    assertThat(local.run(source.trigger(200)).status()).isEqualTo(RegisterStatus.FAILED);

    assertThat(failed(local, source, "200")).containsExactlyInAnyOrder("content", "content.g");
    assertThat(local.duckDb("SELECT sum(g) FROM " + source.sql())).containsExactly(List.of("28"));
  }

  @Test
  void aFailedQueryFailsTheAttemptAndAllOtherResultsAreKept() throws SQLException {
    Source source = published("queries");
    local.plans =
        at(
            Depth.COUNTS,
            check("near", "SELECT sum(amount) FROM {landed}", 280, 5.0),
            check("far", "SELECT sum(amount) FROM {landed}", 280, 4.9),
            check("broken", "SELECT no_such_column FROM {table}", 0, 0),
            check("same", "SELECT count(*) FROM {table} WHERE $team_id = 2", 0, 0),
            check(
                "both",
                "SELECT count(*) FROM {source} s ANTI JOIN {landed} l USING (id, t, amount)",
                0,
                0));

    RegisterResult result = refused(source);

    assertThat(failed(local, source, "200")).containsExactlyInAnyOrder("far", "broken");
    assertThat(result.reason())
        .contains("far: expected 280 but observed 285")
        .contains("broken: the query gives no number to compare; ")
        .contains("no_such_column");
    assertThat(results(local, source, "200"))
        .filteredOn(check -> check.name().equals("same"))
        .singleElement()
        .satisfies(
            check -> {
              assertThat(check.statement())
                  .isEqualTo("SELECT count(*) FROM \"landed\" WHERE $team_id = 2");
              assertThat(check.observed()).isEqualTo("20");
              assertThat(check.expected()).isEqualTo("20");
            });
  }

  @Test
  void aFileThatDuckDbCannotReadFailsItsChecksAndNotTheCounting() throws SQLException {
    Source source = published("garbled");
    local.plans = at(Depth.CONTENT);
    local.lakeFault =
        lake ->
            FaultyStore.in(
                lake,
                (real, from, object, key) -> {
                  byte[] content = from.read(object.key(), 0, Math.toIntExact(object.sizeBytes()));
                  // the first page, not the footer
                  Arrays.fill(content, 4, 44, (byte) 0x7F);
                  return real.put(key, content);
                });

    RegisterResult result = refused(source);

    assertThat(result.reason()).contains("content: what was landed: DuckDB cannot read it");
    assertThat(failed(local, source, "200"))
        .contains("content", "content.id")
        .doesNotContain("row_count");
  }

  /** Twenty rows in two files, live as generation 100 and prepared as 200. */
  private static Source published(String table) throws SQLException {
    Source source = local.newSource(table);
    local.write(source, 100, "live.parquet", ROWS.formatted(0, 5));
    assertThat(local.run(source.trigger(100)).reason()).isNull();
    local.write(source, 200, "a.parquet", ROWS.formatted(0, 10));
    byte[] second = local.parquet(ROWS.formatted(10, 20));
    local.put(
        source.folder(200), "b.parquet", PreparedFiles.padded(second, second.length + SPARE_BYTES));
    return source;
  }

  /** Runs generation 200, which must fail and change nothing. */
  private static RegisterResult refused(Source source) throws SQLException {
    RegisterResult result = local.run(source.trigger(200));

    assertThat(result.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(result.failureType()).isEqualTo(FailureTypes.VERIFICATION_FAILED);
    assertThat(result.reason()).contains("the live table is untouched; run the import again");
    assertThat(local.duckDb("SELECT count(*), sum(id) FROM " + source.sql()))
        .containsExactly(List.of("5", "10"));
    LandingLedger.Key landing =
        new LandingLedger.Key(
            local.catalog.info().key(),
            LandingPrefix.of(
                    source.schema(),
                    source.published(),
                    source.schemaId(),
                    source.trigger(200).jobId(),
                    source.trigger(200).generation())
                .value());
    assertThat(local.lakeState.read(dsl -> LandingLedger.find(dsl, landing)).orElseThrow().state())
        .isEqualTo(LandingLedger.LandingState.QUARANTINED);
    return result;
  }
}
