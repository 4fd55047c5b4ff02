package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuckLakeSessionTest {

  @BeforeAll
  static void needsTheReferee() {
    DuckDbReferee.assumeAvailable();
  }

  @Test
  void duckDbMakesALakeOverTheEmbeddedStackAndAnotherSessionReadsIt() throws SQLException {
    EmbeddedS3 s3 = EmbeddedS3.shared();
    String bucket = s3.newBucket("referee");
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    DuckLakeAttachment lake = DuckLakeAttachment.of(database, "s3://" + bucket + "/lake/");

    try (DuckLakeSession writer = DuckLakeSession.open().useS3(s3).attach(lake)) {
      writer.execute("CREATE TABLE t (id BIGINT, name VARCHAR)");
      writer.execute("INSERT INTO t VALUES (1, 'one'), (2, NULL)");
    }

    try (DuckLakeSession reader =
        DuckLakeSession.open().useS3(s3).attach(DuckLakeAttachment.existing(database))) {
      assertThat(reader.queryText("SELECT * FROM t ORDER BY id"))
          .containsExactly(List.of("1", "one"), java.util.Arrays.asList("2", null));
      assertThat(reader.queryText("SELECT data_file FROM ducklake_list_files('lake', 't')"))
          .singleElement()
          .satisfies(row -> assertThat(row.get(0)).startsWith("s3://" + bucket + "/lake/main/t/"));
    }
  }

  @Test
  void aLakeCanLieInASchemaOfItsOwn(@TempDir Path files) throws SQLException {
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    DuckLakeAttachment first =
        DuckLakeAttachment.of(database, files.resolve("one") + "/").inSchema("lake_one");
    DuckLakeAttachment second =
        DuckLakeAttachment.of(database, files.resolve("two") + "/").inSchema("lake_two").as("two");

    try (DuckLakeSession session = DuckLakeSession.open().attach(first).attach(second)) {
      session.execute("CREATE TABLE two.main.only_two (id INTEGER)");
    }

    assertThat(CatalogDump.of(database, "lake_one").rows("ducklake_table")).isEmpty();
    assertThat(CatalogDump.of(database, "lake_two").rows("ducklake_table")).hasSize(1);
    assertThat(CatalogDump.of(database).tableNames()).isEmpty();
  }

  @Test
  void inliningIsOffUnlessAskedFor(@TempDir Path files) throws SQLException {
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    DuckLakeAttachment lake = DuckLakeAttachment.of(database, files + "/");

    try (DuckLakeSession session = DuckLakeSession.open().attach(lake)) {
      session.execute("CREATE TABLE filed AS SELECT 1 AS id");
      session.detach("lake");
      session.attach(lake.withDefaultInlining());
      session.execute("CREATE TABLE inlined AS SELECT 1 AS id");
    }

    assertThat(CatalogDump.of(database).rows("ducklake_data_file")).hasSize(1);
    assertThat(CatalogDump.of(database).rows("ducklake_inlined_data_tables")).hasSize(1);
  }

  @Test
  void textKeepsWhatTheDriverLosesAndFollowsTheSessionsZone() throws SQLException {
    try (DuckLakeSession session = DuckLakeSession.open().timeZone("America/New_York")) {
      assertThat(
              session.queryText(
                  """
                  SELECT TIMESTAMPTZ '2026-07-01 12:00:00+00' AS zoned, {'a': [1, NULL]} AS nested,
                         170141183460469231731687303715884105727::HUGEINT AS wide;
                  """))
          .containsExactly(
              List.of(
                  "2026-07-01 08:00:00-04",
                  "{'a': [1, NULL]}",
                  "170141183460469231731687303715884105727"));
      assertThat(session.query("SELECT 1::BIGINT, 'x'")).containsExactly(List.of(1L, "x"));
      assertThat(session.columns("SELECT 1 AS a, 2 AS b")).containsExactly("a", "b");
      assertThat(session.valueText("SELECT NULL")).isNull();
    }
  }

  @Test
  void errorsAreDuckDbsOwn() throws SQLException {
    try (DuckLakeSession session = DuckLakeSession.open()) {
      assertThatThrownBy(() -> session.queryText("SELECT * FROM nowhere"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Table with name nowhere does not exist");
      assertThatThrownBy(() -> session.valueText("SELECT 1, 2"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("required: one row of one column; actual: 1 rows");
    }
  }
}
