package dev.sluice.activities.storage;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Builds SDK clients.
 *
 * <p>The synchronous client on the Apache 5 HTTP client, because our concurrency is virtual
 * threads: thousands of them wait for small ranged reads in plain blocking code, the connection
 * pool uses locks that do not pin carriers, and an interrupt closes the socket at once. Server-side
 * copies move no bytes through us, so an asynchronous or native client would gain nothing there.
 *
 * <p>Checksums: many endpoints other than Amazon's refuse what SDKs send since 2025 (checksum
 * trailers, aws-chunked bodies, a CRC instead of Content-MD5 on multi-object deletes). The SDK is
 * told to add none by itself and every body carries a Content-MD5 instead ({@link S3ContentMd5}):
 * each endpoint checks it, so nothing is lost and there is no option to get wrong.
 */
final class S3Clients {

  private S3Clients() {}

  /** The HTTP client stays the caller's to close. */
  static S3Client create(
      S3Settings settings, AwsCredentialsProvider credentials, SdkHttpClient http) {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClient(http)
            .region(Region.of(settings.region()))
            .credentialsProvider(credentials)
            .forcePathStyle(settings.addressing() == S3Settings.Addressing.PATH)
            .serviceConfiguration(S3Configuration.builder().chunkedEncodingEnabled(false).build())
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .overrideConfiguration(
                override ->
                    override
                        .addExecutionInterceptor(new S3ContentMd5())
                        .retryStrategy(
                            AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(S3Settings.MAX_ATTEMPTS)
                                .build()));
    if (settings.endpoint() != null) {
      builder.endpointOverride(settings.endpoint());
    }
    return builder.build();
  }

  /** The caller closes what it gets when it is closeable. */
  static AwsCredentialsProvider credentials(S3Settings settings) {
    return switch (settings.credentials()) {
      case S3Credentials.Ambient ambient ->
          named("ambient AWS credentials", DefaultCredentialsProvider.builder().build());
      case S3Credentials.Fixed fixed -> fixed(fixed);
      case S3Credentials.AssumedRole role ->
          named("role " + role.roleArn(), assumedRole(settings, role));
    };
  }

  private static AwsCredentialsProvider fixed(S3Credentials.Fixed fixed) {
    String secret = fixed.secretAccessKey().reveal();
    Secret token = fixed.sessionToken();
    AwsCredentials credentials =
        token == null
            ? AwsBasicCredentials.create(fixed.accessKeyId(), secret)
            : AwsSessionCredentials.create(fixed.accessKeyId(), secret, token.reveal());
    return StaticCredentialsProvider.create(credentials);
  }

  private static AwsCredentialsProvider assumedRole(
      S3Settings settings, S3Credentials.AssumedRole role) {
    AwsCredentialsProvider base =
        switch (role.base()) {
          case S3Credentials.Ambient ambient -> DefaultCredentialsProvider.builder().build();
          case S3Credentials.Fixed fixed -> fixed(fixed);
          case S3Credentials.AssumedRole nested ->
              throw new IllegalStateException("refused by the record: " + nested.roleArn());
        };
    StsClientBuilder sts =
        StsClient.builder()
            .httpClientBuilder(http(1))
            .region(Region.of(settings.region()))
            .credentialsProvider(base);
    if (role.stsEndpoint() != null) {
      sts.endpointOverride(role.stsEndpoint());
    }
    StsClient client = sts.build();
    StsAssumeRoleCredentialsProvider provider =
        StsAssumeRoleCredentialsProvider.builder()
            .stsClient(client)
            .refreshRequest(
                request ->
                    request
                        .roleArn(role.roleArn())
                        .roleSessionName(role.sessionName())
                        .externalId(role.externalId())
                        .durationSeconds(Math.toIntExact(role.duration().toSeconds())))
            .build();
    return new ClosingCredentials(provider, client);
  }

  static Apache5HttpClient.Builder http(int maxConnections) {
    return Apache5HttpClient.builder()
        .maxConnections(maxConnections)
        .connectionTimeout(S3Settings.CONNECT_TIMEOUT)
        .socketTimeout(S3Settings.SILENCE_TIMEOUT)
        .connectionAcquisitionTimeout(S3Settings.POOL_TIMEOUT)
        // One round trip less for each of many small objects.
        .expectContinueEnabled(false);
  }

  /** Tells errors of signing in from all others by type, where the SDK has one type for both. */
  private static AwsCredentialsProvider named(String what, AwsCredentialsProvider delegate) {
    return new NamedCredentials(what, delegate);
  }

  private record NamedCredentials(String what, AwsCredentialsProvider delegate)
      implements AwsCredentialsProvider, SdkAutoCloseable {

    @Override
    public AwsCredentials resolveCredentials() {
      try {
        return delegate.resolveCredentials();
      } catch (SdkException e) {
        throw StorageErrors.badCredentials(what, e);
      }
    }

    @Override
    public void close() {
      if (delegate instanceof SdkAutoCloseable closeable) {
        closeable.close();
      }
    }
  }

  private record ClosingCredentials(StsAssumeRoleCredentialsProvider provider, StsClient client)
      implements AwsCredentialsProvider, SdkAutoCloseable {

    @Override
    public AwsCredentials resolveCredentials() {
      return provider.resolveCredentials();
    }

    @Override
    public void close() {
      try (client) {
        provider.close();
      }
    }
  }
}
