package dev.sluice.activities.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.jobs.LandingFiles.Copied;
import dev.sluice.activities.jobs.LandingFiles.Counted;
import dev.sluice.activities.landing.GenerationFiles;
import dev.sluice.activities.landing.Lander;
import dev.sluice.activities.landing.LandingException;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.parquet.ParquetRefusedException;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.storage.TestStores;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedS3;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a source tells of its rows while it is copied, and what of that still counts when the
 * landing is verified.
 */
class SourceFilesTest {

  private static final String LANDING = "s/t/_imports/1/job/100/";

  private static EmbeddedS3 s3;
  private static ObjectStores stores;

  @TempDir private Path folder;
  private ObjectStore source;
  private ObjectStore lake;

  @BeforeAll
  static void start() {
    s3 = EmbeddedS3.start();
    stores = TestStores.connect(s3);
  }

  @AfterAll
  static void stop() {
    stores.close();
    s3.close();
  }

  @BeforeEach
  void makeSource() throws Exception {
    String bucket = s3.newBucket("source-files");
    source = stores.open(new StorageLocation.S3(bucket, "source"));
    lake = stores.open(new StorageLocation.S3(bucket, "lake"));
    for (int rows = 1; rows <= 3; rows++) {
      put(source, rows + ".parquet", rows);
    }
  }

  private void put(ObjectStore store, String key, int rows) throws Exception {
    Path file = folder.resolve("rows.parquet");
    try (DuckLakeSession duckDb = DuckLakeSession.open(List.of())) {
      duckDb.execute("COPY (FROM range(%d)) TO '%s' (FORMAT parquet)".formatted(rows, file));
    }
    store.put(key, Files.readAllBytes(file));
  }

  private static Map<String, @Nullable Long> land(ObjectStore from, ObjectStore to)
      throws InterruptedException {
    Map<String, @Nullable Long> rows = new HashMap<>();
    new Lander(from, to, 2)
        .land(
            GenerationFiles.list(from, LANDING).files(),
            new Lander.Progress() {
              @Override
              public void landed(LandingFile file, Copied copied) {
                rows.put(copied.sourceKey(), copied.sourceRows());
              }

              @Override
              public void waiting() {
                // nobody waits for a sign of life
              }
            });
    return rows;
  }

  /** Lands, and keeps what was told as the ledger does. */
  private Map<String, Counted> counted() throws InterruptedException {
    Map<String, Counted> counted = new HashMap<>();
    List<LandingFile> files = GenerationFiles.list(source, LANDING).files();
    Map<String, @Nullable Long> rows = land(source, lake);
    for (LandingFile file : files) {
      Long told = rows.get(file.sourceKey());
      if (told != null) {
        counted.put(file.sourceKey(), new Counted(file.listed(), told));
      }
    }
    s3.resetCalls();
    return counted;
  }

  private SourceCounts counts(Map<String, Counted> counted) throws InterruptedException {
    return new SourceFiles(source, LANDING, counted, 2).counts(ParquetFooters.Progress.NONE);
  }

  @Test
  void rowsAreToldWhileFilesAreCopied() throws Exception {
    assertThat(land(source, lake))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("1.parquet", 1L, "2.parquet", 2L, "3.parquet", 3L));
  }

  @Test
  void whatWasToldOfTheVersionThatIsStillThereCounts() throws Exception {
    Map<String, Counted> counted = counted();

    SourceCounts counts = counts(counted);

    assertThat(counts.files()).isEqualTo(3);
    assertThat(counts.rows()).isEqualTo(6);
    assertThat(counts.bytes())
        .isEqualTo(
            GenerationFiles.list(source, LANDING).files().stream()
                .mapToLong(LandingFile::sizeBytes)
                .sum());
    assertThat(s3.calls()).doesNotContainKey("getBlob");
  }

  @Test
  void aFileThatChangedSinceIsReadAgain() throws Exception {
    Map<String, Counted> counted = counted();
    put(source, "2.parquet", 20);

    assertThat(counts(counted).rows()).isEqualTo(24);
    assertThat(s3.calls()).containsEntry("getBlob", 1L);
  }

  @Test
  void aFileWrittenAgainWithTheSameBytesIsReadAgain() throws Exception {
    Map<String, Counted> counted = new HashMap<>(counted());
    counted.computeIfPresent(
        "2.parquet",
        (key, told) ->
            new Counted(
                new LandingFile(
                        key,
                        told.listed().landedPath(),
                        told.listed().sizeBytes(),
                        GenerationFiles.list(source, LANDING).files().get(1).etag(),
                        told.listed().modifiedAt() == null
                            ? null
                            : told.listed().modifiedAt().minusSeconds(10))
                    .listed(),
                700));

    assertThat(counts(counted).rows()).isEqualTo(6);
  }

  @Test
  void aFileThatCameLaterCounts() throws Exception {
    Map<String, Counted> counted = counted();
    put(source, "4.parquet", 4);

    assertThat(counts(counted).files()).isEqualTo(4);
    assertThat(counts(counted).rows()).isEqualTo(10);
  }

  @Test
  void aFileThatIsGoneDoesNotCount() throws Exception {
    Map<String, Counted> counted = counted();
    source.delete(List.of("2.parquet"));

    assertThat(counts(counted)).matches(counts -> counts.files() == 2 && counts.rows() == 4);
  }

  @Test
  void anEmptiedFolderIsRefused() throws Exception {
    Map<String, Counted> counted = counted();
    source.delete(List.of("1.parquet", "2.parquet", "3.parquet"));

    assertThatThrownBy(() -> counts(counted)).isInstanceOf(LandingException.class);
  }

  @Test
  void aBrokenFileIsCopiedAsItIsAndRefusedWhenItIsCounted() throws Exception {
    source.put("2.parquet", "no Parquet at all".getBytes(StandardCharsets.UTF_8));

    Map<String, Counted> counted = counted();

    assertThat(counted).containsOnlyKeys("1.parquet", "3.parquet");
    assertThat(lake.exists(LANDING + "2.parquet")).isTrue();
    assertThatThrownBy(() -> counts(counted))
        .isInstanceOf(ParquetRefusedException.class)
        .hasMessageContaining("2.parquet");
  }

  @Test
  void aStoreThatTellsNoVersionsApartIsReadWhenItIsVerified() throws Exception {
    for (String each : List.of("from", "to")) {
      Files.createDirectories(folder.resolve(each));
    }
    ObjectStore disk = stores.open(new StorageLocation.Local(folder.resolve("from")));
    put(disk, "one.parquet", 5);

    Map<String, @Nullable Long> told =
        land(disk, stores.open(new StorageLocation.Local(folder.resolve("to"))));

    assertThat(told.values()).containsOnlyNulls();
    SourceFiles files = new SourceFiles(disk, LANDING, Map.of(), 2);
    assertThat(files.counts(ParquetFooters.Progress.NONE).rows()).isEqualTo(5);
    assertThat(files.footers(ParquetFooters.Progress.NONE))
        .extracting(ParquetFile::rows)
        .containsExactly(5L);
  }
}
