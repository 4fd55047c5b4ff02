package dev.sluice.activities.storage;

import java.io.EOFException;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** Reads parts of objects, one request each. */
final class S3RangedReads {

  private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d+)-\\d+/(\\d+)");

  private final S3Client client;
  private final StorageLocation.S3 location;

  S3RangedReads(S3Client client, StorageLocation.S3 location) {
    this.client = client;
    this.location = location;
  }

  byte[] read(String key, String fullKey, long offset, int length) {
    String range = "bytes=%d-%d".formatted(offset, offset + length - 1);
    try {
      return fetch(key, fullKey, range, offset, length).bytes();
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.INVALID_RANGE) {
        throw StorageErrors.rangeBehindEnd(location.uri(key), offset, e);
      }
      throw e;
    }
  }

  /**
   * The last bytes. Endpoints differ when the object is shorter than the range or empty: some
   * answer with all of it, some refuse the range. The latter costs a second request.
   */
  ObjectTail tail(String key, String fullKey, int length) {
    try {
      return fetch(key, fullKey, "bytes=-" + length, 0, length);
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.INVALID_RANGE) {
        throw e;
      }
      return fetch(key, fullKey, null, 0, length);
    }
  }

  private ObjectTail fetch(
      String key, String fullKey, @Nullable String range, long offset, int length) {
    ResponseTransformer<GetObjectResponse, ObjectTail> transformer =
        (response, stream) -> receive(key, response, stream, offset, length);
    try {
      return client.getObject(
          r -> r.bucket(location.bucket()).key(fullKey).range(range), transformer);
    } catch (SdkException e) {
      throw S3Errors.translate(e, location.uri(key), "reading " + (range == null ? "it" : range));
    }
  }

  private ObjectTail receive(
      String key,
      GetObjectResponse response,
      AbortableInputStream stream,
      long offset,
      int length) {
    String contentRange = response.contentRange();
    long bodyBytes = response.contentLength();
    if (bodyBytes > length || (contentRange == null && offset > 0)) {
      stream.abort();
      throw StorageErrors.unexpectedAnswer(
          location.uri(key),
          "reading a range",
          "the endpoint sent %d bytes from the beginning instead of %d from offset %d"
              .formatted(bodyBytes, length, offset));
    }
    long sizeBytes = bodyBytes;
    if (contentRange != null) {
      Matcher parsed = CONTENT_RANGE.matcher(contentRange);
      if (!parsed.matches()) {
        stream.abort();
        throw StorageErrors.unexpectedAnswer(
            location.uri(key), "reading a range", "Content-Range is '" + contentRange + "'");
      }
      sizeBytes = Long.parseLong(parsed.group(2));
    }
    byte[] bytes;
    try {
      bytes = stream.readNBytes(length);
    } catch (IOException e) {
      // The SDK repeats the request only for this type.
      throw RetryableException.create(StorageErrors.reason(e), e);
    }
    if (bytes.length != bodyBytes) {
      String problem = "the body ended after %d of %d bytes".formatted(bytes.length, bodyBytes);
      throw RetryableException.create(problem, new EOFException(problem));
    }
    return new ObjectTail(bytes, sizeBytes, response.eTag());
  }
}
