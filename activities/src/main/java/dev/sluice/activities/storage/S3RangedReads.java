package dev.sluice.activities.storage;

import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** Reads parts of objects, one request each. */
final class S3RangedReads {

  /** A tail begins where the object's size says, which is not known before. */
  private static final long ANY_OFFSET = -1;

  private final S3Client client;
  private final S3SignedReads signed;
  private final StorageLocation.S3 location;

  S3RangedReads(S3Connection connection, StorageLocation.S3 location) {
    this.client = connection.client();
    this.signed = connection.signedReads();
    this.location = location;
  }

  byte[] read(String key, String fullKey, long offset, int length) {
    Wanted wanted =
        new Wanted("bytes=%d-%d".formatted(offset, offset + length - 1), offset, length);
    try {
      return fetch(key, fullKey, wanted).bytes();
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
    return signed.tail(
        location.bucket(), fullKey, length, () -> tailThroughClient(key, fullKey, length));
  }

  private ObjectTail tailThroughClient(String key, String fullKey, int length) {
    try {
      return fetch(key, fullKey, new Wanted("bytes=-" + length, ANY_OFFSET, length));
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.INVALID_RANGE) {
        throw e;
      }
      return fetch(key, fullKey, new Wanted(null, 0, length));
    }
  }

  /** A request: its Range header or null for the whole object, where it begins, bytes at most. */
  private record Wanted(@Nullable String range, long offset, int length) {}

  private ObjectTail fetch(String key, String fullKey, Wanted wanted) {
    ResponseTransformer<GetObjectResponse, ObjectTail> transformer =
        (response, stream) -> receive(key, response, stream, wanted);
    try {
      return client.getObject(
          r -> r.bucket(location.bucket()).key(fullKey).range(wanted.range()), transformer);
    } catch (SdkException e) {
      String what = wanted.range() == null ? "it" : wanted.range();
      throw S3Errors.translate(e, location.uri(key), "reading " + what);
    }
  }

  private ObjectTail receive(
      String key, GetObjectResponse response, AbortableInputStream stream, Wanted wanted) {
    SentRange sent = sent(key, response, stream);
    boolean displaced = wanted.offset() != ANY_OFFSET && sent.first() != wanted.offset();
    if (displaced || sent.count() > wanted.length()) {
      stream.abort();
      throw StorageErrors.unexpectedAnswer(
          location.uri(key),
          "reading a range",
          "the endpoint sent %d bytes from offset %d where %s was asked for"
              .formatted(sent.count(), sent.first(), wanted.range()));
    }
    byte[] bytes;
    try {
      bytes = stream.readNBytes(Math.toIntExact(sent.count()));
    } catch (IOException e) {
      // The SDK repeats the request only for this type.
      throw RetryableException.create(StorageErrors.reason(e), e);
    }
    if (bytes.length != sent.count()) {
      String problem = "the body ended after %d of %d bytes".formatted(bytes.length, sent.count());
      throw RetryableException.create(problem, new EOFException(problem));
    }
    return new ObjectTail(bytes, sent.sizeBytes(), response.eTag());
  }

  private SentRange sent(String key, GetObjectResponse response, AbortableInputStream stream) {
    SentRange sent = SentRange.of(response.contentRange(), response.contentLength());
    if (sent == null) {
      stream.abort();
      throw StorageErrors.unexpectedAnswer(
          location.uri(key),
          "reading a range",
          "Content-Range is '" + response.contentRange() + "'");
    }
    return sent;
  }
}
