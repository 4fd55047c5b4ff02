package dev.sluice.activities.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLEncoder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Reads the ends of objects with the SDK's signer and HTTP client and without the pipeline between
 * them.
 *
 * <p>Inspecting and verifying a generation of 24,000 files are 48,000 such requests, and most of
 * our processor time goes into the SDK's interceptors, endpoint rules, marshallers and
 * unmarshallers, which leave two headers of a GET as they were. Signing and sending alone cost half
 * of that. Everything that makes the pipeline worth its price - errors in words, retries with a
 * budget, corrected clocks, redirects, new credentials - is still its work: whatever is not a plain
 * good answer is asked for again through the client. Thread-safe.
 */
final class S3SignedReads {

  private final S3Client client;
  private final SdkHttpClient http;
  private final AwsCredentialsProvider credentials;
  private final String region;
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private final Map<String, URI> addresses = new ConcurrentHashMap<>();

  /** Until the endpoint refuses what it then gives to the client. */
  private final AtomicBoolean understood = new AtomicBoolean(true);

  S3SignedReads(
      S3Client client, SdkHttpClient http, AwsCredentialsProvider credentials, String region) {
    this.client = client;
    this.http = http;
    this.credentials = credentials;
    this.region = region;
  }

  /**
   * The last bytes of an object.
   *
   * @param throughClient the same question asked through the client, whose answer or exception is
   *     the caller's when there was no plain good answer
   */
  ObjectTail tail(String bucket, String fullKey, int length, Supplier<ObjectTail> throughClient) {
    if (!understood.get()) {
      return throughClient.get();
    }
    Answer answer = ask(bucket, fullKey, length);
    if (answer.tail() != null) {
      return answer.tail();
    }
    ObjectTail tail = throughClient.get();
    if (answer.refused()) {
      understood.set(false);
    }
    return tail;
  }

  /** A tail, or null with the status of an answer without one, 0 when there was no answer. */
  private record Answer(@Nullable ObjectTail tail, int status) {

    static final Answer NONE = new Answer(null, 0);

    /** A client's fault other than asking for what is not there, by this endpoint's lights. */
    boolean refused() {
      return status == HttpURLConnection.HTTP_BAD_REQUEST
          || status == HttpURLConnection.HTTP_UNAUTHORIZED
          || status == HttpURLConnection.HTTP_FORBIDDEN;
    }
  }

  private Answer ask(String bucket, String fullKey, int length) {
    try {
      SdkHttpRequest request = signed(address(bucket), fullKey, "bytes=-" + length);
      HttpExecuteResponse response =
          http.prepareRequest(HttpExecuteRequest.builder().request(request).build()).call();
      return receive(response, length);
    } catch (IOException | SdkException | StorageException e) {
      if (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException)) {
        Thread.currentThread().interrupt();
      }
      // Asked again through the client, which says what is wrong or gets over it.
      return Answer.NONE;
    }
  }

  private SdkHttpRequest signed(URI bucket, String fullKey, String range) {
    SdkHttpFullRequest request =
        SdkHttpFullRequest.builder()
            .method(SdkHttpMethod.GET)
            .uri(bucket)
            .encodedPath(bucket.getRawPath() + encoded(fullKey))
            .putHeader("Range", range)
            .build();
    return signer
        .sign(
            sign ->
                sign.identity(credentials.resolveCredentials())
                    .request(request)
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                    // S3 takes paths as they are.
                    .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false))
        .request();
  }

  /** The bucket's address with a slash at its end, as the client would call it. */
  private URI address(String bucket) {
    return addresses.computeIfAbsent(
        bucket,
        name -> {
          String key = "k";
          URL url = client.utilities().getUrl(get -> get.bucket(name).key(key));
          String text = url.toExternalForm();
          try {
            return new URI(text.substring(0, text.length() - key.length()));
          } catch (URISyntaxException e) {
            throw new IllegalStateException("the SDK's address of bucket " + name, e);
          }
        });
  }

  /** As S3's signatures want it: everything but unreserved characters and slashes. */
  private static String encoded(String key) {
    return URLEncoder.encode(key, UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~")
        .replace("%2F", "/");
  }

  private static Answer receive(HttpExecuteResponse response, int length) throws IOException {
    SdkHttpResponse head = response.httpResponse();
    AbortableInputStream body = response.responseBody().orElse(null);
    if (body == null) {
      return new Answer(null, head.statusCode());
    }
    SentRange sent = head.isSuccessful() ? sent(head) : null;
    if (sent == null || sent.count() > length) {
      body.abort();
      return new Answer(null, head.statusCode());
    }
    try (body) {
      byte[] bytes = body.readNBytes(Math.toIntExact(sent.count()));
      return bytes.length == sent.count()
          ? new Answer(
              new ObjectTail(
                  bytes, sent.sizeBytes(), head.firstMatchingHeader("ETag").orElse(null)),
              head.statusCode())
          : Answer.NONE;
    }
  }

  private static @Nullable SentRange sent(SdkHttpResponse head) {
    String count = head.firstMatchingHeader("Content-Length").orElse(null);
    return count == null || !count.chars().allMatch(digit -> '0' <= digit && digit <= '9')
        ? null
        : SentRange.of(
            head.firstMatchingHeader("Content-Range").orElse(null), Long.parseLong(count));
  }
}
