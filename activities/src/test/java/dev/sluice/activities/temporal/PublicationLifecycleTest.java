package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.query.ScanRequest;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import io.temporal.client.WorkflowFailedException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random sequences of publications that share files, rollbacks, and what DuckDB does to a lake:
 * changes, merging, expiry and both clean-ups. After every step the live table and every snapshot
 * that is kept hold the rows they ever held, for DuckDB and for our own scan.
 */
class PublicationLifecycleTest {

  private static final int STEPS = 14;

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
    Sources.Options defaults = Sources.Options.defaults();
    path.options =
        new Sources.Options(defaults.match(), defaults.schemaPolicy(), ForeignContent.REPLACE);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void everyKeptSnapshotStaysReadableWhateverHappens(long seed) throws SQLException {
    Life life = new Life(path.newSource("life"), new Random(seed));
    life.publish();
    life.publish();
    for (int step = 0; step < STEPS; step++) {
      life.step();
      life.check("seed %d after step %d: %s".formatted(seed, step, life.story));
    }
  }

  /** One table and what is known of it. */
  private static final class Life {
    private final Source source;
    private final Random random;
    private final List<String> story = new ArrayList<>();

    /** Files of the newest folder: name to content. */
    private final Map<String, byte[]> files = new LinkedHashMap<>();

    private final Map<String, Set<Integer>> rowsOfFile = new TreeMap<>();
    private final Map<String, Set<Integer>> rowsOfGeneration = new TreeMap<>();
    private final Map<Long, Set<Integer>> rowsOfSnapshot = new TreeMap<>();
    private Set<Integer> live = new TreeSet<>();
    private int epoch = 100;
    private int nextId;

    Life(Source source, Random random) {
      this.source = source;
      this.random = random;
    }

    void step() throws SQLException {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> publish();
        case 3 -> rollback();
        case 4 -> deleteSome();
        case 5 -> expire();
        case 6 -> cleanUp();
        default -> merge();
      }
      noteSnapshots();
    }

    /** Some files of the last generation as they were, some gone, one or two new. */
    void publish() throws SQLException {
      List.copyOf(files.keySet()).stream()
          .filter(file -> random.nextInt(3) == 0)
          .forEach(
              file -> {
                files.remove(file);
                rowsOfFile.remove(file);
              });
      for (int i = 0; i < 1 + random.nextInt(2); i++) {
        int from = nextId;
        nextId += 1 + random.nextInt(5);
        String name = "f" + from + ".parquet";
        files.put(
            name,
            path.parquet("SELECT i::INT AS id FROM range(%d, %d) x(i)".formatted(from, nextId)));
        Set<Integer> rows = new TreeSet<>();
        for (int id = from; id < nextId; id++) {
          rows.add(id);
        }
        rowsOfFile.put(name, rows);
      }
      epoch += 10;
      files.forEach((name, content) -> path.put(source.folder(epoch), name, content));
      RegisterResult result = path.run(source.trigger(epoch));
      assertThat(result.status()).as("%s", result).isEqualTo(RegisterStatus.COMPLETED);
      live = new TreeSet<>();
      rowsOfFile.values().forEach(live::addAll);
      rowsOfGeneration.put(Integer.toString(epoch), Set.copyOf(live));
      story.add("publish " + epoch);
      noteSnapshots();
    }

    private void rollback() throws SQLException {
      List<Publication> history = path.publications(source);
      Publication wanted = history.get(random.nextInt(history.size()));
      RegisterResult result;
      try {
        result = path.rollback(source, wanted.generation(), null);
      } catch (WorkflowFailedException refused) {
        assertThat(refused)
            .rootCause()
            .message()
            .containsAnyOf("expired", "merged or rewrote", "rows of other snapshots");
        story.add("refused rollback to " + wanted.generation());
        return;
      }
      assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
      story.add("rollback to " + wanted.generation());
      if (result.reason() == null) {
        live = new TreeSet<>(rowsOfGeneration.get(wanted.generation()));
      }
    }

    private void deleteSome() throws SQLException {
      int divisor = 2 + random.nextInt(3);
      path.session().execute("DELETE FROM %s WHERE id %% %d = 0".formatted(source.sql(), divisor));
      live.removeIf(id -> id % divisor == 0);
      story.add("delete every " + divisor + ".");
    }

    private void expire() throws SQLException {
      List<Long> kept = List.copyOf(rowsOfSnapshot.keySet());
      List<String> chosen =
          kept.stream()
              .limit(kept.size() - 1L)
              .filter(id -> random.nextBoolean())
              .map(String::valueOf)
              .toList();
      if (!chosen.isEmpty()) {
        path.session()
            .execute(
                "CALL ducklake_expire_snapshots('lake', versions => [%s])"
                    .formatted(String.join(", ", chosen)));
      }
      story.add("expire " + chosen);
    }

    private void cleanUp() throws SQLException {
      path.session().execute("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)");
      path.session().execute("CALL ducklake_delete_orphaned_files('lake', cleanup_all => true)");
      story.add("clean up");
    }

    private void merge() throws SQLException {
      path.session()
          .execute(
              "CALL ducklake_merge_adjacent_files('lake', '%s', schema => '%s')"
                  .formatted(source.published(), source.schema()));
      story.add("merge");
    }

    private void noteSnapshots() throws SQLException {
      Set<Long> existing = new TreeSet<>();
      for (List<@Nullable String> row :
          path.duckDb("SELECT snapshot_id FROM ducklake_snapshots('lake')")) {
        existing.add(Long.parseLong(String.valueOf(row.get(0))));
      }
      rowsOfSnapshot.keySet().retainAll(existing);
      for (long id : existing) {
        if (id >= first() && !rowsOfSnapshot.containsKey(id)) {
          rowsOfSnapshot.put(id, Set.copyOf(live));
        }
      }
    }

    /** The snapshot from which on the table was there. */
    private long first() {
      List<Publication> history = path.publications(source);
      return history.get(history.size() - 1).snapshotId();
    }

    void check(String when) throws SQLException {
      assertThat(ids(path.duckDb("SELECT id FROM " + source.sql()))).as(when).isEqualTo(live);
      for (Map.Entry<Long, Set<Integer>> kept : rowsOfSnapshot.entrySet()) {
        String at = when + ", at snapshot " + kept.getKey();
        assertThat(
                ids(
                    path.duckDb(
                        "SELECT id FROM %s AT (VERSION => %d)"
                            .formatted(source.sql(), kept.getKey()))))
            .as("DuckDB, %s", at)
            .isEqualTo(kept.getValue());
        assertThat(
                ids(
                    path.scan(
                        ScanRequest.all(
                            RegisterFixture.name(source),
                            path.catalog.reader().snapshot(kept.getKey())))))
            .as("our scan, %s", at)
            .isEqualTo(kept.getValue());
      }
    }

    private static Set<Integer> ids(List<List<@Nullable String>> rows) {
      Set<Integer> ids = new TreeSet<>();
      rows.forEach(row -> ids.add(Integer.parseInt(String.valueOf(row.get(0)))));
      assertThat(ids).as("no row twice").hasSameSizeAs(rows);
      return ids;
    }
  }
}
