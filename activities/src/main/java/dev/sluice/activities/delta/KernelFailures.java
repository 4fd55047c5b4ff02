package dev.sluice.activities.delta;

import dev.sluice.activities.storage.StorageException;
import dev.sluice.activities.storage.StorageLocation;
import io.delta.kernel.exceptions.UnsupportedProtocolVersionException;
import io.delta.kernel.exceptions.UnsupportedTableFeatureException;
import java.io.InterruptedIOException;
import java.util.Optional;

/** Kernel's exceptions in our words. */
final class KernelFailures {

  private static final int LONGEST_REASON = 300;

  private KernelFailures() {}

  /** Our own exception that Kernel wrapped or passed on; empty when it failed by itself. */
  static Optional<RuntimeException> own(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof DeltaException ours) {
        return Optional.of(ours);
      }
      if (each instanceof StorageException ours) {
        return Optional.of(ours);
      }
    }
    return Optional.empty();
  }

  /** What a caller gets instead of what Kernel threw while it read a version. */
  static RuntimeException translate(StorageLocation table, long version, RuntimeException failure) {
    Optional<RuntimeException> own = own(failure);
    if (own.isPresent()) {
      return own.get();
    }
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof InterruptedIOException) {
        return DeltaErrors.interrupted(table, failure);
      }
    }
    return switch (failure) {
      case UnsupportedTableFeatureException unknown ->
          DeltaErrors.unsupportedFeatures(table, version, unknown.getUnsupportedFeatures());
      case UnsupportedProtocolVersionException unknown ->
          DeltaErrors.unsupportedReaderVersion(table, version, unknown.getVersion(), unknown);
      default -> DeltaErrors.brokenLog(table, version, reason(failure), failure);
    };
  }

  /**
   * The first line of the innermost message, cut: Kernel's messages repeat whole lines of the log.
   */
  static String reason(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    String message = innermost.getMessage();
    String text =
        message == null || message.isBlank()
            ? innermost.getClass().getSimpleName()
            : message.lines().findFirst().orElse("").strip().replace(LogFileIO.ROOT + "/", "");
    return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + "…";
  }
}
