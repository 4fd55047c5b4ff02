package dev.sluice.activities.delta;

import static dev.sluice.activities.delta.DeltaActions.add;
import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.activities.delta.DeltaException.Kind;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageException;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.storage.TestStores;
import dev.sluice.embedded.EmbeddedS3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the reader uses object stores. */
class DeltaReaderStoresTest {

  private static final int COMMITS = 300;

  private static EmbeddedS3 s3;
  private static ObjectStores stores;

  @TempDir private Path scratch;
  private DeltaFolder table;

  @BeforeAll
  static void startEndpoint() {
    s3 = EmbeddedS3.start();
    stores = TestStores.connect(s3);
  }

  @AfterAll
  static void stopEndpoint() {
    stores.close();
    s3.close();
  }

  @BeforeEach
  void writeTable() {
    table = new DeltaFolder(scratch.resolve("t"));
    table.commit(0, protocol(), metadata(schema(field("id", "integer"))), add("f0.parquet"));
    for (int version = 1; version < COMMITS; version++) {
      table.commit(version, add("f%20" + version + ".parquet"));
    }
  }

  @Test
  void readsFromABucketWithOneListingAndEachCommitOnce() throws IOException {
    ObjectStore folder =
        stores.open(new StorageLocation.S3(s3.newBucket("delta"), "some prefix/é=1 50%25+/t"));
    upload(folder);
    s3.resetCalls();

    DeltaSnapshot snapshot = DeltaTable.in(folder).snapshot(OptionalLong.empty());

    assertThat(snapshot.version()).isEqualTo(COMMITS - 1);
    assertThat(DeltaFolder.liveFiles(snapshot))
        .hasSize(COMMITS)
        .anySatisfy(file -> assertThat(file.key()).isEqualTo("f 7.parquet"));
    assertThat(s3.calls()).containsEntry("list", 1L).containsEntry("getBlob", (long) COMMITS);
  }

  @Test
  @DisplayName("CPY-01: an empty prefix of a bucket is no Delta table")
  void cpy01_emptyPrefixOfABucketIsNoDeltaTable() {
    DeltaTable nothing =
        DeltaTable.in(stores.open(new StorageLocation.S3(s3.newBucket("delta"), "gone")));

    assertThatThrownBy(nothing::latestVersion)
        .isInstanceOfSatisfying(
            DeltaException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_A_DELTA_TABLE))
        .hasMessageContaining("nothing is stored at this location");
  }

  @Test
  void missingBucketStaysAFailureOfTheStore() {
    DeltaTable nowhere = DeltaTable.in(stores.open(new StorageLocation.S3("no-bucket", "t")));

    assertThatThrownBy(nowhere::latestVersion)
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.MISSING_BUCKET))
        .hasMessageContaining("no-bucket");
  }

  @Test
  void commitsAreReadAheadOfTheReplay() {
    CountDownLatch both = new CountDownLatch(2);
    List<String> late = Collections.synchronizedList(new ArrayList<>());
    ObjectStore folder =
        WatchedReads.of(
            table.store(),
            key -> {
              both.countDown();
              if (!metInTime(both)) {
                late.add(key);
              }
            });

    assertThat(DeltaTable.in(folder).snapshot(OptionalLong.empty()).columns()).hasSize(1);
    assertThat(late).isEmpty();
  }

  @Test
  void interruptionStopsEveryReadThatIsUnderWay() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(2);
    AtomicInteger running = new AtomicInteger();
    ObjectStore folder =
        WatchedReads.of(
            table.store(),
            key -> {
              running.incrementAndGet();
              begun.countDown();
              metInTime(never);
              running.decrementAndGet();
            });
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () ->
                    failure.set(
                        catchThrowable(
                            () -> DeltaTable.in(folder).snapshot(OptionalLong.empty()))));

    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    reader.interrupt();
    reader.join();

    assertThat(running).hasValue(0);
    assertThat(failure.get()).isNotNull();
    assertThat(failure.get()).hasMessageContaining("the thread was interrupted");
  }

  /** Keeps the flag of a thread that is interrupted, for the store to find. */
  private static boolean metInTime(CountDownLatch latch) {
    try {
      return latch.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void upload(ObjectStore folder) throws IOException {
    try (Stream<Path> files = Files.walk(table.path())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        folder.put(table.path().relativize(file).toString(), Files.readAllBytes(file));
      }
    }
  }
}
