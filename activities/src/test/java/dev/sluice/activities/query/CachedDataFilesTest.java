package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.activities.query.DataFiles.WantedFile;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachedDataFilesTest {

  @TempDir private Path folder;
  private ObjectStores stores;
  private ObjectStore store;
  private CachedDataFiles cache;

  @BeforeEach
  void openStore() throws IOException {
    stores = ObjectStores.localOnly();
    Path root = Files.createDirectories(folder.resolve("root"));
    store = stores.open(new StorageLocation.Local(root));
    cache = new CachedDataFiles(store, folder.resolve("cache"), 100);
  }

  @AfterEach
  void closeStore() {
    stores.close();
  }

  @Test
  void aFileIsFetchedOnceAndReadAgainFromTheFolder() throws IOException {
    WantedFile file = put("a=1/x.parquet", 40);
    Path first = leased(file);
    store.delete(List.of("a=1/x.parquet"));
    assertThat(leased(file)).isEqualTo(first).content().hasSize(40);
  }

  @Test
  void theOnesUsedLongestAgoMakeRoom() throws IOException {
    WantedFile a = put("a.parquet", 40);
    WantedFile b = put("b.parquet", 40);
    WantedFile c = put("c.parquet", 40);
    Path pathOfA = leased(a);
    Path pathOfB = leased(b);
    leased(a);
    Path pathOfC = leased(c);
    assertThat(pathOfA).exists();
    assertThat(pathOfB).doesNotExist();
    assertThat(pathOfC).exists();
  }

  @Test
  void whatIsInUseStaysWhateverTheBound() throws IOException {
    WantedFile a = put("a.parquet", 90);
    WantedFile b = put("b.parquet", 90);
    try (Lease both = cache.lease(List.of(a, b))) {
      assertThat(both.local(a.path())).exists();
      assertThat(both.local(b.path())).exists();
    }
    try (Stream<Path> kept = Files.list(folder.resolve("cache"))) {
      assertThat(kept).hasSize(1);
    }
  }

  @Test
  void aFileOfAnotherSizeIsRefusedAndNotKept() {
    WantedFile file = put("a.parquet", 40);
    WantedFile wrong = new WantedFile(file.path(), 41);
    assertThatThrownBy(() -> cache.lease(List.of(wrong)))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("the catalog says 41 bytes, the object has 40");
    assertThat(folder.resolve("cache")).isEmptyDirectory();
  }

  @Test
  void aMissingFileIsNamedAndTheOthersCanBeReadAfterwards() throws IOException {
    WantedFile there = put("a.parquet", 10);
    WantedFile missing = new WantedFile(store.uri("gone.parquet"), 10);
    assertThatThrownBy(() -> cache.lease(List.of(there, missing)))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("gone.parquet: the catalog lists it, but it is not there");
    assertThat(leased(there)).exists();
  }

  @Test
  void aFileOutsideTheStoreIsRefused() {
    assertThatThrownBy(() -> cache.lease(List.of(new WantedFile("s3://other/x.parquet", 1))))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("s3://other/x.parquet: it lies outside");
  }

  private WantedFile put(String key, int bytes) {
    store.put(key, new byte[bytes]);
    return new WantedFile(store.uri(key), bytes);
  }

  private Path leased(WantedFile file) {
    try (Lease lease = cache.lease(List.of(file))) {
      return lease.local(file.path());
    }
  }
}
