package dev.sluice.activities.temporal;

import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.parquet.MatchOptions;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.workflows.RegisterResult;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns: between generations under each policy, and between the files of one generation. */
class RegisterColumnsTest {

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
  void defaultOptions() {
    path.options = Sources.Options.defaults();
  }

  private static void policy(SchemaPolicy policy) {
    path.options =
        new Sources.Options(Sources.Options.defaults().match(), policy, ForeignContent.REFUSE);
  }

  private static void strictFiles() {
    path.options =
        new Sources.Options(
            new MatchOptions(
                MatchOptions.MissingColumns.REFUSE,
                MatchOptions.ExtraColumns.REFUSE,
                MatchOptions.PartitionValues.WHEN_KNOWN),
            SchemaPolicy.SYNC,
            ForeignContent.REFUSE);
  }

  /** A live table (id INTEGER, gone VARCHAR) and a second generation (id BIGINT, extra DOUBLE). */
  private static Source changing(String table) throws SQLException {
    Source source = path.newSource(table);
    path.write(source, 100, "a.parquet", "SELECT 1 AS id, 'x' AS gone");
    path.write(source, 200, "a.parquet", "SELECT 5000000000 AS id, 1.5::DOUBLE AS extra");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    return source;
  }

  private static List<List<String>> columns(Source source) throws SQLException {
    return path
        .duckDb("SELECT column_name, column_type FROM (DESCRIBE " + source.sql() + ")")
        .stream()
        .map(row -> List.of(String.valueOf(row.get(0)), String.valueOf(row.get(1))))
        .toList();
  }

  @Test
  void syncFollowsTheSource() throws Exception {
    Source source = changing("sync");
    RegisterResult first = path.run(source.trigger(100));

    RegisterResult second = path.run(source.trigger(200));

    assertThat(second.reason()).isNull();
    assertThat(columns(source))
        .containsExactly(List.of("id", "BIGINT"), List.of("extra", "DOUBLE"));
    assertThat(path.scan(source)).containsExactly(List.of("5000000000", "1.5"));
    assertThat(
            path.duckDb(
                "SELECT * FROM %s AT (VERSION => %d)".formatted(source.sql(), first.snapshotId())))
        .containsExactly(List.of("1", "x"));
  }

  @Test
  void addOnlyKeepsColumnsThatTheSourceLost() throws Exception {
    Source source = changing("add_only");
    policy(SchemaPolicy.ADD_ONLY);

    RegisterResult second = path.run(source.trigger(200));

    assertThat(second.reason()).isNull();
    assertThat(columns(source))
        .containsExactly(
            List.of("id", "BIGINT"), List.of("gone", "VARCHAR"), List.of("extra", "DOUBLE"));
    assertThat(path.duckDb("SELECT * FROM " + source.sql()))
        .containsExactly(asList("5000000000", null, "1.5"));
    assertThat(path.scan(source)).containsExactly(asList("5000000000", null, "1.5"));
  }

  @Test
  void failRefusesAnyDifference() throws Exception {
    Source source = changing("fail");
    policy(SchemaPolicy.FAIL);

    assertThat(Refusal.of(path, source, source.trigger(200))).contains(source.published());
    assertThat(path.scan(source)).containsExactly(List.of("1", "x"));
  }

  @Test
  void failAcceptsAGenerationWithTheSameColumns() throws Exception {
    Source source = path.newSource("fail_same");
    path.write(source, 100, "a.parquet", "SELECT 1 AS id, 'x' AS v");
    path.write(source, 200, "a.parquet", "SELECT 'y' AS v, 2 AS id");
    policy(SchemaPolicy.FAIL);
    path.run(source.trigger(100));

    assertThat(path.run(source.trigger(200)).reason()).isNull();
    assertThat(path.duckDb("SELECT id, v FROM " + source.sql())).containsExactly(List.of("2", "y"));
  }

  @Test
  void changedTypeThatIsNoWideningRecreatesTheColumnUnderSync() throws Exception {
    Source source = path.newSource("retyped");
    path.write(source, 100, "a.parquet", "SELECT 1 AS id, 42 AS v");
    path.write(source, 200, "a.parquet", "SELECT 1 AS id, 'text' AS v");
    path.run(source.trigger(100));

    assertThat(path.run(source.trigger(200)).reason()).isNull();
    assertThat(path.duckDb("SELECT v, typeof(v) FROM " + source.sql() + " WHERE v = 'text'"))
        .containsExactly(List.of("text", "VARCHAR"));
    assertThat(path.scan(source)).hasSize(1);
  }

  @Test
  void changedTypeThatIsNoWideningIsRefusedUnderAddOnly() throws Exception {
    Source source = path.newSource("retyped_refused");
    path.write(source, 100, "a.parquet", "SELECT 1 AS id, 42 AS v");
    path.write(source, 200, "a.parquet", "SELECT 1 AS id, 'text' AS v");
    path.run(source.trigger(100));
    policy(SchemaPolicy.ADD_ONLY);

    assertThat(Refusal.of(path, source, source.trigger(200)))
        .contains("v")
        .contains(source.published());
    assertThat(path.scan(source)).containsExactly(List.of("1", "42"));
  }

  @Test
  @DisplayName("REG-16: a file without a column reads as NULL where the source allows it")
  void reg16MissingColumnReadsAsNull() throws Exception {
    Source source = path.newSource("reg16");
    path.write(source, 100, "a.parquet", "SELECT 1 AS i, 2 AS j");
    path.write(source, 100, "b.parquet", "SELECT 42 AS j");

    assertThat(path.run(source.trigger(100)).reason()).isNull();
    assertThat(path.duckDb("SELECT j FROM " + source.sql() + " WHERE i IS NULL"))
        .containsExactly(List.of("42"));
    assertThat(path.duckDb("SELECT j FROM " + source.sql() + " WHERE i = 1"))
        .containsExactly(List.of("2"));
    assertThat(path.scan(source)).containsExactlyInAnyOrder(List.of("1", "2"), asList(null, "42"));
  }

  @Test
  @DisplayName("REG-16: a file without a column is refused where the source does not allow it")
  void reg16MissingColumnIsRefused() throws Exception {
    Source source = path.newSource("reg16_refused");
    path.write(source, 100, "a.parquet", "SELECT 1 AS i, 2 AS j");
    path.write(source, 100, "b.parquet", "SELECT 42 AS j");
    strictFiles();

    assertThat(Refusal.of(path, source, source.trigger(100)))
        .contains("b.parquet: column 'i' of the table is missing");
    assertThat(path.publications(source)).isEmpty();
  }

  @Test
  @DisplayName("REG-18: columns are matched by name, whatever their order")
  void reg18OrderOfColumnsDoesNotMatter() throws Exception {
    Source source = path.newSource("reg18");
    path.write(source, 100, "a.parquet", "SELECT 10 AS a, 20 AS b");
    path.write(source, 100, "b.parquet", "SELECT 2 AS b, 1 AS a");

    assertThat(path.run(source.trigger(100)).reason()).isNull();
    assertThat(path.duckDb("SELECT a, b FROM " + source.sql() + " ORDER BY a"))
        .containsExactly(List.of("1", "2"), List.of("10", "20"));
    assertThat(path.scan(source)).containsExactlyInAnyOrder(List.of("1", "2"), List.of("10", "20"));
  }

  @Test
  void filesWidenEachOther() throws Exception {
    Source source = path.newSource("widened");
    path.write(source, 100, "a.parquet", "SELECT 1::INTEGER AS n");
    path.write(source, 100, "b.parquet", "SELECT 5000000000::BIGINT AS n");

    assertThat(path.run(source.trigger(100)).reason()).isNull();
    assertThat(path.duckDb("SELECT n FROM " + source.sql() + " WHERE n > 0 ORDER BY n"))
        .containsExactly(List.of("1"), List.of("5000000000"));
  }

  @Test
  @DisplayName("REG-38: column names that nested types use inside are plain names")
  void reg38NamesOfNestedTypes() throws Exception {
    Source source = path.newSource("reg38");
    path.write(
        source,
        100,
        "a.parquet",
        "SELECT 1 AS \"array\", 2 AS element, [1, 2, 3] AS list, 4 AS key, 5 AS value");

    assertThat(path.run(source.trigger(100)).reason()).isNull();
    assertThat(path.duckDb("SELECT * FROM " + source.sql()))
        .containsExactly(List.of("1", "2", "[1, 2, 3]", "4", "5"));
    assertThat(path.scan(source)).hasSize(1);
  }

  @Test
  @DisplayName("CAT-18: awkward column names and text values come through unchanged")
  void cat18AwkwardNamesAndValues() throws Exception {
    Source source = path.newSource("cat18");
    path.write(
        source,
        100,
        "a.parquet",
        "SELECT 1 AS \"a'b\"\"c\", 2 AS \"order\", 3 AS \"naïve 列\", 4 AS \"x.y\","
            + " '''\\;--$$' AS v");

    assertThat(path.run(source.trigger(100)).reason()).isNull();
    assertThat(
            path.duckDb(
                "SELECT \"a'b\"\"c\", \"order\", \"naïve 列\", \"x.y\", v FROM " + source.sql()))
        .containsExactly(List.of("1", "2", "3", "4", "'\\;--$$"));
    assertThat(path.scan(source)).containsExactly(List.of("1", "2", "3", "4", "'\\;--$$"));
  }
}
