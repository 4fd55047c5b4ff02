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
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which versions there are, and what is said when one cannot be read. */
class DeltaReaderVersionsTest {

  private static final String SCHEMA = schema(field("id", "integer"));
  private static final byte[] NOTHING = new byte[0];

  @TempDir private Path scratch;
  private DeltaFolder table;

  @BeforeEach
  void openFolder() {
    table = new DeltaFolder(scratch.resolve("a table"));
  }

  @Test
  @DisplayName("CPY-01: a folder without log is no Delta table")
  void cpy01_folderWithoutLogIsNoDeltaTable() {
    table.write("part-0.parquet", NOTHING);

    assertRefused(
        () -> table.latest(),
        Kind.NOT_A_DELTA_TABLE,
        "there are objects at this location, but it has no _delta_log",
        "check the location");
  }

  @Test
  @DisplayName("CPY-01: a folder that does not exist is no Delta table")
  void cpy01_folderThatDoesNotExistIsNoDeltaTable() {
    assertRefused(
        () -> table.table().latestVersion(),
        Kind.NOT_A_DELTA_TABLE,
        "nothing is stored at this location, so it has no _delta_log",
        "check the location");
  }

  @Test
  void logWithoutCommitIsWaitedFor() {
    table.write("_delta_log/_last_checkpoint", NOTHING);

    assertRefused(
        () -> table.latest(),
        Kind.LOG_NOT_READY,
        "_delta_log is there but holds no commit",
        "wait until the producer has written the table");
  }

  @Test
  void logThatBeginsInTheMiddleIsWaitedFor() {
    table.commit(5, protocol(), metadata(SCHEMA), add("f5.parquet"));

    assertRefused(
        () -> table.latest(),
        Kind.LOG_NOT_READY,
        "its first commit is version 5 and there is no complete checkpoint to begin from",
        "wait until the producer has rebuilt the log");
  }

  @Test
  void onlyWaitingIsRetryable() {
    assertThat(Kind.values())
        .filteredOn(kind -> new DeltaException(kind, "", null).retryable())
        .containsExactly(Kind.LOG_NOT_READY);
  }

  @Test
  void everyVersionKeepsItsFiles() {
    table
        .commit(0, protocol(), metadata(SCHEMA), add("f1.parquet"))
        .commit(1, remove("f1.parquet"), add("f2.parquet"));

    assertThat(table.table().latestVersion()).isEqualTo(1);
    assertThat(keys(0)).containsExactly("f1.parquet");
    assertThat(keys(1)).containsExactly("f2.parquet");
  }

  @Test
  @DisplayName("CPY-12: a version that is not there names the ones that are")
  void cpy12_versionThatIsNotThereNamesTheOnesThatAre() {
    table
        .commit(0, protocol(), metadata(SCHEMA), add("f1.parquet"))
        .commit(1, remove("f1.parquet"), add("f2.parquet"));

    assertRefused(
        () -> keys(2),
        Kind.NO_SUCH_VERSION,
        "version 2 cannot be read; the log has what is needed for versions 0 to 1",
        "ask for one of those");
  }

  @Test
  @DisplayName("CPY-12: a log that lacks a commit names version and file")
  void cpy12_logThatLacksACommitNamesVersionAndFile() {
    table
        .commit(0, protocol(), metadata(SCHEMA), add("f1.parquet"))
        .commit(1, add("f2.parquet"))
        .commit(2, add("f3.parquet"))
        .delete(DeltaFolder.logKey(1, ".json"));

    assertThat(keys(0)).containsExactly("f1.parquet");
    assertRefused(
        () -> keys(2),
        Kind.LOG_BROKEN,
        "version 2 cannot be read; the log lacks _delta_log/00000000000000000001.json",
        "restore the file");
  }

  @Test
  void commitThatIsNoJsonIsNamedWithItsVersion() {
    table
        .commit(0, protocol(), metadata(SCHEMA))
        .commit(1, "{\"add\":{\"path\":")
        .commit(2, add("f2.parquet"));

    assertRefused(
        () -> keys(2),
        Kind.LOG_BROKEN,
        "version 2 cannot be read; _delta_log/00000000000000000001.json cannot be read",
        "restore the file");
  }

  @Test
  void versionsBeforeTheFirstCheckpointAreGone() {
    table.commit(3, add("f3.parquet")).commit(4, add("f4.parquet"));
    table.parquet(
        DeltaFolder.logKey(3, ".checkpoint.parquet"),
        new DeltaCheckpoints().table(SCHEMA).add("f1.parquet", 1).add("f3.parquet", 1).toString());

    assertThat(keys(4)).containsExactly("f1.parquet", "f3.parquet", "f4.parquet");
    assertRefused(
        () -> keys(2), Kind.NO_SUCH_VERSION, "for versions 3 to 4", "ask for one of those");
  }

  @Test
  void unknownReaderFeatureIsRefusedByName() {
    table.commit(0, protocol("deletionVectors", "timeMachine"), metadata(SCHEMA), add("f.parquet"));

    assertRefused(
        () -> table.latest(),
        Kind.UNSUPPORTED_FEATURE,
        "version 0 needs a reader with 'timeMachine'",
        "drop the feature at the producer");
  }

  @Test
  void tableThatACatalogManagesIsRefusedByName() {
    table.commit(0, protocol("catalogManaged"), metadata(SCHEMA), add("f.parquet"));

    assertRefused(
        () -> table.latest(),
        Kind.UNSUPPORTED_FEATURE,
        "version 0 needs a reader with 'catalogManaged'",
        "drop the feature");
  }

  @Test
  void newerReaderVersionIsRefused() {
    table.commit(
        0,
        "{\"protocol\":{\"minReaderVersion\":9,\"minWriterVersion\":7}}",
        metadata(SCHEMA),
        add("f.parquet"));

    assertRefused(
        () -> table.latest(),
        Kind.UNSUPPORTED_FEATURE,
        "version 0 cannot be read; it needs version 9 of the reader protocol, and up to 3 is known",
        "upgrade");
  }

  @Test
  void featuresThatOnlyConcernWritersAreNoObstacle() {
    table.commit(
        0,
        "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":7,\"writerFeatures\":[\"generatedColumns\",\"timeMachine\"]}}",
        metadata(SCHEMA),
        add("f.parquet"));

    assertThat(keys(0)).containsExactly("f.parquet");
  }

  @Test
  void logWithoutMetadataIsBroken() {
    table.commit(0, protocol(), add("f.parquet"));

    assertRefused(
        () -> table.latest(), Kind.LOG_BROKEN, "version 0 cannot be read; No metadata", "restore");
  }

  @Test
  void stalePointerAndChecksumsAreNotBelieved() {
    table
        .commit(0, protocol(), metadata(SCHEMA), add("f1.parquet"))
        .write(
            "_delta_log/_last_checkpoint",
            "{\"version\":7,\"size\":3}".getBytes(StandardCharsets.UTF_8))
        .write(DeltaFolder.logKey(0, ".crc"), "another table's".getBytes(StandardCharsets.UTF_8));

    assertThat(keys(0)).containsExactly("f1.parquet");
  }

  @Test
  void interruptionEndsTheReading() {
    table.commit(0, protocol(), metadata(SCHEMA), add("f1.parquet"));
    DeltaSnapshot snapshot = table.latest();
    Thread.currentThread().interrupt();

    try (var files = snapshot.files()) {
      assertThatThrownBy(files::toList)
          .isInstanceOfSatisfying(
              DeltaException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INTERRUPTED))
          .hasMessageContaining("the thread was interrupted");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void describesTheTable() {
    table.commit(
        0,
        protocol("deletionVectors"),
        metadata(SCHEMA, Map.of("delta.appendOnly", "true")),
        add("f.parquet").rows(4).inlineDeletes(1, 3));
    DeltaSnapshot snapshot = table.latest();

    assertThat(snapshot.version()).isZero();
    assertThat(snapshot.tableId()).isEqualTo(DeltaActions.TABLE_ID);
    assertThat(snapshot.tableName()).isEmpty();
    assertThat(snapshot.properties()).containsEntry("delta.appendOnly", "true");
    assertThat(snapshot.usesDeletionVectors()).isTrue();
    assertThat(snapshot.columnMapping()).isEqualTo(ColumnMapping.NONE);
    assertThat(snapshot.partitionColumns()).isEmpty();
    assertThat(snapshot.committedAt())
        .isEqualTo(
            Objects.requireNonNull(
                    table.store().head(DeltaFolder.logKey(0, ".json")).lastModified())
                .truncatedTo(ChronoUnit.MILLIS));
  }

  @Test
  void inCommitTimestampIsTheTimeOfTheVersion() {
    table.commit(
        0,
        "{\"commitInfo\":{\"inCommitTimestamp\":1700000000123,\"timestamp\":1,\"operation\":\"WRITE\"}}",
        "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":7,\"writerFeatures\":[\"inCommitTimestamp\"]}}",
        metadata(SCHEMA, Map.of("delta.enableInCommitTimestamps", "true")));

    assertThat(table.latest().committedAt().toEpochMilli()).isEqualTo(1_700_000_000_123L);
  }

  private List<String> keys(long version) {
    return DeltaFolder.liveFiles(table.table().snapshot(OptionalLong.of(version))).stream()
        .map(DeltaFile::key)
        .toList();
  }

  private void assertRefused(ThrowingCallable reading, Kind kind, String reason, String remedy) {
    assertThatThrownBy(reading)
        .isInstanceOfSatisfying(DeltaException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessageStartingWith(table.store().location().uri() + ": ")
        .hasMessageContaining(reason)
        .hasMessageContaining(remedy);
  }
}
