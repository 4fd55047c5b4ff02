package dev.sluice.activities.storage;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The start-up check of a store: does what a worker will do, with a tiny object whose key holds the
 * characters that endpoints and proxies get wrong, and says which step failed and why. A wrong
 * bucket, region, credential or permission shows here and not in the middle of a job.
 */
public final class StorageProbe {

  /** Folder of the probe's objects, below the store's root; hidden from data listings. */
  static final String FOLDER = ".sluice-probe";

  private static final String AWKWARD_NAME = "a=b c+d%2Fe&f:ü.probe";

  private final ObjectStore store;
  private final String address;

  private StorageProbe(ObjectStore store) {
    this.store = store;
    this.address = store.location().uri();
  }

  /**
   * Checks a store that Sluice only reads: lists it.
   *
   * @throws StorageException with the kind of what failed and a message that names the step
   */
  public static void checkReadable(ObjectStore store) {
    new StorageProbe(store).listAnything();
  }

  /**
   * Checks a store that Sluice writes: lists, writes, looks up, reads, copies and deletes.
   *
   * @throws StorageException with the kind of what failed and a message that names the step
   */
  public static void checkWritable(ObjectStore store) {
    new StorageProbe(store).run();
  }

  private void run() {
    listAnything();
    String folder = FOLDER + "/" + UUID.randomUUID();
    String key = folder + "/" + AWKWARD_NAME;
    String copy = folder + "/copy of " + AWKWARD_NAME;
    StorageException failure = null;
    try {
      exercise(folder, key, copy);
    } catch (StorageException e) {
      failure = e;
    }
    // Also after a failure: the probe must not leave objects behind at every start.
    try {
      delete(List.of(key, copy));
    } catch (StorageException e) {
      if (failure == null) {
        throw e;
      }
      failure.addSuppressed(e);
    }
    if (failure != null) {
      throw failure;
    }
    boolean gone = step("looking up a deleted object", () -> !store.exists(key));
    require(gone, "looking up a deleted object", "it is still there");
  }

  private void listAnything() {
    step(
        "listing",
        () -> {
          try (var listing = store.list("")) {
            return listing.findFirst();
          }
        });
  }

  private void exercise(String folder, String key, String copy) {
    byte[] content = ("probe " + folder).getBytes(StandardCharsets.UTF_8);
    step("writing an object", () -> store.put(key, content));
    ObjectTail tail = step("reading the end of an object", () -> store.tail(key, 8));
    byte[] expectedTail = Arrays.copyOfRange(content, content.length - 8, content.length);
    require(
        tail.sizeBytes() == content.length && Arrays.equals(tail.bytes(), expectedTail),
        "reading the end of an object",
        "other bytes came back than were written");
    ObjectInfo listed =
        step(
            "listing the object",
            () -> {
              try (var listing = store.list(folder + "/")) {
                return listing.findFirst().orElse(null);
              }
            });
    require(
        listed != null && listed.key().equals(key),
        "listing the object",
        "the key '%s' came back as %s"
            .formatted(key, listed == null ? "nothing" : "'" + listed.key() + "'"));
    ObjectInfo found = step("looking up the object", () -> store.head(key));
    step("copying the object", () -> store.copyFrom(store, found, copy, TransferMonitor.NONE));
    byte[] copied = step("reading the copy", () -> store.read(copy, 0, content.length + 1));
    require(
        Arrays.equals(copied, content),
        "reading the copy",
        "other bytes came back than were copied");
  }

  private void delete(List<String> keys) {
    DeleteResult result = step("deleting the objects", () -> store.delete(keys));
    if (!result.complete()) {
      DeleteResult.Failure failure = result.failures().getFirst();
      throw StorageErrors.probeFailed(
          address,
          "deleting the objects",
          StorageErrors.failed(
              S3Errors.kindOfCode(failure.code(), StorageException.Kind.UNEXPECTED),
              store.uri(failure.key()),
              "deleting it",
              failure.code() + ": " + failure.message(),
              null));
    }
  }

  private <T> T step(String name, Supplier<T> action) {
    try {
      return action.get();
    } catch (StorageException e) {
      throw StorageErrors.probeFailed(address, name, e);
    }
  }

  private void require(boolean holds, String step, String found) {
    if (!holds) {
      throw StorageErrors.probeMismatch(address, step, found);
    }
  }
}
