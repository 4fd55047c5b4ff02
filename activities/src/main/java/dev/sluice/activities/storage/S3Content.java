package dev.sluice.activities.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * The content of an object as it arrives. Closing it early cuts the connection: the client would
 * otherwise read the rest first, which for a large object is worse than a new connection.
 */
final class S3Content extends FilterInputStream {

  private final ResponseInputStream<GetObjectResponse> response;
  private long unreadBytes;

  S3Content(ResponseInputStream<GetObjectResponse> response) {
    super(response);
    this.response = response;
    this.unreadBytes = response.response().contentLength();
  }

  @Override
  public int read() throws IOException {
    int value = in.read();
    if (value >= 0) {
      unreadBytes--;
    }
    return value;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int count = in.read(target, offset, length);
    unreadBytes -= Math.max(0, count);
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = in.skip(count);
    unreadBytes -= skipped;
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  @Override
  public void close() throws IOException {
    if (unreadBytes > 0) {
      response.abort();
    } else {
      in.close();
    }
  }
}
