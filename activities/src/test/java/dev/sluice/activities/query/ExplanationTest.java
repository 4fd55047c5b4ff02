package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.Predicate.Operator;
import dev.sluice.catalog.read.PredicateText;
import dev.sluice.catalog.read.ScanExplanation;
import dev.sluice.catalog.read.SkipReason;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plan tells for each file that it leaves out what ruled it out. */
class ExplanationTest {

  @TempDir private Path folder;
  private RefereeLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = RefereeLake.create(folder);
    lake.stopInlining();
    lake.run(
        "CREATE TABLE t(i INT, v VARCHAR, ts TIMESTAMP)",
        "INSERT INTO t VALUES (1, 'a', '2024-01-01'), (50, 'b', '2024-02-01')",
        "ALTER TABLE t SET PARTITIONED BY (v, year(ts))",
        "INSERT INTO t VALUES (100, 'c', '2025-01-01')",
        "INSERT INTO t VALUES (NULL, 'd', '2026-01-01')");
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  @Test
  void boundsAndNullsAreNamedThatRuleFilesOut() {
    assertThat(reasons(compare("i", Operator.EQUAL, Scalar.INT32, "75")))
        .containsExactly(
            "i = 75: the file's values go from 1 to 50",
            "i = 75: the file's values go from 100 to 100",
            "i = 75: the file's values are all NULL");
    assertThat(reasons(new Predicate.IsNull(List.of("i"))))
        .containsExactly(
            "i is null: the file's values are never NULL",
            "i is null: the file's values are never NULL");
    assertThat(reasons(new Predicate.IsNotNull(List.of("i"))))
        .containsExactly("i is not null: the file's values are all NULL");
    assertThat(reasons(Predicate.all())).isEmpty();
  }

  @Test
  void partitionValuesAreNamedWhereTheyRuleFilesOut() throws SQLException {
    lake.updateCatalog("UPDATE ducklake_file_column_stats SET min_value = NULL, max_value = NULL");

    assertThat(reasons(compare("v", Operator.EQUAL, Scalar.VARCHAR, "c")))
        .containsExactly("v = 'c': the file's partition has the value d");
    assertThat(reasons(compare("ts", Operator.GREATER, Scalar.TIMESTAMP, "2026-01-01 00:00:00")))
        .containsExactly("ts > '2026-01-01 00:00:00': the file's partition has the year 2025");
  }

  @Test
  void everyBranchOfAnOrHasItsReasonAndANotIsMovedDown() {
    Predicate either =
        new Predicate.Or(
            List.of(
                compare("i", Operator.LESS, Scalar.INT32, "50"),
                new Predicate.Not(compare("v", Operator.NOT_EQUAL, Scalar.VARCHAR, "d"))));

    assertThat(PredicateText.of(either)).isEqualTo("i < 50 or not (v <> 'd')");
    assertThat(reasons(either))
        .containsExactly(
            "i < 50: the file's values go from 100 to 100",
            "v = 'd': the file's values go from c to c");
    assertThat(reasons(new Predicate.In(List.of("i"), List.of())))
        .containsOnly("i in (): no row can match")
        .hasSize(3);
  }

  private List<String> reasons(Predicate predicate) {
    Snapshot snapshot = lake.catalog().latest();
    Table table = lake.catalog().view(snapshot).table(new TableName("main", "t"));
    ScanExplanation explained = lake.catalog().explain(snapshot, table, predicate);
    assertThat(explained.plan().files().size() + explained.skipped().size())
        .isEqualTo(explained.plan().liveFiles());
    return explained.skipped().stream()
        .flatMap(file -> file.reasons().stream())
        .map(SkipReason::text)
        .toList();
  }

  private static Predicate compare(String column, Operator operator, Scalar type, String text) {
    return Predicate.compare(column, operator, new Literal(type, text));
  }
}
