package dev.sluice.activities.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a directory can do wrong. */
class LocalObjectStoreTest {

  private static final byte[] CONTENT = "content".getBytes(UTF_8);

  @TempDir Path scratch = Path.of("unset");

  private Path root = scratch;
  private Path outside = scratch;
  private ObjectStore store = new LocalObjectStore(new StorageLocation.Local(scratch));

  @BeforeEach
  void openStore() throws IOException {
    root = Files.createDirectory(scratch.resolve("root"));
    outside = Files.createDirectory(scratch.resolve("outside"));
    Files.write(outside.resolve("secret"), CONTENT);
    store = ObjectStores.localOnly().open(new StorageLocation.Local(root));
  }

  @Test
  void noOperationFollowsALinkOutOfTheRoot() throws IOException {
    Files.createSymbolicLink(root.resolve("directory"), outside);
    Files.createSymbolicLink(root.resolve("file"), outside.resolve("secret"));

    for (String key : List.of("directory/secret", "file")) {
      for (Runnable action :
          List.<Runnable>of(
              () -> store.head(key),
              () -> store.open(key),
              () -> store.read(key, 0, 1),
              () -> store.tail(key, 1),
              () -> store.put(key, CONTENT),
              () -> store.copyFrom(store, key, "stolen"))) {
        assertThatThrownBy(action::run)
            .isInstanceOfSatisfying(
                StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INVALID_KEY))
            .hasMessageStartingWith(root + ": key '" + key + "' is not allowed; ")
            .hasMessageContaining("is a symbolic link, which could lead out of the store");
      }
      assertThat(store.delete(List.of(key)).failures())
          .extracting(DeleteResult.Failure::key, DeleteResult.Failure::code)
          .containsExactly(org.assertj.core.groups.Tuple.tuple(key, "INVALID_KEY"));
    }
    assertThat(keys()).isEmpty();
    assertThat(Files.readAllBytes(outside.resolve("secret"))).isEqualTo(CONTENT);
    assertThat(outside.toFile().list()).containsExactly("secret");
  }

  @Test
  void theRootItselfMayBeALink() throws IOException {
    Path link = Files.createSymbolicLink(scratch.resolve("link"), root);
    ObjectStore linked = ObjectStores.localOnly().open(new StorageLocation.Local(link));

    linked.put("a/x", CONTENT);

    assertThat(store.read("a/x", 0, 99)).isEqualTo(CONTENT);
    assertThat(linked.list("").map(ObjectInfo::key)).containsExactly("a/x");
  }

  @Test
  void filesBeingWrittenAreNotObjects() throws IOException {
    try (ObjectUpload upload = store.upload("a/x")) {
      upload.write(CONTENT);

      assertThat(keys()).isEmpty();
      assertThat(store.exists("a/x")).isFalse();
      upload.complete();
    }
    assertThat(keys()).containsExactly("a/x");
    assertThat(root.resolve("a").toFile().list()).containsExactly("x");
  }

  @Test
  void aFileAndADirectoryCannotShareAName() {
    store.put("a", CONTENT);
    store.put("d/x", CONTENT);

    assertThatThrownBy(() -> store.put("a/x", CONTENT))
        .isInstanceOf(StorageException.class)
        .hasMessage(
            root
                + ": key 'a/x' cannot be written; "
                + root.resolve("a")
                + " exists and a directory cannot share a name with a file; choose another key or"
                + " remove it");
    assertThatThrownBy(() -> store.put("d", CONTENT))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("key 'd' cannot be written");
  }

  @Test
  void copiesAreNotLinksToTheirSource() throws IOException {
    store.put("from", CONTENT);
    store.copyFrom(store, "from", "to");

    Files.write(root.resolve("from"), "CHANGED".getBytes(UTF_8));

    assertThat(store.read("to", 0, 99)).isEqualTo(CONTENT);
  }

  @Test
  void deletesAndPutsInOneDirectoryDoNotDisturbEachOther() throws Exception {
    int rounds = 300;
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<?> putting =
          threads.submit(
              () -> {
                start.await();
                for (int i = 0; i < rounds; i++) {
                  store.put("shared/directory/kept-" + i, CONTENT);
                  store.delete(List.of("shared/directory/kept-" + i));
                }
                return null;
              });
      Future<?> deleting =
          threads.submit(
              () -> {
                start.await();
                for (int i = 0; i < rounds; i++) {
                  store.put("shared/directory/gone", CONTENT);
                  store.delete(List.of("shared/directory/gone"));
                }
                return null;
              });
      start.countDown();
      putting.get();
      deleting.get();
    }
    assertThat(keys()).isEmpty();
    assertThat(root.toFile().list()).isEmpty();
  }

  @Test
  void theNamesOfFilesBeingWrittenAreReserved() {
    assertThatThrownBy(() -> store.put("x.sluice-tmp", CONTENT))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("names ending with .sluice-tmp mark files being written");
  }

  private List<String> keys() {
    try (Stream<ObjectInfo> listing = store.list("")) {
      return listing.map(ObjectInfo::key).toList();
    }
  }
}
