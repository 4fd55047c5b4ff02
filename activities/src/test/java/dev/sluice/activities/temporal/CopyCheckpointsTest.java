package dev.sluice.activities.temporal;

import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.delta.DeltaActions;
import dev.sluice.activities.delta.DeltaCheckpoints;
import dev.sluice.activities.delta.DeltaFolder;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables whose log has checkpoints, copied to the end and read by DuckDB and by us. */
class CopyCheckpointsTest {

  private static final String IDS = schema(field("id", "integer"));
  private static final String UUID = "80a083e8-7026-4e79-81be-64bd76c43a11";

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  /** The file of a version holds the version and another row. */
  private static DeltaActions.Add file(DeltaSource delta, int version) {
    return delta.file(
        name(version), 2, "SELECT unnest([%d, %d])::INT AS id".formatted(version, 100 + version));
  }

  private static String name(int version) {
    return "f%d.parquet".formatted(version);
  }

  private static void hasFilesOf(DeltaSource delta, RegisterResult result, int... versions)
      throws SQLException {
    List<List<String>> expected =
        IntStream.concat(IntStream.of(versions), IntStream.of(versions).map(v -> 100 + v))
            .sorted()
            .mapToObj(id -> List.of(String.valueOf(id)))
            .toList();
    assertThat(result.status())
        .as(String.valueOf(result.reason()))
        .isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.rows()).isEqualTo(expected.size());
    assertThat(delta.ask("SELECT id FROM t ORDER BY id")).isEqualTo(expected);
    assertThat(path.scan(delta.source())).hasSameElementsAs(expected).hasSameSizeAs(expected);
    assertThat(path.publications(delta.source()))
        .singleElement()
        .satisfies(live -> assertThat(live.files()).isEqualTo(versions.length));
  }

  private static DeltaCheckpoints adds(DeltaSource delta, DeltaCheckpoints to, int... versions) {
    for (int version : versions) {
      to.add(name(version), 2, delta.folder().sizeBytes(name(version)));
    }
    return to;
  }

  @Test
  @DisplayName("CPY-10: the last complete checkpoint and the commits after it are copied")
  void cpy10_anIncompleteCheckpointIsPassedOver() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "checkpoints");
    for (int version = 0; version <= 6; version++) {
      List<Object> actions = new ArrayList<>();
      if (version == 0) {
        actions.addAll(List.of(protocol(), metadata(IDS)));
      }
      actions.add(file(delta, version));
      delta.folder().commit(version, actions.toArray());
    }
    delta
        .folder()
        .parquet(
            DeltaFolder.logKey(3, ".checkpoint.parquet"),
            adds(delta, new DeltaCheckpoints().table(IDS), 0, 1, 2, 3).toString())
        .parquet(
            DeltaFolder.logKey(5, ".checkpoint.0000000001.0000000002.parquet"),
            adds(delta, new DeltaCheckpoints().table(IDS), 0, 1).toString());
    for (int version = 0; version < 3; version++) {
      delta.folder().delete(DeltaFolder.logKey(version, ".json"));
    }

    hasFilesOf(delta, delta.copy(6), 0, 1, 2, 3, 4, 5, 6);
  }

  @ParameterizedTest(name = "manifest in {0}")
  @ValueSource(strings = {"parquet", "json"})
  @DisplayName("CPY-11: the files of both sidecars and of the commit after them are copied once")
  void cpy11_sidecarsAreCopiedOnce(String form) throws SQLException {
    DeltaSource delta = new DeltaSource(path, "sidecars_" + form);
    for (int version = 0; version <= 4; version++) {
      assertThat(file(delta, version)).isNotNull();
    }
    delta
        .folder()
        .parquet(
            "_delta_log/_sidecars/one.parquet",
            adds(delta, new DeltaCheckpoints(), 0, 1, 2).toString())
        .parquet(
            "_delta_log/_sidecars/two.parquet",
            adds(delta, new DeltaCheckpoints(), 3, 4).toString());
    manifest(delta, form);
    delta.folder().commit(4).commit(5, file(delta, 5), DeltaActions.remove(name(1)));

    hasFilesOf(delta, delta.copy(5), 0, 2, 3, 4, 5);
  }

  private static void manifest(DeltaSource delta, String form) {
    String key = DeltaFolder.logKey(4, ".checkpoint." + UUID + "." + form);
    long one = delta.folder().sizeBytes("_delta_log/_sidecars/one.parquet");
    long two = delta.folder().sizeBytes("_delta_log/_sidecars/two.parquet");
    if (form.equals("parquet")) {
      delta
          .folder()
          .parquet(
              key,
              new DeltaCheckpoints()
                  .table(IDS, "v2Checkpoint")
                  .version(4)
                  .sidecar("one.parquet", one)
                  .sidecar("two.parquet", two)
                  .toString());
    } else {
      String sidecar =
          "{\"sidecar\":{\"path\":\"%s.parquet\",\"sizeInBytes\":%d,\"modificationTime\":1}}";
      delta
          .folder()
          .write(
              key,
              String.join(
                      "\n",
                      "{\"checkpointMetadata\":{\"version\":4}}",
                      protocol("v2Checkpoint"),
                      metadata(IDS),
                      sidecar.formatted("one", one),
                      sidecar.formatted("two", two))
                  .getBytes(StandardCharsets.UTF_8));
    }
  }
}
