package dev.sluice.activities.lake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.catalog.read.Predicate;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data file with a delete file, and with rows that DuckDB has deleted inside the catalog since,
 * ends by us; then DuckDB flushes. Every snapshot keeps its rows.
 */
class FlushedDeletesTest {

  private static final TableName T = new TableName("main", "t");

  @TempDir Path folder;
  private WriteLake lake;

  @BeforeEach
  void deleteInBothPlaces() throws SQLException {
    lake = WriteLake.ofDuckDb(folder);
    lake.run("CREATE TABLE t AS SELECT range::INT AS k FROM range(40)");
    lake.tables.delete(T, RowCondition.sql("k BETWEEN 10 AND 23"), CommitNote.NONE);
    lake.run("DELETE FROM t WHERE k < 3");
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private List<@Nullable String> counts() throws SQLException {
    List<@Nullable String> counts = new ArrayList<>();
    for (long snapshot = 1; snapshot <= lake.newest(); snapshot++) {
      counts.add(lake.value("SELECT count(k) FROM t AT (VERSION => " + snapshot + ")"));
    }
    return counts;
  }

  private void flushAndCompare() throws SQLException {
    assertThat(counts()).containsExactly("40", "26", "23", "0");

    lake.run("CALL ducklake_flush_inlined_data('lake')");

    assertThat(counts()).containsExactly("40", "26", "23", "0", "0");
    lake.assertAgreesEverywhere();
  }

  @Test
  void ofARowWiseDelete() throws Exception {
    lake.tables.delete(T, RowCondition.sql("k IS NOT NULL"), CommitNote.NONE);

    flushAndCompare();
  }

  @Test
  void ofATruncate() throws Exception {
    lake.tables.truncate(T, CommitNote.NONE);

    flushAndCompare();
  }

  @Test
  void ofAPublicationAndTheNextOneFindsNothingForeign() throws Exception {
    publish(ForeignContent.REPLACE);

    flushAndCompare();
    publish(ForeignContent.REFUSE);
  }

  private void publish(ForeignContent foreign) {
    Table table = lake.catalog.reader().view(lake.catalog.reader().latest()).table(T);
    lake.commit(
        new Change.ReplaceContent(
            T,
            List.of(table.columns().get(0).spec()),
            List.of(),
            List.of(),
            SchemaPolicy.SYNC,
            foreign,
            null));
  }

  @Test
  void positionsInTheCatalogMayBeMoreThanAreReadAtATime() throws Exception {
    TableName many = new TableName("main", "many");
    lake.run(
        "CREATE TABLE many AS SELECT range AS k FROM range(50000)",
        "CALL lake.set_option('data_inlining_row_limit', 100000)",
        "DELETE FROM many WHERE k % 2 = 0");
    Table table = lake.catalog.reader().view(lake.catalog.reader().latest()).table(many);
    assertThat(
            lake.catalog
                .reader()
                .plan(lake.catalog.reader().latest(), table, Predicate.all())
                .files())
        .singleElement()
        .satisfies(
            file ->
                assertThat(file.inlinedDeletes())
                    .hasSize(25_000)
                    .startsWith(0L, 2L)
                    .endsWith(49_996L, 49_998L));

    assertThat(lake.tables.delete(many, RowCondition.sql("k % 5 = 0"), CommitNote.NONE).deleted())
        .isEqualTo(5000);

    assertThat(lake.value("SELECT count(*) FROM many WHERE k % 2 = 1 AND k % 5 <> 0"))
        .isEqualTo("20000");
    assertThat(lake.value("SELECT count(*) FROM many")).isEqualTo("20000");
  }
}
