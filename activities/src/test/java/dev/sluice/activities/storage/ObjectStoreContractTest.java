package dev.sluice.activities.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.storage.StorageException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What every store keeps to, checked the same way for each kind. */
@ParameterizedClass
@EnumSource(TestStores.Kind.class)
class ObjectStoreContractTest {

  private static final byte[] CONTENT = "0123456789".getBytes(UTF_8);

  @TempDir Path scratch = Path.of("unset");

  @Parameter TestStores.Kind kind = TestStores.Kind.LOCAL;

  private ObjectStores stores = ObjectStores.localOnly();
  private ObjectStore store = stores.open(StorageLocation.parse("unset"));

  @BeforeEach
  void openStore() {
    stores = TestStores.connect();
    store = stores.open(TestStores.newRoot(kind, scratch));
  }

  @AfterEach
  void closeStores() {
    stores.close();
  }

  @Test
  void returnsWhatWasPut() throws IOException {
    ObjectInfo stored = store.put("a/b.bin", CONTENT);

    assertThat(stored.key()).isEqualTo("a/b.bin");
    assertThat(stored.sizeBytes()).isEqualTo(CONTENT.length);
    try (InputStream content = store.open("a/b.bin")) {
      assertThat(content.readAllBytes()).isEqualTo(CONTENT);
    }
    assertThat(store.head("a/b.bin").sizeBytes()).isEqualTo(CONTENT.length);
    assertThat(store.head("a/b.bin").lastModified()).isNotNull();
    assertThat(store.exists("a/b.bin")).isTrue();
  }

  @Test
  void replacesAnOlderObject() {
    store.put("x", CONTENT);
    store.put("x", "new".getBytes(UTF_8));

    assertThat(store.read("x", 0, 100)).asString(UTF_8).isEqualTo("new");
  }

  @Test
  void keepsAnEmptyObject() {
    store.put("empty.parquet", new byte[0]);

    assertThat(store.head("empty.parquet").sizeBytes()).isZero();
    ObjectTail tail = store.tail("empty.parquet", 8);
    assertThat(tail.bytes()).isEmpty();
    assertThat(tail.sizeBytes()).isZero();
    assertThat(keys("")).containsExactly("empty.parquet");
  }

  @Test
  void readsRangesUpToTheEndOfTheObject() {
    store.put("x", CONTENT);

    assertThat(store.read("x", 0, 4)).asString(UTF_8).isEqualTo("0123");
    assertThat(store.read("x", 3, 2)).asString(UTF_8).isEqualTo("34");
    assertThat(store.read("x", 8, 50)).asString(UTF_8).isEqualTo("89");
    assertThat(store.read("x", 0, 10)).isEqualTo(CONTENT);
    assertThat(store.read("x", 4, 0)).isEmpty();
  }

  @Test
  void refusesARangeBehindTheEnd() {
    store.put("x", CONTENT);

    assertThatThrownBy(() -> store.read("x", 10, 1))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INVALID_RANGE))
        .hasMessage(
            store.uri("x")
                + ": reading from offset 10 failed; the object ends before it; look the object's"
                + " size up again");
  }

  @Test
  void readsTheTailTogetherWithTheSize() {
    store.put("x", CONTENT);

    ObjectTail tail = store.tail("x", 4);
    assertThat(tail.bytes()).asString(UTF_8).isEqualTo("6789");
    assertThat(tail.sizeBytes()).isEqualTo(10);
    ObjectTail whole = store.tail("x", 1000);
    assertThat(whole.bytes()).isEqualTo(CONTENT);
    assertThat(whole.sizeBytes()).isEqualTo(10);
  }

  @Test
  void tellsThatAnObjectIsAbsent() {
    store.put("a/b", CONTENT);

    assertThat(store.find("missing")).isEmpty();
    assertThat(store.exists("a")).isFalse();
    assertThat(store.exists("a/b/c")).isFalse();
    assertThatThrownBy(() -> store.head("missing"))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND))
        .hasMessageStartingWith(store.uri("missing") + ": looking it up failed; ")
        .hasMessageEndingWith("; check the location, or run the producer again");
    assertThatThrownBy(() -> store.open("missing"))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND))
        .hasMessageStartingWith(store.uri("missing"));
    assertThatThrownBy(() -> store.tail("missing", 8))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND))
        .hasMessageStartingWith(store.uri("missing"));
  }

  @Test
  void listsByPrefixInTheOrderOfTheKeysBytes() {
    List<String> keys = List.of("a.b", "a/b/c", "a/b.x", "a0", "b", "é/x", "日本", "a/b c");
    keys.forEach(key -> store.put(key, CONTENT));

    assertThat(keys("")).containsExactly("a.b", "a/b c", "a/b.x", "a/b/c", "a0", "b", "é/x", "日本");
    assertThat(keys("a/")).containsExactly("a/b c", "a/b.x", "a/b/c");
    assertThat(keys("a/b")).containsExactly("a/b c", "a/b.x", "a/b/c");
    assertThat(keys("a/b/")).containsExactly("a/b/c");
    assertThat(keys("nothing")).isEmpty();
  }

  @Test
  void listsMoreThanOnePage() {
    IntStream.range(0, 1_203)
        .parallel()
        .forEach(i -> store.put("many/%04d".formatted(i), new byte[] {1}));

    assertThat(keys("many/")).hasSize(1_203).isSorted().doesNotHaveDuplicates();
    try (Stream<ObjectInfo> listing = store.list("many/")) {
      assertThat(listing.limit(3).map(ObjectInfo::key)).hasSize(3);
    }
  }

  @Test
  void streamsContentOfUnknownLength() throws IOException {
    byte[] large = new byte[20_000_003];
    new Random(7).nextBytes(large);
    List<Long> progress = new ArrayList<>();

    ObjectInfo stored = store.put("large", new OddlyChunked(large), progress::add);

    assertThat(stored.sizeBytes()).isEqualTo(large.length);
    assertThat(progress).isSorted().endsWith((long) large.length).hasSizeGreaterThan(2);
    try (InputStream content = store.open("large")) {
      assertThat(content.readAllBytes()).isEqualTo(large);
    }
    assertThat(store.tail("large", 3).sizeBytes()).isEqualTo(large.length);
  }

  @Test
  void showsNothingOfAnUploadThatIsNotCompleted() {
    try (ObjectUpload upload = store.upload("x")) {
      upload.write(new byte[10_000_000]);
      assertThat(upload.writtenBytes()).isEqualTo(10_000_000);
      assertThat(keys("")).isEmpty();
    }

    assertThat(keys("")).isEmpty();
  }

  @Test
  void storesNothingWhenTheSourceFails() {
    InputStream failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("cable pulled");
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            return read();
          }
        };

    assertThatThrownBy(() -> store.put("x", failing, TransferMonitor.NONE))
        .isInstanceOf(StorageException.class)
        .hasMessage(
            store.uri("x")
                + ": storing it failed; the content could not be read: cable pulled; repeat later");
    assertThat(keys("")).isEmpty();
  }

  @Test
  void stopsATransferWhenTheMonitorThrows() {
    byte[] large = new byte[30_000_000];
    IllegalStateException stop = new IllegalStateException("cancelled");

    assertThatThrownBy(
            () ->
                store.put(
                    "x",
                    new ByteArrayInputStream(large),
                    bytes -> {
                      throw stop;
                    }))
        .isSameAs(stop)
        .hasMessage("cancelled");
    assertThat(keys("")).isEmpty();
  }

  @Test
  void endsWithinOneObjectWhenTheThreadIsInterrupted() {
    byte[] large = new byte[30_000_000];
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(
              () -> store.put("x", new ByteArrayInputStream(large), TransferMonitor.NONE))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INTERRUPTED))
          .hasMessageContaining("the thread was interrupted");
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(keys("")).isEmpty();
  }

  @Test
  void copiesWithinTheStoreAndFromOtherKindsOfStore() {
    store.put("from", CONTENT);
    ObjectStore other =
        stores.open(
            TestStores.newRoot(
                kind == TestStores.Kind.S3 ? TestStores.Kind.LOCAL : TestStores.Kind.S3, scratch));
    ObjectStore sameKind = stores.open(TestStores.newRoot(kind, scratch));
    other.put("foreign", "other".getBytes(UTF_8));
    sameKind.put("near", "same".getBytes(UTF_8));

    assertThat(store.copyFrom(store, "from", "to/x").sizeBytes()).isEqualTo(10);
    assertThat(store.copyFrom(other, "foreign", "to/y").sizeBytes()).isEqualTo(5);
    assertThat(store.copyFrom(sameKind, "near", "to/z").sizeBytes()).isEqualTo(4);

    assertThat(store.read("to/x", 0, 99)).isEqualTo(CONTENT);
    assertThat(store.read("to/y", 0, 99)).asString(UTF_8).isEqualTo("other");
    assertThat(store.read("to/z", 0, 99)).asString(UTF_8).isEqualTo("same");
  }

  @Test
  void copiesAreIndependentOfTheirSource() {
    store.put("from", CONTENT);
    store.copyFrom(store, "from", "to");
    store.put("from", "changed".getBytes(UTF_8));
    store.delete(List.of("from"));

    assertThat(store.read("to", 0, 99)).isEqualTo(CONTENT);
  }

  @Test
  void refusesToCopyAnObjectThatIsNoLongerTheListedOne() {
    ObjectStore other =
        stores.open(
            TestStores.newRoot(
                kind == TestStores.Kind.S3 ? TestStores.Kind.LOCAL : TestStores.Kind.S3, scratch));
    for (ObjectStore source : List.of(store, other)) {
      source.put("from", CONTENT);
      ObjectInfo listed = source.head("from");
      source.put("from", "longer than it was".getBytes(UTF_8));

      assertThatThrownBy(() -> store.copyFrom(source, listed, "to", TransferMonitor.NONE))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.SOURCE_CHANGED))
          .hasMessageContaining(source.uri("from"))
          .hasMessageEndingWith("; list the source again and repeat");
      assertThat(store.exists("to")).isFalse();
    }
  }

  @Test
  void failsToCopyAMissingSource() {
    assertThatThrownBy(() -> store.copyFrom(store, "missing", "to"))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND))
        .hasMessageStartingWith(store.uri("missing"));
  }

  @Test
  void deletesManyObjectsAndCountsAbsentOnesAsDeleted() {
    List<String> keys = IntStream.range(0, 30).mapToObj(i -> "d/" + i + "/x").toList();
    keys.forEach(key -> store.put(key, CONTENT));
    List<String> asked = new ArrayList<>(keys);
    asked.add("d/absent");
    asked.add(keys.getFirst());

    DeleteResult result = store.delete(asked);

    assertThat(result.complete()).isTrue();
    assertThat(result.deletedCount()).isEqualTo(31);
    assertThat(keys("")).isEmpty();
    assertThat(store.delete(List.of()).deletedCount()).isZero();
    store.put("d", CONTENT);
    assertThat(keys("")).containsExactly("d");
  }

  @Test
  void refusesKeysThatMustNotBeWritten() {
    for (String key : List.of("", "/a", "a/", "a//b", "../a", "a/../b", "a/..", "./a", "a/\0")) {
      assertThatThrownBy(() -> store.put(key, CONTENT))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INVALID_KEY))
          .hasMessageStartingWith("key '" + key.replace("\0", "\\0") + "': not allowed; it ");
    }
  }

  @Test
  void passesItsOwnStartUpCheckAndLeavesNothingBehind() {
    StorageProbe.checkReadable(store);
    StorageProbe.checkWritable(store);

    assertThat(keys("")).isEmpty();
  }

  @Test
  void namesAMissingRoot() {
    StorageLocation missing =
        switch (kind) {
          case S3 -> StorageLocation.parse("s3://no-such-bucket/p");
          case LOCAL -> StorageLocation.parse(store.location().uri() + "no-such-directory");
        };
    ObjectStore nowhere = stores.open(missing);

    for (Runnable action :
        List.<Runnable>of(
            () -> nowhere.list("").close(),
            () -> nowhere.put("x", CONTENT),
            () -> StorageProbe.checkReadable(nowhere),
            () -> StorageProbe.checkWritable(nowhere))) {
      assertThatThrownBy(action::run)
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.MISSING_BUCKET))
          .hasMessageContaining(missing.toString().replaceAll("/$", ""))
          .hasMessageEndingWith("; create it, or correct the configured location");
    }

    stores.createRootIfMissing(missing);
    stores.createRootIfMissing(missing);
    StorageProbe.checkWritable(nowhere);
  }

  private List<String> keys(String prefix) {
    try (Stream<ObjectInfo> listing = store.list(prefix)) {
      return listing.map(ObjectInfo::key).toList();
    }
  }

  /** Gives its bytes in pieces whose sizes fit no buffer. */
  private static final class OddlyChunked extends InputStream {
    private final ByteArrayInputStream delegate;

    OddlyChunked(byte[] content) {
      this.delegate = new ByteArrayInputStream(content);
    }

    @Override
    public int read() {
      return delegate.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      return delegate.read(target, offset, Math.min(length, 77_777));
    }
  }
}
