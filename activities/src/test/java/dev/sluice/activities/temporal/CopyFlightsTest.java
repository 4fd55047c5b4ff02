package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.activities.storage.ObjectKeys;
import dev.sluice.workflows.RegisterResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The flights of the shared data, all four versions in order. */
class CopyFlightsTest {

  private static final List<Integer> ROWS = List.of(166_158, 336_776, 336_255, 337_031);

  @Test
  void everyVersionOfFlightsIsCopiedInOrder(@TempDir Path scratch) throws SQLException {
    Path flights = flights();
    assumeThat(flights).as("the shared flights data is not here").isDirectory();
    try (RegisterFixture path = RegisterFixture.local(scratch)) {
      DeltaSource delta = new DeltaSource(path, "flights");
      copy(flights, delta.folder().path());
      Set<String> copied = ConcurrentHashMap.newKeySet();
      for (int version = 0; version < ROWS.size(); version++) {
        copied.clear();
        path.lakeFault = lake -> FaultyStore.watched(lake, copied::add);
        RegisterResult result = delta.copy(version);
        assertThat(result.reason()).isNull();
        assertThat(result.rows()).isEqualTo(ROWS.get(version).longValue());
        assertThat(copiedNames(copied)).isEqualTo(newIn(flights, version));
      }
      for (int version = 0; version < ROWS.size(); version++) {
        int back = ROWS.size() - 1 - version;
        assertThat(delta.askAt(back, "SELECT count(*) FROM t"))
            .containsExactly(List.of(String.valueOf(ROWS.get(version))));
        assertThat(delta.askAt(back, "SELECT DISTINCT typeof(year), typeof(month), year FROM t"))
            .containsExactly(List.of("INTEGER", "INTEGER", "2013"));
        assertThat(
                delta.askAt(back, "SELECT sum(distance), sum(air_time), count(arr_delay) FROM t"))
            .isEqualTo(ofSource(path, flights, version));
      }
      assertThat(
              path.duckDb(
                  "SELECT count(DISTINCT table_id) FROM"
                      + " __ducklake_metadata_lake.ducklake_table WHERE table_name = '"
                      + delta.source().published()
                      + "'"))
          .containsExactly(List.of("1"));
      List<@Nullable String> added = addedColumn(path, delta);
      assertThat(added).hasSize(1);
      assertThat(
              delta.ask(
                  "SELECT count(*) FILTER (WHERE %s IS NULL), count(*) FROM t"
                      .formatted(added.get(0))))
          .containsExactly(List.of("336255", "337031"));
    }
  }

  private static List<@Nullable String> addedColumn(RegisterFixture path, DeltaSource delta)
      throws SQLException {
    String columns = "SELECT column_name FROM (DESCRIBE FROM %s AT (VERSION => %d))";
    long newest = path.publications(delta.source()).get(0).snapshotId();
    long before = path.publications(delta.source()).get(1).snapshotId();
    return path
        .duckDb(
            columns.formatted(delta.source().sql(), newest)
                + " EXCEPT "
                + columns.formatted(delta.source().sql(), before))
        .stream()
        .map(row -> row.get(0))
        .toList();
  }

  /** The same sums of the files that the log's actions leave live, read by DuckDB alone. */
  private static List<List<@Nullable String>> ofSource(
      RegisterFixture path, Path flights, int version) throws SQLException {
    return path.duckDb(
        """
        WITH actions AS (
          SELECT unnest(string_split(content, chr(10))) AS action, filename
          FROM read_text('%s/_delta_log/*.json')
          WHERE parse_filename(filename, true)::BIGINT <= %d),
        live AS (
          SELECT action::JSON ->> '$.add.path' AS path FROM actions
          WHERE action::JSON ->> '$.add.path' IS NOT NULL
          EXCEPT SELECT action::JSON ->> '$.remove.path' FROM actions)
        SELECT sum(distance), sum(air_time), count(arr_delay)
        FROM read_parquet('%s/**/*.parquet', union_by_name = true, filename = true) f
        JOIN live ON f.filename = '%s/' || url_decode(live.path)
        """
            .formatted(flights, version, flights, flights));
  }

  private static Set<String> copiedNames(Set<String> copied) {
    return copied.stream().map(ObjectKeys::fileName).collect(Collectors.toSet());
  }

  /** Names of the files that a version adds, by its commit. */
  private static Set<String> newIn(Path flights, int version) {
    try {
      return Files.readAllLines(flights.resolve("_delta_log/%020d.json".formatted(version)))
          .stream()
          .filter(line -> line.startsWith("{\"add\""))
          .map(line -> line.replaceFirst(".*?\"path\":\"([^\"]*)\".*", "$1"))
          .map(ObjectKeys::fileName)
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Path from, Path to) {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        Path target = to.resolve(from.relativize(each).toString());
        if (Files.isDirectory(each)) {
          Files.createDirectories(target);
        } else {
          Files.copy(each, target);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path flights() {
    String named = System.getenv("SLUICE_SHARED");
    Path shared =
        named == null
            ? Path.of("").toAbsolutePath().resolve("../../shared").normalize()
            : Path.of(named);
    return shared.resolve(
        "data/nycflights/source/team_1_nycflights_0198c5b0_3a10_7c44_9d0e_6f2b8a1c4e01/flights");
  }
}
