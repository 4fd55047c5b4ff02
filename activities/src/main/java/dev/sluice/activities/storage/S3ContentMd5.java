package dev.sluice.activities.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;

/**
 * Content-MD5, the one checksum of a request that every endpoint understands. Bodies that we make
 * get theirs where they are sent; the body of a multi-object delete is made by the SDK, so this
 * interceptor adds it there, and keeps the SDK from adding a CRC that older endpoints refuse (the
 * SDK's own plug-in for such endpoints sends both).
 */
final class S3ContentMd5 implements ExecutionInterceptor {

  private static final String HEADER = "Content-MD5";

  @Override
  public SdkHttpRequest modifyHttpRequest(
      Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
    Optional<RequestBody> body = context.requestBody();
    if (!(context.request() instanceof DeleteObjectsRequest) || body.isEmpty()) {
      return context.httpRequest();
    }
    attributes.putAttribute(SdkExecutionAttribute.RESOLVED_CHECKSUM_SPECS, null);
    try (InputStream content = body.get().contentStreamProvider().newStream()) {
      byte[] bytes = content.readAllBytes();
      return context.httpRequest().copy(r -> r.putHeader(HEADER, of(bytes, bytes.length)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The header's value for the first bytes of an array. */
  static String of(byte[] content, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      digest.update(content, 0, length);
      return Base64.getEncoder().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has MD5", e);
    }
  }
}
