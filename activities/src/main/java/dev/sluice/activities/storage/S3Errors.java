package dev.sluice.activities.storage;

import dev.sluice.activities.storage.StorageException.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;

/** Turns the SDK's exceptions into ours: by code, then by status, then by the type of the cause. */
final class S3Errors {

  /**
   * The HTTP client's type for it, which is not ours to depend on; a read that times out differs.
   */
  private static final String CONNECT_TIMEOUT = "ConnectTimeoutException";

  private S3Errors() {}

  /** Runs a request and translates its failure. */
  static <T> T translating(String address, String action, Supplier<T> request) {
    try {
      return request.get();
    } catch (SdkException e) {
      throw translate(e, address, action);
    }
  }

  static StorageException translate(SdkException error, String address, String action) {
    StorageException ours = findCause(error, StorageException.class);
    if (ours != null) {
      return ours;
    }
    if (error instanceof AwsServiceException answered) {
      return StorageErrors.failed(kind(answered), address, action, reason(answered), error);
    }
    if (Thread.currentThread().isInterrupted()
        || findCause(error, AbortedException.class) != null
        || findCause(error, InterruptedException.class) != null) {
      Thread.currentThread().interrupt();
      return StorageErrors.interrupted(address, action, error);
    }
    return StorageErrors.failed(
        unansweredKind(error), address, action, unansweredReason(error), error);
  }

  static Kind kind(AwsServiceException error) {
    AwsErrorDetails details = error.awsErrorDetails();
    String code = details == null ? null : details.errorCode();
    Kind byCode = code == null ? null : kindOfCode(code);
    return byCode == null ? kindOfStatus(error.statusCode()) : byCode;
  }

  /** The kind of an error code that came without a status, as for one key of a batch. */
  static Kind kindOfCode(String code, Kind otherwise) {
    Kind kind = kindOfCode(code);
    return kind == null ? otherwise : kind;
  }

  private static @Nullable Kind kindOfCode(String code) {
    return switch (code) {
      case "NoSuchKey", "NoSuchVersion" -> Kind.NOT_FOUND;
      case "NoSuchBucket" -> Kind.MISSING_BUCKET;
      case "AccessDenied", "AllAccessDisabled" -> Kind.ACCESS_DENIED;
      case "InvalidAccessKeyId",
          "SignatureDoesNotMatch",
          "ExpiredToken",
          "InvalidToken",
          "TokenRefreshRequired",
          "RequestTimeTooSkewed" ->
          Kind.BAD_CREDENTIALS;
      case "AuthorizationHeaderMalformed",
          "PermanentRedirect",
          "TemporaryRedirect",
          "IllegalLocationConstraintException" ->
          Kind.WRONG_REGION;
      case "SlowDown", "Throttling", "ThrottlingException", "RequestLimitExceeded" ->
          Kind.THROTTLED;
      case "InvalidRange" -> Kind.INVALID_RANGE;
      case "PreconditionFailed" -> Kind.SOURCE_CHANGED;
      case "KeyTooLongError", "InvalidURI" -> Kind.INVALID_KEY;
      case "InternalError", "ServiceUnavailable", "RequestTimeout" -> Kind.UNAVAILABLE;
      default -> null;
    };
  }

  private static Kind kindOfStatus(int status) {
    return switch (status) {
      case 301, 307 -> Kind.WRONG_REGION;
      case 401 -> Kind.BAD_CREDENTIALS;
      case 403 -> Kind.ACCESS_DENIED;
      case 404 -> Kind.NOT_FOUND;
      case 412 -> Kind.SOURCE_CHANGED;
      case 416 -> Kind.INVALID_RANGE;
      case 429, 503 -> Kind.THROTTLED;
      default -> status >= 500 ? Kind.UNAVAILABLE : Kind.UNEXPECTED;
    };
  }

  private static String reason(AwsServiceException error) {
    AwsErrorDetails details = error.awsErrorDetails();
    String code = details == null || details.errorCode() == null ? "" : details.errorCode() + " ";
    String message = details == null ? null : details.errorMessage();
    String text = message == null || message.isBlank() ? "" : ": " + message;
    return "the endpoint answered %s(status %d)%s".formatted(code, error.statusCode(), text);
  }

  private static Kind unansweredKind(SdkException error) {
    boolean unreachable =
        findCause(error, UnknownHostException.class) != null
            || findCause(error, ConnectException.class) != null
            || findCause(error, NoRouteToHostException.class) != null
            || timedOutConnecting(error)
            || findCause(error, SSLException.class) != null;
    if (unreachable) {
      return Kind.UNREACHABLE;
    }
    return findCause(error, IOException.class) == null ? Kind.UNEXPECTED : Kind.UNAVAILABLE;
  }

  private static boolean timedOutConnecting(Throwable error) {
    SocketTimeoutException timeout = findCause(error, SocketTimeoutException.class);
    return timeout != null && timeout.getClass().getSimpleName().equals(CONNECT_TIMEOUT);
  }

  private static String unansweredReason(SdkException error) {
    UnknownHostException unknownHost = findCause(error, UnknownHostException.class);
    if (unknownHost != null) {
      return "the host is unknown: " + unknownHost.getMessage();
    }
    return StorageErrors.reason(error);
  }

  private static <T extends Throwable> @Nullable T findCause(Throwable error, Class<T> type) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return type.cast(cause);
      }
    }
    return null;
  }
}
