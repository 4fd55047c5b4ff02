package dev.sluice.activities.storage;

import java.util.Objects;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** One endpoint with one identity: the client, its connection pool and its credentials. */
final class S3Connection implements AutoCloseable {

  private final S3Settings settings;
  private final AwsCredentialsProvider credentials;
  private final SdkHttpClient http;
  private final S3Client client;
  private final S3SignedReads signedReads;

  S3Connection(S3Settings settings) {
    this.settings = settings;
    this.credentials = S3Clients.credentials(settings);
    this.http = S3Clients.http(settings.maxConnections()).build();
    this.client = S3Clients.create(settings, credentials, http);
    this.signedReads = new S3SignedReads(client, http, credentials, settings.region());
  }

  S3Settings settings() {
    return settings;
  }

  S3Client client() {
    return client;
  }

  S3SignedReads signedReads() {
    return signedReads;
  }

  /**
   * Whether the endpoint can copy from the other connection's buckets by itself: the same endpoint
   * and the same identity. Another identity on the same endpoint may not be allowed to read them.
   */
  boolean reachesBucketsOf(S3Connection other) {
    return this == other
        || (Objects.equals(settings.endpoint(), other.settings.endpoint())
            && settings.region().equals(other.settings.region())
            && settings.credentials().equals(other.settings.credentials()));
  }

  @Override
  public void close() {
    client.close();
    http.close();
    if (credentials instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
  }
}
