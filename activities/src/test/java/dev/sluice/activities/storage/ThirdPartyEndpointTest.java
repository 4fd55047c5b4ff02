package dev.sluice.activities.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.storage.StubS3.Request;
import dev.sluice.activities.storage.StubS3.Response;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Endpoints that are stricter, older or less reliable than Amazon's. */
class ThirdPartyEndpointTest {

  private final StubS3 stub = new StubS3();
  private final ObjectStores stores = ObjectStores.connect(stub.settings());
  private final ObjectStore store = stores.open(StorageLocation.parse("s3://bucket/root"));

  @AfterEach
  void stop() {
    stores.close();
    stub.close();
  }

  @Test
  @DisplayName("OBJ-01: no checksum trailer, SDK checksum or aws-chunked body is sent by default")
  void obj01PutMultipartCopyAndDeleteSendNothingThatStrictEndpointsRefuse() {
    stub.rule(ThirdPartyEndpointTest::refuseNewChecksums);
    byte[] large = new byte[2 * S3Upload.PART_BYTES + 5];

    store.put("small", "abc".getBytes(UTF_8));
    store.put("large", new ByteArrayInputStream(large), TransferMonitor.NONE);
    store.copyFrom(store, "small", "copied");
    try (ObjectStores inParts =
        ObjectStores.connect(stub.settings().withMultipartCopyThreshold(0))) {
      ObjectStore again = inParts.open(store.location());
      again.copyFrom(again, "large", "copied in parts");
    }
    assertThat(store.delete(List.of("small")).complete()).isTrue();

    assertThat(store.read("copied", 0, 9)).asString(UTF_8).isEqualTo("abc");
    assertThat(store.head("large").sizeBytes()).isEqualTo(large.length);
    assertThat(store.head("copied in parts").sizeBytes()).isEqualTo(large.length);
    assertThat(store.exists("small")).isFalse();
  }

  @Test
  @DisplayName("OBJ-01: every body carries a Content-MD5 that fits")
  void obj01EveryBodyCanBeCheckedByTheEndpoint() {
    store.put("small", "abc".getBytes(UTF_8));
    store.put("large", new ByteArrayInputStream(new byte[20_000_000]), TransferMonitor.NONE);

    List<Request> bodies = stub.requests(request -> request.method().equals("PUT"));
    assertThat(bodies).hasSize(4);
    assertThat(bodies)
        .allSatisfy(
            request ->
                assertThat(request.header("Content-MD5"))
                    .isEqualTo(StubBuckets.md5(request.body())));
  }

  private static @Nullable Response refuseNewChecksums(Request request) {
    String encoding = request.header("Content-Encoding");
    boolean refused =
        request.header("x-amz-trailer") != null
            || request.header("x-amz-sdk-checksum-algorithm") != null
            || (encoding != null && encoding.toLowerCase(Locale.ROOT).contains("aws-chunked"));
    return refused ? Response.error(400, "NotImplemented", "header not implemented") : null;
  }

  @Test
  @DisplayName("OBJ-02: an endpoint that demands Content-MD5 deletes 1,500 objects")
  void obj02MultiObjectDeletesCarryAContentMd5() {
    stub.rule(
        request ->
            request.hasQuery("delete")
                    && !StubBuckets.md5(request.body()).equals(request.header("Content-MD5"))
                ? Response.error(400, "InvalidRequest", "Missing required header: Content-MD5")
                : null);
    List<String> keys = addObjects(1_500);

    DeleteResult result = store.delete(keys);

    assertThat(result.complete()).isTrue();
    assertThat(result.deletedCount()).isEqualTo(1_500);
    assertThat(stub.buckets().objects()).isEmpty();
    assertThat(stub.requests(request -> request.hasQuery("delete"))).hasSize(2);
  }

  @Test
  @DisplayName("OBJ-02: an error for one key inside a 200 answer is reported")
  void obj02OneFailedKeyIsReportedAndTheOthersAreDeleted() {
    List<String> keys = addObjects(1_500);
    stub.rule(request -> request.hasQuery("delete") ? failOneKey(request, "root/k/700") : null);

    DeleteResult result = store.delete(keys);

    assertThat(result.complete()).isFalse();
    assertThat(result.deletedCount()).isEqualTo(1_499);
    assertThat(result.failures())
        .containsExactly(new DeleteResult.Failure("k/700", "AccessDenied", "object is locked"));
  }

  @Test
  @DisplayName("OBJ-02: a key that the answer does not mention counts as failed")
  void obj02AKeyWithoutAnAnswerIsReported() {
    List<String> keys = addObjects(3);
    stub.rule(
        request ->
            request.hasQuery("delete") ? Response.of(200, "<DeleteResult></DeleteResult>") : null);

    DeleteResult result = store.delete(keys);

    assertThat(result.deletedCount()).isZero();
    assertThat(result.failures()).extracting(DeleteResult.Failure::key).isEqualTo(keys);
    assertThat(result.failures()).extracting(DeleteResult.Failure::code).containsOnly("NoAnswer");
  }

  private List<String> addObjects(int count) {
    List<String> keys = IntStream.range(0, count).mapToObj(i -> "k/" + i).toList();
    keys.forEach(key -> stub.buckets().add("bucket/root/" + key, "x"));
    return keys;
  }

  private static Response failOneKey(Request request, String failing) {
    StringBuilder answer = new StringBuilder("<DeleteResult>");
    for (String key : StubBuckets.deletedKeys(request)) {
      answer.append(
          key.equals(failing)
              ? "<Error><Key>"
                  + key
                  + "</Key><Code>AccessDenied</Code><Message>object is locked</Message></Error>"
              : "<Deleted><Key>" + key + "</Key></Deleted>");
    }
    return Response.of(200, answer.append("</DeleteResult>").toString());
  }

  @Test
  void passingFaultsAreRepeated() {
    AtomicInteger faults = new AtomicInteger();
    stub.rule(
        request ->
            faults.incrementAndGet() <= 2
                ? Response.error(503, "SlowDown", "please slow down")
                : null);

    store.put("x", "abc".getBytes(UTF_8));

    assertThat(store.read("x", 0, 9)).asString(UTF_8).isEqualTo("abc");
  }

  @Test
  void aBodyThatBreaksOffIsReadAgain() {
    AtomicInteger answers = new AtomicInteger();
    stub.buckets().add("bucket/root/x", "0123456789");
    stub.rule(
        request ->
            request.method().equals("GET") && answers.incrementAndGet() == 1
                ? Response.of(206, "01234").with("Content-Range", "bytes 0-9/10")
                : null);

    // The first answer is whole as HTTP goes, but shorter than the range it claims to hold.
    assertThat(store.read("x", 0, 10)).asString(UTF_8).isEqualTo("0123456789");
    assertThat(answers).hasValue(2);
  }

  @Test
  void anEndpointThatIgnoresRangesIsRefusedAndNotReadToItsEnd() {
    stub.buckets().add("bucket/root/x", "0123456789");
    stub.rule(request -> request.method().equals("GET") ? Response.of(200, "0123456789") : null);

    assertThatThrownBy(() -> store.read("x", 4, 2))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNEXPECTED))
        .hasMessage(
            "s3://bucket/root/x: reading a range failed; the endpoint sent 10 bytes from offset 0"
                + " where bytes=4-5 was asked for; report it with this message");
    assertThat(store.tail("x", 10).sizeBytes()).isEqualTo(10);
  }

  @Test
  void aListingThatRepeatsAPageEnds() {
    stub.rule(
        request ->
            request.key().isEmpty()
                ? Response.of(
                    200,
                    "<ListBucketResult><IsTruncated>true</IsTruncated>"
                        + "<NextContinuationToken>again</NextContinuationToken></ListBucketResult>")
                : null);

    assertThatThrownBy(() -> store.list("").count())
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("the endpoint sends the same page again and again");
  }

  @Test
  @DisplayName("OBJ-04: keys survive a listing whether or not the endpoint encodes them")
  void obj04KeysAreReadAsListedWithAndWithoutUrlEncoding() {
    List<String> keys =
        List.of("a+b", "a b", "a:b", "a%20b", "a&b", "a\u2028b", "a=<b>", "ü/日本", "a//b", "m/");
    keys.forEach(key -> stub.buckets().add("bucket/root/" + key, key.replace("\u2028", "L")));

    assertListsAndReads(keys);
    stub.buckets().ignoreEncodingType();
    assertListsAndReads(keys);
  }

  private void assertListsAndReads(List<String> keys) {
    List<ObjectInfo> listed = store.list("").toList();
    assertThat(listed).extracting(ObjectInfo::key).containsExactlyInAnyOrderElementsOf(keys);
    for (ObjectInfo object : listed) {
      assertThat(store.read(object.key(), 0, 99)).hasSize(Math.toIntExact(object.sizeBytes()));
    }
  }
}
