package dev.sluice.activities.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.storage.StubS3.Request;
import dev.sluice.activities.storage.StubS3.Response;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ends of objects are read past the SDK's pipeline, which stays behind as the way out. */
class SignedReadsTest {

  /** The pipeline puts it on every request that passes through it. */
  private static final String PIPELINE_HEADER = "amz-sdk-invocation-id";

  private static final String EMPTY_SHA256 =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private final StubS3 stub = new StubS3();
  private final ObjectStores stores = ObjectStores.connect(stub.settings());
  private final ObjectStore store = stores.open(StorageLocation.parse("s3://bucket/root"));

  @BeforeEach
  void anObject() {
    stub.buckets().add("bucket/root/x", "0123456789");
  }

  @AfterEach
  void stop() {
    stores.close();
    stub.close();
  }

  @Test
  void aTailIsOneSignedRequestThatDoesNotPassThroughThePipeline() {
    ObjectTail tail = store.tail("x", 4);

    assertThat(tail.bytes()).asString(UTF_8).isEqualTo("6789");
    assertThat(tail.sizeBytes()).isEqualTo(10);
    assertThat(tail.etag()).isEqualTo(store.head("x").etag());
    assertThat(reads())
        .singleElement()
        .satisfies(
            request -> {
              assertThat(throughPipeline(request)).isFalse();
              assertThat(request.header("Authorization"))
                  .startsWith("AWS4-HMAC-SHA256 Credential=stub/")
                  .contains("/us-east-1/s3/aws4_request");
              assertThat(request.header("x-amz-content-sha256")).isEqualTo(EMPTY_SHA256);
            });
  }

  @Test
  void theTokenOfASessionIsSentAndSigned() {
    S3Settings settings =
        S3Settings.endpoint(
            stub.endpoint(),
            "eu-west-3",
            new S3Credentials.Fixed("stub", Secret.of("secret"), Secret.of("a token")));
    try (ObjectStores ofSession = ObjectStores.connect(settings)) {
      ofSession.open(store.location()).tail("x", 4);
    }

    assertThat(reads())
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.header("x-amz-security-token")).isEqualTo("a token");
              assertThat(request.header("Authorization"))
                  .contains("/eu-west-3/s3/")
                  .contains("x-amz-security-token");
            });
  }

  @Test
  void anEndpointThatIsBusyIsAskedAgainThroughTheClientAndTheNextReadIsDirectAgain() {
    AtomicInteger asked = new AtomicInteger();
    stub.rule(
        request ->
            isRead(request) && asked.getAndIncrement() == 0
                ? Response.error(503, "SlowDown", "later")
                : null);

    assertThat(store.tail("x", 4).bytes()).hasSize(4);
    assertThat(store.tail("x", 3).bytes()).hasSize(3);

    assertThat(reads())
        .extracting(SignedReadsTest::throughPipeline)
        .containsExactly(false, true, false);
  }

  @Test
  void anEndpointThatRefusesTheDirectRequestIsAskedThroughTheClientFromThenOn() {
    stub.rule(
        request ->
            isRead(request) && !throughPipeline(request)
                ? Response.error(403, "SignatureDoesNotMatch", "not like this")
                : null);

    assertThat(store.tail("x", 4).bytes()).hasSize(4);
    assertThat(store.tail("x", 3).bytes()).hasSize(3);

    assertThat(reads())
        .extracting(SignedReadsTest::throughPipeline)
        .containsExactly(false, true, true);
  }

  @Test
  void aRefusalThatTheClientMeetsTooIsItsErrorAndChangesNothing() {
    AtomicInteger asked = new AtomicInteger();
    stub.rule(
        request ->
            isRead(request) && asked.getAndIncrement() < 2
                ? Response.error(403, "AccessDenied", "not yours")
                : null);

    assertThatThrownBy(() -> store.tail("x", 4))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.ACCESS_DENIED));
    assertThat(store.tail("x", 4).bytes()).hasSize(4);

    assertThat(reads())
        .extracting(SignedReadsTest::throughPipeline)
        .containsExactly(false, true, false);
  }

  @Test
  void anAnswerThatCannotBeReadIsTheClientsToComplainAbout() {
    stub.rule(
        request ->
            isRead(request)
                ? Response.of(206, "6789").with("Content-Range", "bytes what/ever")
                : null);

    assertThatThrownBy(() -> store.tail("x", 4))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("Content-Range is 'bytes what/ever'");
  }

  @Test
  void moreBytesThanWereAskedForAreRefused() {
    stub.rule(request -> isRead(request) ? Response.of(200, "0123456789") : null);

    assertThatThrownBy(() -> store.tail("x", 4))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("10 bytes");
  }

  private List<Request> reads() {
    return stub.requests(SignedReadsTest::isRead);
  }

  private static boolean isRead(Request request) {
    return request.method().equals("GET") && request.key().equals("root/x");
  }

  private static boolean throughPipeline(Request request) {
    return request.header(PIPELINE_HEADER) != null;
  }
}
