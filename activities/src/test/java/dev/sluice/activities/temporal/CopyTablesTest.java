package dev.sluice.activities.temporal;

import static dev.sluice.activities.delta.DeltaActions.add;
import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.mappedField;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.remove;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.landing.DeletedRows;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Delta tables, written by hand, copied from end to end; DuckDB and our own scan read them. */
class CopyTablesTest {

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
  void withoutOptions() {
    path.options = Sources.Options.defaults();
    path.lakeFault = lake -> lake;
  }

  private static void assertCopied(RegisterResult result) {
    assertThat(result.reason()).isNull();
    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
  }

  private static List<@Nullable String> row(@Nullable String... values) {
    return Arrays.asList(values);
  }

  private static final String IDS = schema(field("id", "integer"));

  @Test
  @DisplayName("CPY-01: a location without a log fails at once and names it")
  void cpy01_aLocationWithoutALogFailsAtOnce() {
    DeltaSource files = new DeltaSource(path, "no_log");
    files.folder().parquet("part-0.parquet", "SELECT 1 AS id");
    DeltaSource nothing = new DeltaSource(path, "nothing");

    for (DeltaSource wrong : List.of(files, nothing)) {
      RegisterResult result = wrong.copyNewest("job");
      assertThat(result.status()).isEqualTo(RegisterStatus.FAILED);
      assertThat(result.failureType()).isEqualTo(FailureTypes.BAD_SOURCE);
      assertThat(result.reason()).contains(wrong.source().table()).contains("_delta_log");
      assertThat(path.publications(wrong.source())).isEmpty();
      assertThat(path.attempts(wrong.source())).hasSize(1);
    }
  }

  @Test
  @DisplayName("CPY-02: only files that are live in the version are copied")
  void cpy02_onlyLiveFiles() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "live");
    delta
        .folder()
        .commit(
            0,
            protocol(),
            metadata(IDS),
            delta.file("f1.parquet", 1, "SELECT 1::INT AS id"),
            delta.file("f2.parquet", 1, "SELECT 2::INT AS id"));
    delta
        .folder()
        .commit(1, remove("f2.parquet"), delta.file("f3.parquet", 1, "SELECT 3::INT AS id"))
        .parquet("f9.parquet", "SELECT 9::INT AS id");

    assertCopied(delta.copy(1));

    assertThat(delta.ask("SELECT id FROM t ORDER BY id")).containsExactly(row("1"), row("3"));
    assertThat(path.attempts(delta.source()).get(0).key().path()).isEqualTo(WorkflowPath.COPY);
    assertThat(path.attempts(delta.source()).get(0).generation()).isEqualTo("v1");
  }

  @Test
  @DisplayName("CPY-03: partition values with slash, blank and percent")
  void cpy03_awkwardPartitionValues() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "awkward");
    delta
        .folder()
        .commit(
            0,
            protocol(),
            metadata(schema(field("id", "integer"), field("x", "string")), "x"),
            delta
                .fileAs("x=A%252FA/f.parquet", "x=A%2FA/f.parquet", 1, "SELECT 1::INT AS id")
                .partition("x", "A/A"),
            delta
                .fileAs("x=B%2520B/f.parquet", "x=B%20B/f.parquet", 1, "SELECT 2::INT AS id")
                .partition("x", "B B"),
            delta
                .fileAs("x=50%2525/f.parquet", "x=50%25/f.parquet", 1, "SELECT 3::INT AS id")
                .partition("x", "50%"));

    assertCopied(delta.copy(0));

    assertThat(delta.ask("SELECT id, x FROM t ORDER BY id"))
        .containsExactly(row("1", "A/A"), row("2", "B B"), row("3", "50%"));
    assertThat(path.scan(delta.source())).hasSize(3).contains(row("3", "50%"));
    assertThat(delta.ask("SELECT id FROM t WHERE x = 'A/A'")).containsExactly(row("1"));
  }

  @Test
  @DisplayName("CPY-04: texts that look like NULL stay texts, and NULL stays NULL")
  void cpy04_textsThatLookLikeNull() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "nulls");
    delta
        .folder()
        .commit(
            0,
            protocol(),
            metadata(schema(field("id", "integer"), field("p", "string")), "p"),
            delta.file("a.parquet", 1, "SELECT 1::INT AS id").partition("p", "NULL"),
            delta
                .file("b.parquet", 1, "SELECT 2::INT AS id")
                .partition("p", "__HIVE_DEFAULT_PARTITION__"),
            delta.file("c.parquet", 1, "SELECT 3::INT AS id").partition("p", null),
            delta.file("d.parquet", 1, "SELECT 4::INT AS id").partition("p", "null"));

    assertCopied(delta.copy(0));

    assertThat(delta.ask("SELECT id, p, p IS NULL FROM t ORDER BY id"))
        .containsExactly(
            row("1", "NULL", "false"),
            row("2", "__HIVE_DEFAULT_PARTITION__", "false"),
            row("3", null, "true"),
            row("4", "null", "false"));
    assertThat(delta.ask("SELECT id FROM t WHERE p = 'NULL'")).containsExactly(row("1"));
    assertThat(path.scan(delta.source()))
        .containsExactlyInAnyOrder(
            row("1", "NULL"),
            row("2", "__HIVE_DEFAULT_PARTITION__"),
            row("3", null),
            row("4", "null"));
  }

  @Test
  @DisplayName("CPY-05: an empty partition value is NULL")
  void cpy05_emptyPartitionValues() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "empty_values");
    delta
        .folder()
        .commit(
            0,
            protocol(),
            metadata(
                schema(field("id", "integer"), field("n", "integer"), field("d", "date")),
                "n",
                "d"),
            delta.file("a.parquet", 1, "SELECT 1::INT AS id").partition("n", "").partition("d", ""),
            delta
                .file("b.parquet", 1, "SELECT 2::INT AS id")
                .partition("n", "7")
                .partition("d", "2024-02-29"));

    assertCopied(delta.copy(0));

    assertThat(delta.ask("SELECT * FROM t ORDER BY id"))
        .containsExactly(row("1", null, null), row("2", "7", "2024-02-29"));
    assertThat(delta.ask("SELECT typeof(n), typeof(d) FROM t LIMIT 1"))
        .containsExactly(row("INTEGER", "DATE"));
  }

  @Test
  @DisplayName("CPY-06: times before 1970 as partition values, data and bounds")
  void cpy06_timesBefore1970() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "early");
    delta
        .folder()
        .commit(
            0,
            protocol("timestampNtz"),
            metadata(
                schema(field("moment", "timestamp_ntz"), field("day", "timestamp_ntz")), "day"),
            delta
                .file("a.parquet", 1, "SELECT make_timestamp(-500000::BIGINT) AS moment")
                .partition("day", "1969-12-31 23:59:59.5"),
            delta
                .file("b.parquet", 1, "SELECT make_timestamp(-2342342342::BIGINT) AS moment")
                .partition("day", "1969-12-31 23:20:57.657658"));

    assertCopied(delta.copy(0));

    assertThat(delta.ask("SELECT moment, day FROM t ORDER BY moment"))
        .containsExactly(
            row("1969-12-31 23:20:57.657658", "1969-12-31 23:20:57.657658"),
            row("1969-12-31 23:59:59.5", "1969-12-31 23:59:59.5"));
    assertThat(delta.ask("SELECT count(*) FROM t WHERE moment < TIMESTAMP '1969-12-31 23:59:00'"))
        .containsExactly(row("1"));
  }

  @Test
  @DisplayName("CPY-07: column mapping by name")
  void cpy07_columnMappingByName() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "mapped");
    String both =
        schema(mappedField("id", "integer", 1, "col-1"), mappedField("name", "string", 2, "col-2"));
    delta
        .folder()
        .commit(
            0,
            protocol("columnMapping"),
            metadata(both, Map.of("delta.columnMapping.mode", "name")),
            delta.file("a.parquet", 1, "SELECT 1::INT AS \"col-1\", 'a' AS \"col-2\""));

    assertCopied(delta.copy(0));

    assertThat(delta.ask("SELECT id, name FROM t")).containsExactly(row("1", "a"));
    assertThat(delta.ask("SELECT count(*) FROM t WHERE id > 1")).containsExactly(row("0"));
    assertThat(path.scan(delta.source())).containsExactly(row("1", "a"));

    // a column that was renamed keeps its files
    delta
        .folder()
        .commit(
            1,
            metadata(
                schema(
                    mappedField("id", "integer", 1, "col-1"),
                    mappedField("label", "string", 2, "col-2")),
                Map.of("delta.columnMapping.mode", "name")));
    assertCopied(delta.copy(1));
    assertThat(delta.ask("SELECT id, label FROM t")).containsExactly(row("1", "a"));
  }

  @Test
  @DisplayName("CPY-07: column mapping by field id")
  void cpy07_columnMappingById() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "mapped_ids");
    delta
        .folder()
        .parquet("a.parquet", "SELECT 1::INT AS x, 'a' AS y", ", FIELD_IDS {x: 2, y: 1}")
        .commit(
            0,
            protocol("columnMapping"),
            metadata(
                schema(mappedField("name", "string", 1, "y"), mappedField("id", "integer", 2, "x")),
                Map.of("delta.columnMapping.mode", "id")),
            add("a.parquet").size(delta.folder().sizeBytes("a.parquet")).rows(1));

    assertCopied(delta.copy(0));

    assertThat(delta.ask("SELECT name, id FROM t")).containsExactly(row("a", "1"));
  }

  @Test
  @DisplayName("CPY-08: a partition column under a physical name")
  void cpy08_physicalPartitionColumn() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "batches");
    delta
        .folder()
        .commit(
            0,
            protocol("columnMapping"),
            metadata(
                schema(
                    mappedField("id", "integer", 1, "col-1"),
                    mappedField("BATCH_ID", "integer", 9, "col-9")),
                Map.of("delta.columnMapping.mode", "name"),
                "BATCH_ID"),
            delta
                .file("a.parquet", 3, "SELECT range::INT AS \"col-1\" FROM range(3)")
                .partition("col-9", "7"));

    assertCopied(delta.copy(0));

    assertThat(delta.ask("SELECT DISTINCT \"BATCH_ID\" FROM t")).containsExactly(row("7"));
    assertThat(delta.ask("SELECT count(*) FROM t WHERE \"BATCH_ID\" = 7"))
        .containsExactly(row("3"));
  }

  private static final String WITH_DELETES = "deletionVectors";

  @Test
  @DisplayName("CPY-09: a deletion vector becomes a delete file, and is counted")
  void cpy09_deletionVectors() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "deleted");
    delta
        .folder()
        .commit(
            0,
            protocol(WITH_DELETES),
            metadata(schema(field("x", "integer"))),
            delta
                .file("a.parquet", 4, "SELECT unnest([10, NULL, 12, 13])::INT AS x")
                .inlineDeletes(1, 3));

    RegisterResult result = delta.copy(0);

    assertCopied(result);
    assertThat(result.rows()).isEqualTo(2);
    assertThat(delta.ask("SELECT x FROM t ORDER BY x")).containsExactly(row("10"), row("12"));
    assertThat(delta.ask("SELECT count(*), count(x) FROM t")).containsExactly(row("2", "2"));
    assertThat(path.scan(delta.source())).containsExactlyInAnyOrder(row("10"), row("12"));
  }

  /** A removal names the deletion vector of what it removes. */
  private static String removed(String added) {
    return added.replaceFirst("^\\{\"add\"", "{\"remove\"");
  }

  @Test
  @DisplayName("CPY-09: further deletes of a file that stays leave its row in the catalog open")
  void cpy09_furtherDeletes() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "further");
    String rows = "SELECT range::INT AS x FROM range(10)";
    delta
        .folder()
        .commit(
            0,
            protocol(WITH_DELETES),
            metadata(schema(field("x", "integer"))),
            delta.file("a.parquet", 10, rows));
    String one =
        add("a.parquet")
            .size(delta.folder().sizeBytes("a.parquet"))
            .rows(10)
            .inlineDeletes(1)
            .toString();
    String two =
        add("a.parquet")
            .size(delta.folder().sizeBytes("a.parquet"))
            .rows(10)
            .inlineDeletes(1, 5)
            .toString();
    String other =
        add("a.parquet")
            .size(delta.folder().sizeBytes("a.parquet"))
            .rows(10)
            .inlineDeletes(5)
            .toString();
    delta.folder().commit(1, remove("a.parquet"), one);
    delta.folder().commit(2, removed(one), two);
    delta.folder().commit(3, delta.file("b.parquet", 1, "SELECT 100::INT AS x"));
    delta.folder().commit(4, removed(two), other);

    for (int version = 0; version <= 3; version++) {
      assertCopied(delta.copy(version));
    }
    String objects =
        "SELECT count(*) FROM __ducklake_metadata_lake.ducklake_data_file"
            + " WHERE path LIKE '%a.parquet' AND table_id = "
            + path.publications(delta.source()).get(0).tableId();
    assertThat(path.duckDb(objects)).containsExactly(row("1"));
    assertThat(delta.askAt(3, "SELECT count(*) FROM t")).containsExactly(row("10"));
    assertThat(delta.askAt(2, "SELECT count(*) FROM t")).containsExactly(row("9"));
    assertThat(delta.askAt(1, "SELECT count(*), sum(x) FROM t")).containsExactly(row("8", "39"));
    assertThat(delta.ask("SELECT count(*), sum(x) FROM t")).containsExactly(row("9", "139"));

    // a row that comes back makes a new file
    assertCopied(delta.copy(4));
    assertThat(path.duckDb(objects)).containsExactly(row("2"));
    assertThat(delta.ask("SELECT count(*), sum(x) FROM t")).containsExactly(row("10", "140"));
  }

  @Test
  @DisplayName("CPY-09: deleted rows are removed where the table asks for it")
  void cpy09_deletedRowsAreRemovedOnRequest() throws SQLException {
    path.options =
        new Sources.Options(
            path.options.match(),
            path.options.schemaPolicy(),
            path.options.foreignContent(),
            DeletedRows.REMOVE);
    DeltaSource delta = new DeltaSource(path, "forgotten");
    delta
        .folder()
        .commit(
            0,
            protocol(WITH_DELETES),
            metadata(
                schema(
                    field("x", "integer"),
                    field("moment", "timestamp"),
                    field(
                        "s", "{\"type\":\"struct\",\"fields\":[%s]}".formatted(field("d", "date"))),
                    field("p", "string")),
                "p"),
            delta
                .file(
                    "a.parquet",
                    4,
                    "SELECT range::INT AS x, TIMESTAMPTZ '2024-03-31 02:30:00.123456+00' AS moment,"
                        + " {'d': DATE '2024-03-31'} AS s FROM range(4)")
                .partition("p", "q")
                .inlineDeletes(1, 3),
            delta
                .file(
                    "b.parquet",
                    1,
                    "SELECT 9::INT AS x, NULL::TIMESTAMPTZ AS moment, NULL::STRUCT(d DATE) AS s")
                .partition("p", null));

    assertCopied(delta.copy(0));

    assertThat(
            delta.ask(
                "SELECT x, moment = TIMESTAMPTZ '2024-03-31 02:30:00.123456+00', s.d, p FROM t ORDER BY x"))
        .containsExactly(
            row("0", "true", "2024-03-31", "q"),
            row("2", "true", "2024-03-31", "q"),
            row("9", null, null, null));
    assertThat(path.eventKinds(delta.source())).contains(EventKind.REWRITTEN);
    assertThat(
            path.duckDb(
                "SELECT sum(record_count) FROM __ducklake_metadata_lake.ducklake_data_file WHERE"
                    + " table_id = "
                    + path.publications(delta.source()).get(0).tableId()))
        .containsExactly(row("3"));
  }

  @Test
  @DisplayName("CPY-12: a version that names a missing file is refused before anything is seen")
  void cpy12_missingFiles() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "vacuumed");
    delta
        .folder()
        .commit(0, protocol(), metadata(IDS), delta.file("f1.parquet", 1, "SELECT 1::INT AS id"));
    delta
        .folder()
        .commit(1, remove("f1.parquet"), delta.file("f2.parquet", 1, "SELECT 2::INT AS id"))
        .delete("f1.parquet");

    RegisterResult old = delta.copy(0);
    assertThat(old.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(old.reason()).contains("version 0").contains("f1.parquet");
    assertThat(path.publications(delta.source())).isEmpty();

    assertCopied(delta.copy(1));
    delta
        .folder()
        .commit(2, delta.file("f3.parquet", 1, "SELECT 3::INT AS id"))
        .delete("f2.parquet");
    RegisterResult broken = delta.copy(2);
    assertThat(broken.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(broken.reason()).contains("version 2").contains("f2.parquet");
    assertThat(delta.ask("SELECT id FROM t")).containsExactly(row("2"));
  }

  @Test
  @DisplayName("CPY-13: files narrower than the table's types")
  void cpy13_widenedTypes() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "widened");
    delta
        .folder()
        .commit(
            0,
            protocol("typeWidening", "timestampNtz"),
            metadata(
                schema(
                    field("n", "long"),
                    field("moment", "timestamp_ntz"),
                    field("amount", "decimal(20,2)"))),
            delta.file(
                "old.parquet",
                1,
                "SELECT 1::INT AS n, DATE '2020-01-01' AS moment, 1.25::DECIMAL(10,2) AS amount"),
            delta.file(
                "new.parquet",
                1,
                "SELECT 5000000000::BIGINT AS n, TIMESTAMP '2021-01-01 12:00:00' AS moment,"
                    + " 123456789012345678.25::DECIMAL(20,2) AS amount"));

    assertCopied(delta.copy(0));

    assertThat(delta.ask("SELECT * FROM t ORDER BY n"))
        .containsExactly(
            row("1", "2020-01-01 00:00:00", "1.25"),
            row("5000000000", "2021-01-01 12:00:00", "123456789012345678.25"));
    assertThat(delta.ask("SELECT count(*) FROM t WHERE moment = TIMESTAMP '2020-01-01'"))
        .containsExactly(row("1"));
    assertThat(delta.ask("SELECT count(*) FROM t WHERE amount > 2 AND n > 4000000000"))
        .containsExactly(row("1"));
    assertThat(path.eventKinds(delta.source())).contains(EventKind.REWRITTEN);
    assertThat(
            path.events.newest(RegisterFixture.ref(delta.source()), 20).stream()
                .filter(event -> event.kind() == EventKind.REWRITTEN)
                .findFirst())
        .hasValueSatisfying(event -> assertThat(event.reason()).contains("old.parquet"));
  }

  @Test
  @DisplayName("CPY-13: a column that is widened between versions is widened in place")
  void cpy13_wideningBetweenVersions() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "wider");
    delta
        .folder()
        .commit(
            0,
            protocol("typeWidening"),
            metadata(schema(field("n", "integer"))),
            delta.file("a.parquet", 1, "SELECT 1::INT AS n"));
    assertCopied(delta.copy(0));
    long tableId = path.publications(delta.source()).get(0).tableId();
    delta
        .folder()
        .commit(
            1,
            metadata(schema(field("n", "long"))),
            delta.file("b.parquet", 1, "SELECT 5000000000::BIGINT AS n"));

    assertCopied(delta.copy(1));

    assertThat(path.publications(delta.source()).get(0).tableId()).isEqualTo(tableId);
    assertThat(delta.ask("SELECT n, typeof(n) FROM t ORDER BY n"))
        .containsExactly(row("1", "BIGINT"), row("5000000000", "BIGINT"));
    assertThat(delta.askAt(1, "SELECT n, typeof(n) FROM t")).containsExactly(row("1", "INTEGER"));
  }

  @Test
  @DisplayName("CPY-14: columns that can hold nothing are left out and named")
  void cpy14_voidAndEmptyStruct() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "voids");
    delta
        .folder()
        .commit(
            0,
            protocol(),
            metadata(
                schema(
                    field("id", "integer"),
                    field("v", "void"),
                    field("s", "{\"type\":\"struct\",\"fields\":[]}"))),
            delta.file("a.parquet", 1, "SELECT 1::INT AS id"));

    assertCopied(delta.copy(0));

    assertThat(delta.ask("SELECT * FROM t")).containsExactly(row("1"));
    assertThat(delta.ask("SELECT column_name FROM (DESCRIBE t)")).containsExactly(row("id"));
    assertThat(path.events.newest(RegisterFixture.ref(delta.source()), 20))
        .filteredOn(event -> event.kind() == EventKind.LEFT_OUT)
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.reason())
                    .contains("column 'v' is left out", "column 's' is left out"));
  }

  @Test
  void anEmptyTableIsPublishedAsThat() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "empty");
    delta.folder().commit(0, protocol(), metadata(IDS));

    assertCopied(delta.copy(0));

    assertThat(delta.ask("SELECT count(*) FROM t")).containsExactly(row("0"));
    assertThat(path.eventKinds(delta.source())).contains(EventKind.EMPTY);
  }

  @Test
  void aVersionThatIsLiveAlreadyIsNotCopiedAgain() {
    DeltaSource delta = new DeltaSource(path, "again");
    delta
        .folder()
        .commit(0, protocol(), metadata(IDS), delta.file("a.parquet", 1, "SELECT 1::INT AS id"));
    assertCopied(delta.copy(0));

    assertThat(delta.copy(0).reason()).contains("already published as snapshot");
    assertThat(delta.copyNewest("other").status()).isEqualTo(RegisterStatus.STALE);
    assertThat(path.publications(delta.source())).hasSize(1);
  }

  @Test
  void aTableThatIsMadeAnewFollowsByTheEndOfItsImport() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "anew");
    delta
        .folder()
        .commit(0, protocol(), metadata(IDS), delta.file("a.parquet", 1, "SELECT 1::INT AS id"))
        .commit(1, delta.file("b.parquet", 1, "SELECT 2::INT AS id"));
    assertCopied(
        delta.copy(
            delta.trigger(new ProducerOrder(ProducerOrder.Kind.IMPORT_FINISHED, 10), "one")));
    delta.folder().delete("_delta_log/00000000000000000001.json");
    delta
        .folder()
        .commit(0, protocol(), metadata(IDS), delta.file("c.parquet", 1, "SELECT 3::INT AS id"));

    assertCopied(
        delta.copy(
            delta.trigger(new ProducerOrder(ProducerOrder.Kind.IMPORT_FINISHED, 20), "two")));

    assertThat(delta.ask("SELECT id FROM t")).containsExactly(row("3"));
  }

  @Test
  void aRollbackBringsAnEarlierVersionBackWithItsDeletes() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "rolled_back");
    String first =
        delta
            .file("a.parquet", 4, "SELECT range::INT AS \"col-1\" FROM range(4)")
            .inlineDeletes(0)
            .toString();
    delta
        .folder()
        .commit(
            0,
            protocol(WITH_DELETES, "columnMapping"),
            metadata(
                schema(mappedField("x", "integer", 1, "col-1")),
                Map.of("delta.columnMapping.mode", "name")),
            first);
    delta
        .folder()
        .commit(1, removed(first), delta.file("b.parquet", 1, "SELECT 9::INT AS \"col-1\""));
    assertCopied(delta.copy(0));
    assertCopied(delta.copy(1));

    RegisterResult back = path.rollback(delta.source(), "v0", "back");

    assertThat(back.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(delta.ask("SELECT count(*), min(x) FROM t")).containsExactly(row("3", "1"));
    assertThat(path.attempts(delta.source()).get(0).key().path()).isEqualTo(WorkflowPath.COPY);
  }
}
