package dev.sluice.activities.temporal;

import static dev.sluice.activities.delta.DeltaActions.add;
import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.mappedField;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.remove;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static dev.sluice.activities.temporal.CheckedRuns.SPARE_BYTES;
import static dev.sluice.activities.temporal.CheckedRuns.at;
import static dev.sluice.activities.temporal.CheckedRuns.check;
import static dev.sluice.activities.temporal.CheckedRuns.failed;
import static dev.sluice.activities.temporal.CheckedRuns.landInstead;
import static dev.sluice.activities.temporal.CheckedRuns.names;
import static dev.sluice.activities.temporal.CheckedRuns.results;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.landing.DeletedRows;
import dev.sluice.activities.storage.ObjectKeys;
import dev.sluice.activities.storage.TransferMonitor;
import dev.sluice.activities.verify.CheckLayer;
import dev.sluice.activities.verify.CheckLayer.Below;
import dev.sluice.activities.verify.CheckRules;
import dev.sluice.activities.verify.Depth;
import dev.sluice.activities.verify.SqlCheck;
import dev.sluice.catalog.TableName;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever goes wrong between a Delta version's rows and what would be published is found by the
 * depth that is documented for it, and the table stays as it was (issue 5, done when 4).
 */
class CopyVerificationTest {

  private static final String ROWS =
      "SELECT range::INT AS id, (range %% 3)::VARCHAR AS t, range * 1.5::DOUBLE AS amount"
          + " FROM range(%d, %d)";
  private static final String COLUMNS =
      schema(field("id", "integer"), field("t", "string"), field("amount", "double"));
  private static final String WITH_DELETES = "deletionVectors";

  private static RegisterFixture local;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    local = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    local.close();
  }

  @AfterEach
  void withoutFaults() {
    local.lakeFault = lake -> lake;
    local.plans = CheckRules.DEFAULT;
    local.options = Sources.Options.defaults();
  }

  @ParameterizedTest
  @EnumSource(Depth.class)
  @DisplayName("CPY-09: an honest copy passes at every depth, deleted rows apart")
  void cpy09_anHonestCopyPassesAtEveryDepth(Depth depth) {
    local.plans = at(depth);
    DeltaSource delta = awkward(local, "honest_" + depth.name().toLowerCase(Locale.ROOT));

    RegisterResult first = delta.copy(0);

    assertThat(first.reason()).isNull();
    assertThat(first.rows()).isEqualTo(5);
    assertThat(local.eventKinds(delta.source())).contains(EventKind.REWRITTEN);
    assertThat(results(local, delta.source(), "v0")).isNotEmpty().allMatch(CheckResult::passed);
    assertThat(names(results(local, delta.source(), "v0")))
        .contains("row_count", "row_count.source", "file_count", "deleted_rows")
        .matches(names -> names.contains("schema_hash") == depth.includes(Depth.COLUMNS))
        .matches(names -> names.contains("partition_counts.p") == depth.includes(Depth.COLUMNS))
        .matches(names -> names.contains("partition_counts.day") == depth.includes(Depth.COLUMNS))
        .matches(names -> names.contains("key_cardinality.id") == depth.includes(Depth.COLUMNS))
        .matches(names -> names.contains("null_count.moment") == depth.includes(Depth.COLUMNS))
        .matches(names -> names.contains("max.late") == depth.includes(Depth.COLUMNS))
        .matches(names -> names.contains("content") == depth.includes(Depth.CONTENT))
        .matches(names -> names.contains("content.nested") == depth.includes(Depth.CONTENT));

    // a file that stays, of which one more row is deleted, beside a new one
    RegisterResult second = delta.copy(1);

    assertThat(second.reason()).isNull();
    assertThat(second.rows()).isEqualTo(5);
    assertThat(results(local, delta.source(), "v1")).allMatch(CheckResult::passed);
  }

  @Test
  void contentOnS3IsReadFromBothBuckets(@TempDir Path scratch) throws SQLException {
    try (RegisterFixture s3 = RegisterFixture.onS3(scratch)) {
      s3.plans =
          at(
              Depth.CONTENT,
              check("sum", "SELECT sum(id) FROM {table}", 0, 0),
              check(
                  "rows",
                  "SELECT count(*) FROM {source} WHERE $source_table_uri LIKE 's3://%'",
                  5,
                  0));
      DeltaSource delta = awkward(s3, "s3");

      assertThat(delta.copy(0).reason()).isNull();

      assertThat(results(s3, delta.source(), "v0"))
          .allMatch(CheckResult::passed)
          .hasSizeGreaterThan(25);
    }
  }

  /**
   * Column mapping with nested columns, partitions with NULL and with texts that look like it, a
   * file that must be written anew, one that the log does not count, one that lacks a column, and
   * deleted rows.
   */
  private static DeltaSource awkward(RegisterFixture path, String table) {
    DeltaSource delta = new DeltaSource(path, table);
    String nested =
        "{\"type\":\"struct\",\"fields\":["
            + mappedField("inner", "integer", 11, "c-11")
            + ","
            + mappedField(
                "list",
                "{\"type\":\"array\",\"elementType\":\"string\",\"containsNull\":true}",
                12,
                "c-12")
            + "]}";
    String columns =
        schema(
            mappedField("id", "integer", 1, "c-1"),
            mappedField("moment", "timestamp_ntz", 2, "c-2"),
            mappedField("nested", nested, 3, "c-3"),
            mappedField("p", "string", 4, "c-4"),
            mappedField("day", "date", 5, "c-5"),
            mappedField("late", "double", 6, "c-6"));
    String select =
        "SELECT unnest([%1$d, %2$d, NULL])::INT AS \"c-1\","
            + " TIMESTAMP '1969-12-31 23:59:59.5' AS \"c-2\","
            + " {'c-11': 7, 'c-12': ['a', NULL]}::STRUCT(\"c-11\" INT, \"c-12\" VARCHAR[]) AS \"c-3\"";
    String whole =
        delta
            .file("a.parquet", 3, select.formatted(1, 2) + ", 'NaN'::DOUBLE AS \"c-6\"")
            .partition("c-4", "NULL")
            .partition("c-5", "2024-02-29")
            .inlineDeletes(2)
            .toString();
    delta
        .folder()
        .commit(
            0,
            protocol(WITH_DELETES, "columnMapping", "timestampNtz", "typeWidening"),
            metadata(columns, Map.of("delta.columnMapping.mode", "name"), "p", "day"),
            whole,
            delta
                .file("b.parquet", 2, "SELECT 3::INT AS \"c-1\", DATE '2020-01-01' AS \"c-2\"")
                .statistics("{}")
                .partition("c-4", null)
                .partition("c-5", ""),
            delta
                .file("c.parquet", 3, select.formatted(4, 5) + ", -0.0::DOUBLE AS \"c-6\"")
                .partition("c-4", "50%")
                .partition("c-5", "0001-01-01")
                .inlineDeletes(0));
    delta
        .folder()
        .commit(
            1,
            removed(whole),
            add("a.parquet")
                .size(delta.folder().sizeBytes("a.parquet"))
                .rows(3)
                .partition("c-4", "NULL")
                .partition("c-5", "2024-02-29")
                .inlineDeletes(0, 2),
            delta
                .file("d.parquet", 1, "SELECT 9::INT AS \"c-1\", 1e300::DOUBLE AS \"c-6\"")
                .partition("c-4", "")
                .partition("c-5", null));
    return delta;
  }

  @Test
  void columnsAreFoundByTheirFieldIds() {
    local.plans = at(Depth.CONTENT);
    DeltaSource delta = new DeltaSource(local, "by_ids");
    delta
        .folder()
        .parquet("a.parquet", "SELECT 1::INT AS x, 2::INT AS y", ", FIELD_IDS {x: 2, y: 1}")
        .commit(
            0,
            protocol("columnMapping"),
            metadata(
                schema(mappedField("x", "integer", 1, "x"), mappedField("y", "integer", 2, "y")),
                Map.of("delta.columnMapping.mode", "id")),
            add("a.parquet").size(delta.folder().sizeBytes("a.parquet")).rows(1));

    assertThat(delta.copy(0).reason()).isNull();

    assertThat(results(local, delta.source(), "v0"))
        .allMatch(CheckResult::passed)
        .filteredOn(check -> check.name().equals("max.x"))
        .extracting(CheckResult::expected)
        .containsExactly("2");
  }

  @Test
  void deletedRowsThatAreRemovedAreNoContentOnEitherSide() {
    local.plans = at(Depth.CONTENT);
    local.options =
        new Sources.Options(
            local.options.match(),
            local.options.schemaPolicy(),
            local.options.foreignContent(),
            DeletedRows.REMOVE);
    DeltaSource delta = awkward(local, "removed");

    assertThat(delta.copy(0).reason()).isNull();

    assertThat(results(local, delta.source(), "v0"))
        .allMatch(CheckResult::passed)
        .filteredOn(check -> check.name().equals("deleted_rows"))
        .extracting(CheckResult::observed)
        .containsExactly("2");
  }

  @Test
  void aFlippedValueIsFoundByContent() throws SQLException {
    DeltaSource delta = published("flipped");
    landInstead(
        local, "b.parquet", ROWS.formatted(10, 20).replace("* 1.5", "* IF(range = 13, 2, 1.5)"));
    local.plans = at(Depth.CONTENT);

    RegisterResult result = refused(delta);

    assertThat(failed(local, delta.source(), "v1"))
        .containsExactlyInAnyOrder("content", "content.amount");
    assertThat(result.reason()).contains("content.amount: expected 18 rows, ");
  }

  @Test
  void aFlippedValueInAFileThatIsWrittenAnewIsFoundByContent() throws SQLException {
    local.options =
        new Sources.Options(
            local.options.match(),
            local.options.schemaPolicy(),
            local.options.foreignContent(),
            DeletedRows.REMOVE);
    DeltaSource delta = published("rewritten_wrong");
    byte[] other = local.parquet(ROWS.formatted(0, 10).replace("* 1.5", "* 2"));
    local.lakeFault =
        lake ->
            FaultyStore.in(
                lake,
                (real, from, object, key) ->
                    ObjectKeys.fileName(object.key()).equals("a.parquet")
                        ? real.put(key, PreparedFiles.padded(other, object.sizeBytes()))
                        : real.copyFrom(from, object, key, TransferMonitor.NONE));
    local.plans = at(Depth.CONTENT);

    refused(delta);

    assertThat(failed(local, delta.source(), "v1"))
        .containsExactlyInAnyOrder("content", "content.amount");
  }

  @Test
  void aDroppedRowIsFoundByCounts() throws SQLException {
    DeltaSource delta = published("dropped");
    landInstead(local, "b.parquet", ROWS.formatted(10, 19));

    assertThat(refused(delta).reason())
        .contains("row_count: expected 18 but observed 17")
        .contains("row_count.source: expected 18 but observed 17");
  }

  @Test
  void aFileInPlaceOfAnotherIsFoundByColumns() throws SQLException {
    DeltaSource delta = published("doubled");
    // as many rows as the file that is missing
    landInstead(local, "b.parquet", ROWS.formatted(0, 10));
    local.plans = at(Depth.COLUMNS);

    RegisterResult result = refused(delta);

    assertThat(failed(local, delta.source(), "v1")).contains("max.id", "key_cardinality.id");
    assertThat(result.reason()).contains("max.id: expected 19 but observed 9");
  }

  @Test
  void aDoubledFileWithTheSameBoundsIsFoundByContent() throws SQLException {
    DeltaSource delta = new DeltaSource(local, "twins");
    String odd = "SELECT unnest([1, 9, %d])::INT AS g";
    delta
        .folder()
        .commit(
            0,
            protocol(),
            metadata(schema(field("g", "integer"))),
            delta.file("a.parquet", 3, odd.formatted(3)),
            delta.file("b.parquet", 3, odd.formatted(5)));
    assertThat(delta.copy(0).reason()).isNull();
    delta.folder().commit(1, remove("b.parquet"), delta.file("c.parquet", 3, odd.formatted(7)));
    landInstead(local, "c.parquet", odd.formatted(3));
    local.plans = at(Depth.CONTENT);

    assertThat(delta.copy(1).failureType()).isEqualTo(FailureTypes.VERIFICATION_FAILED);

    assertThat(failed(local, delta.source(), "v1"))
        .containsExactlyInAnyOrder("content", "content.g");
    assertThat(delta.ask("SELECT sum(g) FROM t")).containsExactly(List.of("28"));
  }

  @Test
  @DisplayName("CPY-09: other rows deleted than the log says are found by content")
  void cpy09_otherRowsDeletedAreFoundByContent() throws SQLException {
    DeltaSource delta = published("other_deletes");
    // what landing was told is not what the log says when it is read for the verification
    afterCopies(2, () -> commit(delta, 1, 4));
    local.plans = at(Depth.CONTENT);

    refused(delta);

    assertThat(failed(local, delta.source(), "v1"))
        .contains("content", "content.id")
        .doesNotContain("deleted_rows");
  }

  @Test
  @DisplayName("CPY-09: fewer rows deleted than the log says are found by counts")
  void cpy09_fewerRowsDeletedAreFoundByCounts() throws SQLException {
    DeltaSource delta = published("fewer_deletes");
    afterCopies(2, () -> commit(delta, 1, 3, 4));

    assertThat(refused(delta).reason())
        .contains("row_count: expected 17 but observed 18")
        .contains("deleted_rows: expected 3 but observed 2");
  }

  @Test
  void rowsOfAnotherPartitionAreFoundByColumns() throws SQLException {
    DeltaSource delta = new DeltaSource(local, "moved");
    String file = delta.file("a.parquet", 2, "SELECT range::INT AS id FROM range(2)").toString();
    String columns = schema(field("id", "integer"), field("p", "string"));
    String empty = "\"partitionValues\":{}";
    delta
        .folder()
        .commit(
            0,
            protocol(),
            metadata(columns, "p"),
            file.replace(empty, "\"partitionValues\":{\"p\":\"x\"}"));
    afterCopies(
        1,
        () ->
            delta
                .folder()
                .commit(
                    0,
                    protocol(),
                    metadata(columns, "p"),
                    file.replace(empty, "\"partitionValues\":{\"p\":\"y\"}")));
    local.plans = at(Depth.COLUMNS);

    RegisterResult result = delta.copy(0);

    assertThat(result.failureType()).isEqualTo(FailureTypes.VERIFICATION_FAILED);
    assertThat(result.reason()).contains("partition_counts.p: expected x: 0, y: 2 but observed");
    assertThat(local.publications(delta.source())).isEmpty();
  }

  @Test
  void anotherColumnThanTheLogHasIsFoundByColumns() throws SQLException {
    DeltaSource delta = published("retyped");
    afterCopies(
        2,
        () ->
            delta
                .folder()
                .commit(
                    1,
                    metadata(schema(field("id", "integer"), field("t", "string"))),
                    remove("old.parquet"),
                    first(delta, 1, 3),
                    add("b.parquet").size(delta.folder().sizeBytes("b.parquet")).rows(10)));
    local.plans = at(Depth.COLUMNS);

    assertThat(refused(delta).reason())
        .contains("schema_hash")
        .contains("column amount is only in what was landed");
  }

  @Test
  void aFailedQueryFailsTheAttemptAndAllOtherResultsAreKept() throws SQLException {
    DeltaSource delta = published("queries");
    local.plans =
        at(
            Depth.COUNTS,
            check("near", "SELECT count(*) FROM {landed}", 20, 2),
            check("far", "SELECT count(*) FROM {landed}", 20, 1.9),
            check("broken", "SELECT no_such_column FROM {table}", 0, 0),
            check("same", "SELECT sum(amount) FROM {table} WHERE $team_id = 2", 0, 0),
            check("both", "SELECT count(*) FROM {source} s ANTI JOIN {landed} l USING (id)", 0, 0));

    refused(delta);

    assertThat(failed(local, delta.source(), "v1")).containsExactlyInAnyOrder("far", "broken");
    assertThat(names(results(local, delta.source(), "v1")))
        .contains("row_count", "deleted_rows", "near", "same", "both");
  }

  @Test
  void whatIsSaidForATableOverridesWhatIsSaidForAll() throws SQLException {
    DeltaSource strict = published("strict");
    DeltaSource relaxed = published("relaxed");
    SqlCheck none = check("few", "SELECT count(*) FROM {landed}", 0, 0);
    SqlCheck some = check("few", "SELECT count(*) FROM {landed}", 0, 100);
    local.plans =
        new CheckRules(
            new CheckLayer(Below.INHERIT, Depth.CONTENT, null, Map.of(), List.of(none)),
            Map.of(),
            Map.of(
                new TableName(relaxed.source().schema(), relaxed.source().published()),
                new CheckLayer(
                    Below.INHERIT, Depth.COUNTS, null, Map.of("row_count", 1.0), List.of(some))));
    landInstead(local, "b.parquet", ROWS.formatted(10, 19));

    refused(strict);
    assertThat(failed(local, strict.source(), "v1")).contains("row_count", "content", "few");

    assertThat(relaxed.copy(1).reason()).isNull();
    assertThat(results(local, relaxed.source(), "v1"))
        .allMatch(CheckResult::passed)
        .extracting(CheckResult::name, CheckResult::tolerance)
        .contains(tuple("few", 100.0), tuple("row_count", 1.0), tuple("row_count.source", 1.0));
    assertThat(names(results(local, relaxed.source(), "v1")))
        .doesNotContain("content", "schema_hash");
  }

  @Test
  @DisplayName("CPY-12: files that vanish before they are read again lead to a newer version")
  void cpy12_filesThatVanishBeforeTheVerificationLeadToANewerVersion() throws SQLException {
    DeltaSource delta = published("vanished");
    afterCopies(
        2,
        () ->
            delta
                .folder()
                .commit(
                    2,
                    removed(first(delta, 1, 3)),
                    remove("b.parquet"),
                    delta.file("all.parquet", 2, ROWS.formatted(0, 2)))
                .delete("a.parquet")
                .delete("b.parquet"));
    local.plans = at(Depth.CONTENT);

    RegisterResult result = delta.copy(1);

    assertThat(result.reason()).isNull();
    assertThat(result.generation()).isEqualTo("v2");
    assertThat(delta.ask("SELECT count(*), sum(id) FROM t")).containsExactly(List.of("2", "1"));
  }

  /** Five rows live as version 0, and eighteen in two files as version 1: two are deleted. */
  private static DeltaSource published(String table) throws SQLException {
    DeltaSource delta = new DeltaSource(local, table);
    delta
        .folder()
        .commit(
            0,
            protocol(WITH_DELETES),
            metadata(COLUMNS),
            delta.file("old.parquet", 5, ROWS.formatted(0, 5)));
    assertThat(delta.copy(0).reason()).isNull();
    padded(delta, "a.parquet", ROWS.formatted(0, 10));
    padded(delta, "b.parquet", ROWS.formatted(10, 20));
    commit(delta, 1, 3);
    return delta;
  }

  private static void commit(DeltaSource delta, long... deleted) {
    delta
        .folder()
        .commit(
            1,
            remove("old.parquet"),
            first(delta, deleted),
            add("b.parquet").size(delta.folder().sizeBytes("b.parquet")).rows(10));
  }

  private static String first(DeltaSource delta, long... deleted) {
    return add("a.parquet")
        .size(delta.folder().sizeBytes("a.parquet"))
        .rows(10)
        .inlineDeletes(deleted)
        .toString();
  }

  /** A removal names the deletion vector of what it removes. */
  private static String removed(String added) {
    return added.replaceFirst("^\\{\"add\"", "{\"remove\"");
  }

  private static void padded(DeltaSource delta, String file, String select) throws SQLException {
    byte[] content = local.parquet(select);
    delta.folder().write(file, PreparedFiles.padded(content, content.length + SPARE_BYTES));
  }

  /** Something that happens once everything was planned and so many files are copied. */
  private static void afterCopies(int files, Runnable change) {
    AtomicInteger copied = new AtomicInteger();
    local.lakeFault =
        lake ->
            FaultyStore.watched(
                lake,
                key -> {
                  if (copied.incrementAndGet() == files) {
                    change.run();
                  }
                });
  }

  /** Copies version 1, which must fail and change nothing. */
  private static RegisterResult refused(DeltaSource delta) throws SQLException {
    RegisterResult result = delta.copy(1);

    assertThat(result.reason()).contains("version 1 is not what the source has");
    assertThat(result.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(result.failureType()).isEqualTo(FailureTypes.VERIFICATION_FAILED);
    assertThat(result.reason()).contains("the live table is untouched; copy the version again");
    assertThat(delta.ask("SELECT count(*), sum(id) FROM t")).containsExactly(List.of("5", "10"));
    String state =
        local.lakeState.read(
            dsl ->
                dsl.fetchSingle(
                        "SELECT state FROM sluice.landing WHERE generation = 'v1' AND source_schema_id = ?",
                        delta.source().schemaId())
                    .get("state", String.class));
    assertThat(state).isEqualTo("quarantined");
    return result;
  }
}
