package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.embedded.DuckLakeSession;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers of a stable name while its content is replaced again and again. */
class ReadersDuringSwapsTest {

  private static final int SWAPS = 50;
  private static final int ROWS = 1000;
  private static final int READS_OF_EACH = 500;
  private static final TableName NAME = new TableName("s", "stable");
  private static final List<ColumnSpec> COLUMNS = List.of(ColumnSpec.of("g", Scalar.INT32));

  @TempDir Path folder;

  @Test
  @DisplayName(
      "CAT-14: 1,000 reads by DuckDB and by our scan see whole generations while 50 swaps run")
  void cat14EveryReadSeesAWholeGeneration() throws Exception {
    try (OwnLake lake = OwnLake.create(folder);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      List<NewDataFile> generations = new ArrayList<>();
      for (int g = 0; g <= SWAPS; g++) {
        generations.add(lake.file("SELECT %d::INT AS g FROM range(%d)".formatted(g, ROWS)));
      }
      lake.commit(OwnLake.publish(NAME, COLUMNS, generations.getFirst()));
      // each swap waits for its share of reads, so that they are spread over all of the swaps
      Semaphore reads = new Semaphore(0);
      Future<Set<String>> byDuckDb = threads.submit(() -> readByDuckDb(lake, reads));
      Future<Set<String>> byScan = threads.submit(() -> readByScan(lake, reads));

      for (int g = 1; g <= SWAPS; g++) {
        reads.acquire(2 * READS_OF_EACH / SWAPS - 1);
        lake.commit(OwnLake.publish(NAME, COLUMNS, generations.get(g)));
      }

      for (Set<String> seen : List.of(byDuckDb.get(), byScan.get())) {
        assertThat(seen).allMatch(read -> read.matches("1000 rows of \\[\\d+]"));
        assertThat(seen).as("generations seen").hasSizeGreaterThan(5);
      }
      assertThat(lake.scan(NAME)).hasSize(ROWS).containsOnly(List.of(Integer.toString(SWAPS)));
    }
  }

  private static Set<String> readByDuckDb(OwnLake lake, Semaphore reads) throws SQLException {
    Set<String> seen = new HashSet<>();
    try (DuckLakeSession session = lake.attach()) {
      for (int read = 0; read < READS_OF_EACH; read++) {
        seen.add(
            String.valueOf(
                session.valueText(
                    "SELECT count(g) || ' rows of ' || list(DISTINCT g)::VARCHAR FROM s.stable")));
        reads.release();
      }
    } finally {
      // whatever ends the reads, the swaps do not wait for them
      reads.release(READS_OF_EACH);
    }
    return seen;
  }

  private static Set<String> readByScan(OwnLake lake, Semaphore reads) {
    Set<String> seen = new HashSet<>();
    for (int read = 0; read < READS_OF_EACH; read++) {
      List<List<@Nullable String>> rows = lake.scan(NAME);
      seen.add(
          rows.size() + " rows of " + rows.stream().map(row -> row.getFirst()).distinct().toList());
      reads.release();
    }
    return seen;
  }
}
