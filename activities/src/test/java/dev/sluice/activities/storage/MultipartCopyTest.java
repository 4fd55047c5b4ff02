package dev.sluice.activities.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.storage.StorageException.Kind;
import dev.sluice.activities.storage.StubS3.Request;
import dev.sluice.activities.storage.StubS3.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Copies of large objects, against a stub whose objects have a size and no content. */
class MultipartCopyTest {

  private static final long GIB = 1L << 30;
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");

  private final StubS3 stub = new StubS3();
  private final ObjectStores stores = ObjectStores.connect(stub.settings());
  private final ObjectStore source = stores.open(StorageLocation.parse("s3://source/in"));
  private final ObjectStore target = stores.open(StorageLocation.parse("s3://target/out/"));

  @AfterEach
  void stop() {
    stores.close();
    stub.close();
  }

  @Test
  @DisplayName("OBJ-05: an object of exactly 5 GiB is copied in one request")
  void obj05TheLargestSingleCopyIsNotCut() {
    stub.buckets().addSized("source/in/x", 5 * GIB);

    target.copyFrom(source, "x", "x");

    assertThat(stub.requests(request -> request.method().equals("PUT"))).hasSize(1);
    assertThat(stub.buckets().objects().get("target/out/x"))
        .isNotNull()
        .extracting(StubBuckets.Stored::sizeBytes)
        .isEqualTo(5 * GIB);
  }

  @Test
  @DisplayName("OBJ-05: an object of 6 GiB is copied in parts that cover it exactly once")
  void obj05SixGibibytesAreCopiedInParts() {
    stub.buckets().addSized("source/in/x", 6 * GIB);
    List<Long> progress = new ArrayList<>();

    ObjectInfo copied = target.copyFrom(source, source.head("x"), "x", progress::add);

    assertThat(copied.sizeBytes()).isEqualTo(6 * GIB);
    assertCovers(6 * GIB, 96);
    assertThat(progress).hasSize(96).isSorted().endsWith(6 * GIB);
    assertThat(stub.buckets().openUploads()).isEmpty();
  }

  @Test
  @DisplayName("OBJ-05: an object of 700 GiB needs larger parts and stays below 10,000 of them")
  void obj05SevenHundredGibibytesGrowThePartSize() {
    stub.buckets().addSized("source/in/x", 700 * GIB);

    target.copyFrom(source, "x", "x");

    assertThat(S3MultipartCopy.partBytes(700 * GIB)).isEqualTo(72L << 20);
    assertCovers(700 * GIB, 9_956);
    assertThat(stub.buckets().openUploads()).isEmpty();
  }

  @Test
  @DisplayName("OBJ-05: no size needs more than 10,000 parts")
  void obj05PartsGrowWithTheObject() {
    for (long size : List.of(1L, 5 * GIB + 1, 625 * GIB, 625 * GIB + 1, 5_000 * GIB, 5L << 40)) {
      long partBytes = S3MultipartCopy.partBytes(size);
      assertThat(Math.ceilDiv(size, partBytes)).isLessThanOrEqualTo(10_000);
      assertThat(partBytes).isBetween(S3MultipartCopy.SMALLEST_PART_BYTES, 5 * GIB);
    }
  }

  @Test
  @DisplayName("OBJ-05: a part that fails for good leaves no open upload and no object")
  void obj05AFailedPartAbortsTheUpload() {
    stub.buckets().addSized("source/in/x", 6 * GIB);
    stub.rule(
        request ->
            "3".equals(request.query("partNumber"))
                ? Response.error(500, "InternalError", "disk on fire")
                : null);

    assertThatThrownBy(() -> target.copyFrom(source, "x", "x"))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE);
              assertThat(e.retryable()).isTrue();
            })
        .hasMessage(
            "s3://target/out/x: storing part 3 failed; the endpoint answered InternalError (status"
                + " 500): disk on fire; repeat later");
    assertNothingLeft();
  }

  @Test
  @DisplayName("OBJ-05: an error inside the 200 answer to the completion leaves no open upload")
  void obj05AFailedCompletionAbortsTheUpload() {
    stub.buckets().addSized("source/in/x", 6 * GIB);
    stub.rule(
        request ->
            request.method().equals("POST") && request.hasQuery("uploadId")
                ? Response.error(200, "InternalError", "try again")
                : null);

    assertThatThrownBy(() -> target.copyFrom(source, "x", "x"))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
        .hasMessageStartingWith("s3://target/out/x: completing the multipart upload failed; ");
    assertNothingLeft();
  }

  @Test
  void aPartStoredWhileTheUploadIsAbortedIsAbortedToo() {
    stub.buckets().addSized("source/in/x", 6 * GIB);
    stub.rule(
        request ->
            "3".equals(request.query("partNumber"))
                ? Response.error(403, "AccessDenied", "no")
                : null);
    // The first abort is answered, but the upload stays, as when a part arrives after it.
    AtomicReference<String> survivor = new AtomicReference<>();
    stub.rule(
        request ->
            request.method().equals("DELETE")
                    && survivor.compareAndSet(null, request.requiredQuery("uploadId"))
                ? Response.of(204, "")
                : null);

    assertThatThrownBy(() -> target.copyFrom(source, "x", "x"))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.ACCESS_DENIED))
        .hasMessageContaining("AccessDenied");
    assertThat(survivor).doesNotHaveNullValue();
    assertNothingLeft();
  }

  @Test
  void anUploadThatCannotBeAbortedIsNamedBesideTheFirstFailure() {
    stub.buckets().addSized("source/in/x", 6 * GIB);
    stub.rule(
        request ->
            request.hasQuery("partNumber") || request.method().equals("DELETE")
                ? Response.error(403, "AccessDenied", "no")
                : null);

    assertThatThrownBy(() -> target.copyFrom(source, "x", "x"))
        .hasMessageContaining(": storing part ")
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .extracting(Throwable::getMessage)
                    .asString()
                    .startsWith("s3://target/out/x: giving up the multipart upload upload-")
                    .contains("it is still open and keeps its parts"));
  }

  @Test
  void aSourceThatChangesBetweenPartsIsNotMixed() {
    stub.buckets().addSized("source/in/x", 6 * GIB);
    ObjectInfo listed = source.head("x");
    stub.rule(
        request -> {
          if ("20".equals(request.query("partNumber"))) {
            stub.buckets().add("source/in/x", "other content", "\"other\"");
          }
          return null;
        });

    assertThatThrownBy(() -> target.copyFrom(source, listed, "x", TransferMonitor.NONE))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.SOURCE_CHANGED))
        .hasMessageEndingWith("; list the source again and repeat");
    assertNothingLeft();
  }

  @Test
  void anInterruptEndsTheCopyWithinOnePartAndLeavesNoOpenUpload() throws InterruptedException {
    stub.buckets().addSized("source/in/x", 6 * GIB);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    stub.rule(request -> holdParts(request, begun, never));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread copying =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    target.copyFrom(source, "x", "x");
                  } catch (StorageException e) {
                    thrown.set(e);
                  }
                });

    begun.await();
    copying.interrupt();
    copying.join();

    assertThat(thrown.get())
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INTERRUPTED))
        .hasMessage(
            "s3://target/out/x: storing parts failed; the thread was interrupted; repeat if the"
                + " work is still wanted");
    assertNothingLeft();
    never.countDown();
  }

  @Test
  void aMonitorCanStopACopy() {
    stub.buckets().addSized("source/in/x", 6 * GIB);
    IllegalStateException stop = new IllegalStateException("cancelled by the caller");

    assertThatThrownBy(
            () ->
                target.copyFrom(
                    source,
                    source.head("x"),
                    "x",
                    bytes -> {
                      throw stop;
                    }))
        .isSameAs(stop)
        .hasMessage("cancelled by the caller");
    assertNothingLeft();
  }

  private static @org.jspecify.annotations.Nullable Response holdParts(
      Request request, CountDownLatch begun, CountDownLatch never) {
    if (!request.hasQuery("partNumber")) {
      return null;
    }
    begun.countDown();
    try {
      never.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Response.error(500, "InternalError", "the test is over");
  }

  private void assertNothingLeft() {
    assertThat(stub.buckets().openUploads()).isEmpty();
    assertThat(stub.buckets().objects()).containsOnlyKeys("source/in/x");
  }

  private void assertCovers(long sizeBytes, int partCount) {
    StubBuckets.Stored stored = stub.buckets().objects().get("target/out/x");
    assertThat(stored).isNotNull();
    assertThat(stored.sizeBytes()).isEqualTo(sizeBytes);
    long expectedFirst = 0;
    int count = 0;
    Matcher ranges = RANGE.matcher(String.valueOf(stored.range()));
    while (ranges.find()) {
      assertThat(Long.parseLong(ranges.group(1))).isEqualTo(expectedFirst);
      expectedFirst = Long.parseLong(ranges.group(2)) + 1;
      count++;
    }
    assertThat(expectedFirst).isEqualTo(sizeBytes);
    assertThat(count).isEqualTo(partCount).isLessThanOrEqualTo(10_000);
  }
}
