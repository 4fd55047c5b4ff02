package dev.sluice.activities.lake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.TableName;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random sequences of writes: one table is written by DuckDB and by us in turns, the other gets the
 * same from DuckDB alone. After each step both hold the same rows, at the end at every snapshot.
 */
class WriteSequenceTest {

  private static final TableName MIXED = new TableName("main", "mixed");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 6, 8})
  void bothWritersLeaveTheSameRows(long seed) throws Exception {
    try (WriteLake lake = WriteLake.ofDuckDb(folder)) {
      Sequence sequence = new Sequence(lake, new Random(seed));
      for (int step = 0; step < 14; step++) {
        sequence.step();
        String story = "seed " + seed + ": " + String.join("; ", sequence.story);
        assertThat(lake.rows("SELECT * FROM mixed EXCEPT ALL SELECT * FROM plain"))
            .as(story + " <- more in mixed")
            .isEmpty();
        assertThat(lake.rows("SELECT * FROM plain EXCEPT ALL SELECT * FROM mixed"))
            .as(story + " <- more in plain")
            .isEmpty();
        assertThat(
                lake.rows("SELECT count(*), min(k), max(k), min(v), max(v), count(v) FROM mixed"))
            .as(story)
            .isEqualTo(
                lake.rows("SELECT count(*), min(k), max(k), min(v), max(v), count(v) FROM plain"));
        assertThat(lake.rows("SELECT * FROM mixed WHERE k >= 40 AND v IS NOT NULL ORDER BY ALL"))
            .as(story)
            .isEqualTo(
                lake.rows("SELECT * FROM plain WHERE k >= 40 AND v IS NOT NULL ORDER BY ALL"));
      }
      lake.assertAgreesEverywhere("seed " + seed + ": " + String.join("; ", sequence.story));
    }
  }

  private static final class Sequence {
    private final WriteLake lake;
    private final Random random;
    private final List<String> story = new ArrayList<>();

    Sequence(WriteLake lake, Random random) throws SQLException {
      this.lake = lake;
      this.random = random;
      for (String table : List.of("mixed", "plain")) {
        lake.run("CREATE TABLE " + table + " (k INT, v VARCHAR, f DOUBLE)");
      }
    }

    void step() throws SQLException {
      boolean ours = random.nextInt(3) > 0;
      int kind = random.nextInt(10);
      story.add(ours ? "we" : "DuckDB");
      if (kind < 4) {
        insert(ours);
      } else if (kind < 6) {
        delete(ours);
      } else if (kind < 8) {
        update(ours);
      } else if (kind < 9) {
        upsert(ours);
      } else {
        lay();
      }
    }

    private void insert(boolean ours) throws SQLException {
      int rows = random.nextInt(3) == 0 ? 60 : 1 + random.nextInt(6);
      int from = random.nextInt(60);
      String select =
          "SELECT (range + %d)::INT AS k, CASE WHEN range %% 4 <> 1 THEN 'v' || range %% 7 END AS v, CASE range %% 5 WHEN 0 THEN 'NaN'::DOUBLE WHEN 1 THEN NULL ELSE range / 3 END AS f FROM range(%d)"
              .formatted(from, rows);
      story.add("INSERT " + select);
      lake.run("INSERT INTO plain " + select);
      if (ours) {
        lake.insert(MIXED, select);
      } else {
        lake.run("INSERT INTO mixed " + select);
      }
    }

    /** None with {@code f <>}: DuckDB itself skips files that hold NaN and that one value. */
    private String condition() {
      int k = random.nextInt(90);
      return List.of(
              "k BETWEEN " + k + " AND " + (k + random.nextInt(20)),
              "k % 7 = " + random.nextInt(7),
              "v IS NULL AND k < " + k,
              "f > 1.5",
              "v = 'v" + random.nextInt(7) + "' OR isnan(f)",
              "k >= 0")
          .get(random.nextInt(20) == 0 ? 5 : random.nextInt(5));
    }

    private void delete(boolean ours) throws SQLException {
      String condition = condition();
      story.add("DELETE WHERE " + condition);
      lake.run("DELETE FROM plain WHERE " + condition);
      if (ours) {
        lake.tables.delete(MIXED, RowCondition.sql(condition), CommitNote.NONE);
      } else {
        lake.run("DELETE FROM mixed WHERE " + condition);
      }
    }

    private void update(boolean ours) throws SQLException {
      String condition = condition();
      story.add("UPDATE WHERE " + condition);
      lake.run("UPDATE plain SET v = coalesce(v, 'n') || 'u', f = k WHERE " + condition);
      if (ours) {
        lake.tables.update(
            UpdateRequest.of(
                MIXED,
                Map.of("v", "coalesce(v, 'n') || 'u'", "f", "k"),
                RowCondition.sql(condition)));
      } else {
        lake.run("UPDATE mixed SET v = coalesce(v, 'n') || 'u', f = k WHERE " + condition);
      }
    }

    private void upsert(boolean ours) throws SQLException {
      String select =
          "SELECT (range + %d)::INT AS k, 'up' AS v FROM range(%d)"
              .formatted(random.nextInt(80), 1 + random.nextInt(15));
      String merge =
          "MERGE INTO %s t USING (%s) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.k, s.v)";
      story.add("UPSERT " + select);
      lake.run(merge.formatted("plain", select));
      if (ours) {
        lake.tables.upsert(UpsertRequest.of(MIXED, new RowSource.Select(select), List.of("k")));
      } else {
        lake.run(merge.formatted("mixed", select));
      }
    }

    private void lay() throws SQLException {
      String statement =
          List.of(
                  "ALTER TABLE mixed SET PARTITIONED BY (bucket(3, k))",
                  "ALTER TABLE mixed SET PARTITIONED BY (v)",
                  "ALTER TABLE mixed RESET PARTITIONED BY",
                  "ALTER TABLE mixed SET SORTED BY (v DESC, k)",
                  "CALL ducklake_flush_inlined_data('lake')",
                  "CALL ducklake_merge_adjacent_files('lake')")
              .get(random.nextInt(6));
      story.add(statement);
      lake.run(statement);
    }
  }
}
