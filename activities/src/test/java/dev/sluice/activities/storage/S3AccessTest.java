package dev.sluice.activities.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.storage.StorageException.Kind;
import dev.sluice.activities.storage.StubS3.Response;
import dev.sluice.embedded.EmbeddedS3;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Signing in, the start-up check's messages, and many readers at a time. */
class S3AccessTest {

  private static final String SECRET = "a-very-secret-key";

  @Test
  void theStartUpCheckNamesWrongCredentials() {
    EmbeddedS3 s3 = EmbeddedS3.shared();
    StorageLocation root = StorageLocation.parse("s3://" + s3.newBucket("access"));

    assertRefused(
        S3Settings.endpoint(
            s3.endpoint(), s3.region(), new S3Credentials.Fixed(s3.accessKey(), Secret.of(SECRET))),
        root,
        Kind.BAD_CREDENTIALS,
        "SignatureDoesNotMatch");
    assertRefused(
        S3Settings.endpoint(
            s3.endpoint(), s3.region(), new S3Credentials.Fixed("nobody", Secret.of(SECRET))),
        root,
        Kind.BAD_CREDENTIALS,
        "InvalidAccessKeyId");
  }

  @Test
  void theStartUpCheckNamesAnEndpointWhereNothingListens() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }

    assertRefused(
        settings(URI.create("http://127.0.0.1:" + port)),
        StorageLocation.parse("s3://bucket"),
        Kind.UNREACHABLE,
        "check the configured endpoint and the network");
    assertRefused(
        settings(URI.create("http://no-such-host.invalid")),
        StorageLocation.parse("s3://bucket"),
        Kind.UNREACHABLE,
        "the host is unknown");
  }

  @Test
  void theStartUpCheckNamesAWrongRegionAndAMissingPermission() {
    try (StubS3 stub = new StubS3()) {
      stub.rule(request -> refuse(request.bucket()));

      assertRefused(
          settings(stub.endpoint()),
          StorageLocation.parse("s3://elsewhere"),
          Kind.WRONG_REGION,
          "configure the region in which the bucket lives");
      assertRefused(
          settings(stub.endpoint()),
          StorageLocation.parse("s3://locked"),
          Kind.ACCESS_DENIED,
          "the start-up check failed at listing: s3://locked/: listing failed; the endpoint"
              + " answered AccessDenied (status 403): not yours; grant list, read, write and"
              + " delete there to the identity that Sluice runs as");
    }
  }

  private static @Nullable Response refuse(String bucket) {
    return switch (bucket) {
      case "elsewhere" ->
          Response.error(400, "AuthorizationHeaderMalformed", "the region 'us-east-1' is wrong");
      case "locked" -> Response.error(403, "AccessDenied", "not yours");
      default -> null;
    };
  }

  @Test
  void theStartUpCheckNamesTheStepThatLacksAPermission() {
    try (StubS3 stub = new StubS3()) {
      stub.rule(
          request ->
              request.hasQuery("delete")
                  ? Response.of(
                      200,
                      "<DeleteResult>%s</DeleteResult>"
                          .formatted(
                              String.join(
                                  "",
                                  StubBuckets.deletedKeys(request).stream()
                                      .map(
                                          key ->
                                              ("<Error><Key>%s</Key><Code>AccessDenied</Code>"
                                                      + "<Message>no deletes</Message></Error>")
                                                  .formatted(key.replace("&", "&amp;")))
                                      .toList())))
                  : null);

      assertRefused(
          settings(stub.endpoint()),
          StorageLocation.parse("s3://bucket/p"),
          Kind.ACCESS_DENIED,
          "the start-up check failed at deleting the objects");
    }
  }

  @Test
  void theStartUpCheckNoticesAnEndpointThatChangesKeys() {
    try (StubS3 stub = new StubS3()) {
      stub.rule(
          request -> {
            if (request.method().equals("PUT") && request.header("x-amz-copy-source") == null) {
              stub.buckets()
                  .add(request.bucket() + "/" + request.key().replace('+', ' '), request.body());
              stub.buckets().add(request.bucket() + "/" + request.key(), request.body());
              return Response.of(200, "").with("ETag", "\"x\"");
            }
            return null;
          });

      assertRefused(
          settings(stub.endpoint()),
          StorageLocation.parse("s3://bucket/p"),
          Kind.UNEXPECTED,
          "use an endpoint that keeps keys and content as they are sent");
    }
  }

  private static S3Settings settings(URI endpoint) {
    return S3Settings.endpoint(
        endpoint, "us-east-1", new S3Credentials.Fixed("key", Secret.of(SECRET)));
  }

  private static void assertRefused(
      S3Settings settings, StorageLocation root, Kind kind, String messagePart) {
    try (ObjectStores stores = ObjectStores.connect(settings)) {
      ObjectStore store = stores.open(root);
      assertThatThrownBy(() -> StorageProbe.checkWritable(store))
          .isInstanceOfSatisfying(StorageException.class, e -> assertThat(e.kind()).isEqualTo(kind))
          .hasMessageStartingWith(root.uri() + ": the store cannot be used; the start-up check")
          .hasMessageContaining(messagePart)
          .message()
          .doesNotContain(SECRET);
    }
  }

  @Test
  void aRoleIsAssumedWithSessionNameExternalIdAndDuration() {
    try (StubS3 sts = new StubS3();
        StubS3 s3 = new StubS3()) {
      sts.rule(
          request ->
              Response.of(
                  200,
                  "<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>role-key"
                      + "</AccessKeyId><SecretAccessKey>role-secret</SecretAccessKey>"
                      + "<SessionToken>role-token</SessionToken>"
                      + "<Expiration>2999-01-01T00:00:00Z</Expiration></Credentials>"
                      + "</AssumeRoleResult></AssumeRoleResponse>"));
      S3Settings settings =
          S3Settings.endpoint(s3.endpoint(), "eu-central-1", role(sts.endpoint()));
      try (ObjectStores stores = ObjectStores.connect(settings)) {
        ObjectStore store = stores.open(StorageLocation.parse("s3://bucket"));
        store.put("x", "abc".getBytes(UTF_8));
        store.head("x");
      }

      assertThat(sts.requests())
          .singleElement()
          .extracting(StubS3.Request::body)
          .asString()
          .contains("Action=AssumeRole")
          .contains("RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Flake")
          .contains("RoleSessionName=sluice-worker")
          .contains("ExternalId=ext-7")
          .contains("DurationSeconds=1800");
      assertThat(s3.requests())
          .hasSize(2)
          .allSatisfy(
              request -> {
                assertThat(request.header("Authorization"))
                    .contains("Credential=role-key/")
                    .contains("/eu-central-1/s3/");
                assertThat(request.header("x-amz-security-token")).isEqualTo("role-token");
              });
    }
  }

  @Test
  void aRoleThatMayNotBeAssumedIsNamed() {
    try (StubS3 sts = new StubS3()) {
      sts.rule(
          request ->
              Response.of(
                  403,
                  "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code>"
                      + "<Message>no trust</Message></Error></ErrorResponse>"));
      S3Settings settings =
          S3Settings.endpoint(sts.endpoint(), "eu-central-1", role(sts.endpoint()));
      try (ObjectStores stores = ObjectStores.connect(settings)) {
        ObjectStore store = stores.open(StorageLocation.parse("s3://bucket"));

        assertThatThrownBy(() -> store.head("x"))
            .isInstanceOfSatisfying(
                StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BAD_CREDENTIALS))
            .hasMessageStartingWith("role arn:aws:iam::1:role/lake: signing in failed; no trust")
            .hasMessageEndingWith("check the configured access key, secret, role and the clock");
      }
    }
  }

  private static S3Credentials role(URI sts) {
    return new S3Credentials.AssumedRole(
        new S3Credentials.Fixed("base", Secret.of(SECRET)),
        "arn:aws:iam::1:role/lake",
        "sluice-worker",
        "ext-7",
        Duration.ofMinutes(30),
        sts);
  }

  @Test
  void textFormsShowNoSecret() {
    S3Settings settings = settings(URI.create("http://127.0.0.1:1"));

    assertThat(settings.toString()).contains("secretAccessKey=***").doesNotContain(SECRET);
    assertThat(Secret.of(SECRET)).hasToString("***").isEqualTo(Secret.of(SECRET));
    assertThat(Secret.of(SECRET).reveal()).isEqualTo(SECRET);
  }

  @Test
  void fiveHundredVirtualThreadsReadRangesAtTheSameTime()
      throws InterruptedException, ExecutionException {
    EmbeddedS3 s3 = EmbeddedS3.shared();
    StorageLocation root = StorageLocation.parse("s3://" + s3.newBucket("many"));
    try (ObjectStores stores = TestStores.connect();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ObjectStore store = stores.open(root);
      byte[] content = new byte[100_000];
      for (int i = 0; i < content.length; i++) {
        content[i] = (byte) (i % 251);
      }
      store.put("x", content);

      List<Future<byte[]>> reads =
          IntStream.range(0, 500)
              .mapToObj(i -> threads.submit(() -> store.read("x", i * 100L, 100)))
              .toList();

      for (int i = 0; i < reads.size(); i++) {
        byte[] read = reads.get(i).get();
        assertThat(read).hasSize(100);
        assertThat(read[0]).isEqualTo((byte) (i * 100 % 251));
      }
    }
  }

  @Test
  void contentThatIsNotReadToItsEndIsNotDrained()
      throws IOException, InterruptedException, ExecutionException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        ObjectStores stores =
            ObjectStores.connect(
                settings(URI.create("http://127.0.0.1:" + socket.getLocalPort())))) {
      Future<Integer> afterRequest =
          threads.submit(
              () -> {
                try (Socket connection = socket.accept()) {
                  InputStream request = connection.getInputStream();
                  String received = "";
                  while (!received.endsWith("\r\n\r\n")) {
                    received += (char) request.read();
                  }
                  connection
                      .getOutputStream()
                      .write(
                          "HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n0123".getBytes(UTF_8));
                  return readUntilCut(request);
                }
              });

      // The endpoint never sends the rest: a close that waited for it would not return.
      try (InputStream content = stores.open(StorageLocation.parse("s3://bucket")).open("x")) {
        assertThat(content.read()).isEqualTo('0');
      }

      assertThat(afterRequest.get()).as("end of the connection").isEqualTo(-1);
    }
  }

  /** Minus one both for an orderly end and for a reset. */
  private static int readUntilCut(InputStream request) throws IOException {
    try {
      return request.read();
    } catch (SocketException reset) {
      return -1;
    }
  }

  @Test
  void aReaderWaitingForAConnectionIsServedWhenOneIsFree()
      throws InterruptedException, ExecutionException {
    StorageLocation root = StorageLocation.parse("s3://" + EmbeddedS3.shared().newBucket("few"));
    try (ObjectStores stores = ObjectStores.connect(TestStores.settings().withMaxConnections(1));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ObjectStore store = stores.open(root);
      store.put("x", "0123456789".getBytes(UTF_8));
      Future<byte[]> waiting;
      try (var held = store.open("x")) {
        waiting = threads.submit(() -> store.read("x", 0, 4));
        assertThat(held.read()).isEqualTo('0');
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }

      assertThat(waiting.get()).asString(UTF_8).isEqualTo("0123");
    }
  }
}
