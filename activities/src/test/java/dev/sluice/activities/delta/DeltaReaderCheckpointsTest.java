package dev.sluice.activities.delta;

import static dev.sluice.activities.delta.DeltaActions.add;
import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.remove;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.delta.DeltaException.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs with checkpoints of every kind, and with compacted commits. */
class DeltaReaderCheckpointsTest {

  private static final String SCHEMA = schema(field("id", "integer"));
  private static final String UUID = "80a083e8-7026-4e79-81be-64bd76c43a11";

  @TempDir private Path scratch;
  private DeltaFolder table;

  @BeforeEach
  void openFolder() {
    table = new DeltaFolder(scratch.resolve("t"));
  }

  @Test
  @DisplayName("CPY-10: an incomplete checkpoint is passed over")
  void cpy10_incompleteCheckpointIsPassedOver() {
    commits(0, 6);
    table.parquet(DeltaFolder.logKey(3, ".checkpoint.parquet"), checkpoint(0, 3).toString());
    // Would be believed at its peril: it lacks what its second part has.
    table.parquet(
        DeltaFolder.logKey(5, ".checkpoint.0000000001.0000000002.parquet"),
        new DeltaCheckpoints().table(SCHEMA).toString());

    assertThat(keys()).isEqualTo(files(0, 6));
  }

  @Test
  @DisplayName("CPY-10: a checkpoint stands for the commits before it")
  void cpy10_checkpointStandsForTheCommitsBeforeIt() {
    commits(0, 6);
    table.parquet(DeltaFolder.logKey(3, ".checkpoint.parquet"), checkpoint(0, 3).toString());
    for (int version = 0; version < 3; version++) {
      table.delete(DeltaFolder.logKey(version, ".json"));
    }

    assertThat(keys()).isEqualTo(files(0, 6));
  }

  @Test
  void multiPartCheckpointIsReadWhole() {
    commits(3, 4);
    table.parquet(
        DeltaFolder.logKey(3, ".checkpoint.0000000001.0000000002.parquet"),
        new DeltaCheckpoints().table(SCHEMA).add("f0.parquet", 1).add("f1.parquet", 1).toString());
    table.parquet(
        DeltaFolder.logKey(3, ".checkpoint.0000000002.0000000002.parquet"),
        new DeltaCheckpoints().add("f2.parquet", 1).add("f3.parquet", 1).toString());

    assertThat(keys()).isEqualTo(files(0, 4));
  }

  @Test
  void emptyCheckpointIsPassedOver() {
    commits(0, 2);
    table.write(DeltaFolder.logKey(1, ".checkpoint.parquet"), new byte[0]);

    assertThat(keys()).isEqualTo(files(0, 2));
  }

  @Test
  @DisplayName("CPY-11: sidecars of a Parquet manifest are read once")
  void cpy11_sidecarsOfAParquetManifestAreReadOnce() {
    sidecars();
    table.parquet(
        DeltaFolder.logKey(4, ".checkpoint." + UUID + ".parquet"),
        new DeltaCheckpoints()
            .table(SCHEMA, "v2Checkpoint")
            .version(4)
            .sidecar("one.parquet", size("one.parquet"))
            .sidecar("two.parquet", size("two.parquet"))
            .toString());
    table.commit(4).commit(5, add("f5.parquet"));

    assertThat(keys()).isEqualTo(files(0, 5));
  }

  @Test
  @DisplayName("CPY-11: sidecars of a JSON manifest are read once")
  void cpy11_sidecarsOfAJsonManifestAreReadOnce() {
    sidecars();
    table.write(
        DeltaFolder.logKey(4, ".checkpoint." + UUID + ".json"),
        String.join(
                "\n",
                "{\"checkpointMetadata\":{\"version\":4}}",
                protocol("v2Checkpoint"),
                metadata(SCHEMA),
                sidecar("one.parquet"),
                sidecar("two.parquet"))
            .getBytes(StandardCharsets.UTF_8));
    table.commit(4).commit(5, add("f5.parquet"), remove("f1.parquet"));

    assertThat(keys())
        .containsExactly("f0.parquet", "f2.parquet", "f3.parquet", "f4.parquet", "f5.parquet");
  }

  @Test
  @DisplayName("CPY-12: a missing sidecar is named with the version")
  void cpy12_missingSidecarIsNamedWithTheVersion() {
    sidecars();
    table.parquet(
        DeltaFolder.logKey(4, ".checkpoint." + UUID + ".parquet"),
        new DeltaCheckpoints()
            .table(SCHEMA, "v2Checkpoint")
            .version(4)
            .sidecar("gone.parquet", 1_000)
            .toString());
    table.commit(4);

    assertThatThrownBy(this::keys)
        .isInstanceOfSatisfying(
            DeltaException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LOG_BROKEN))
        .hasMessageContaining(
            "version 4 cannot be read; the log refers to _delta_log/_sidecars/gone.parquet, which"
                + " is not there");
  }

  @Test
  void checkpointThatIsNoParquetIsNamedWithTheVersion() {
    commits(0, 2);
    table.write(
        DeltaFolder.logKey(1, ".checkpoint.parquet"), "rubbish".getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(this::keys)
        .isInstanceOfSatisfying(
            DeltaException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LOG_BROKEN))
        .hasMessageContaining(
            "version 2 cannot be read; _delta_log/00000000000000000001.checkpoint.parquet cannot be"
                + " read: ");
  }

  @Test
  void compactedCommitsAreReadInsteadOfTheirCommits() {
    commits(0, 4);
    table.write(
        DeltaFolder.logKey(1, ".00000000000000000003.compacted.json"),
        String.join(
                "\n",
                add("f1.parquet").toString(),
                add("f2.parquet").toString(),
                add("f3.parquet").toString())
            .getBytes(StandardCharsets.UTF_8));

    assertThat(keys()).isEqualTo(files(0, 4));
  }

  @Test
  void logOfManyCommitsIsReadWithoutACheckpoint() {
    commits(0, 1_200);

    assertThat(keys()).hasSize(1_201);
  }

  private void commits(int first, int last) {
    for (int version = first; version <= last; version++) {
      String file = add("f" + version + ".parquet").rows(1).toString();
      if (version == 0) {
        table.commit(0, protocol(), metadata(SCHEMA), file);
      } else {
        table.commit(version, file);
      }
    }
  }

  private static DeltaCheckpoints checkpoint(int first, int last) {
    DeltaCheckpoints checkpoint = new DeltaCheckpoints().table(SCHEMA);
    IntStream.rangeClosed(first, last).forEach(n -> checkpoint.add("f" + n + ".parquet", 1));
    return checkpoint;
  }

  private void sidecars() {
    table.parquet(
        "_delta_log/_sidecars/one.parquet",
        new DeltaCheckpoints()
            .add("f0.parquet", 1)
            .add("f1.parquet", 1)
            .add("f2.parquet", 1)
            .toString());
    table.parquet(
        "_delta_log/_sidecars/two.parquet",
        new DeltaCheckpoints().add("f3.parquet", 1).add("f4.parquet", 1).toString());
  }

  private long size(String sidecar) {
    return table.sizeBytes("_delta_log/_sidecars/" + sidecar);
  }

  private String sidecar(String name) {
    return "{\"sidecar\":{\"path\":\"%s\",\"sizeInBytes\":%d,\"modificationTime\":1}}"
        .formatted(name, size(name));
  }

  private static List<String> files(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(n -> "f" + n + ".parquet").toList();
  }

  private List<String> keys() {
    return table.liveFiles().stream().map(DeltaFile::key).toList();
  }
}
