package dev.sluice.embedded;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;

/**
 * Stands between s3proxy and its storage: counts the operations, delays them on demand and keeps
 * long listings cheap.
 *
 * <p>A dynamic proxy rather than s3proxy's own latency middleware, because that one cannot be
 * changed while the endpoint runs and does not count; and its typed form would be some forty
 * methods that only pass on.
 */
final class ObservedBlobStore implements InvocationHandler, AutoCloseable {

  // Answers about the storage itself, not operations on it.
  private static final Set<String> NOT_COUNTED =
      Set.of(
          "close",
          "hashCode",
          "equals",
          "toString",
          "supportsVersioning",
          "supportsBucketEncryption",
          "supportsServerSideEncryption",
          "supportsCopyMultipartPart",
          "getMinimumMultipartPartSize");

  // Everything else may change what a listing says.
  private static final Set<String> READS =
      Set.of(
          "list",
          "listV1",
          "containerExists",
          "headBucket",
          "getBlob",
          "blobExists",
          "blobMetadata",
          "blobMetadataIfPresent");

  private final BlobStore delegate;
  private final RememberedListings listings;
  private final BlobStore observed;
  private final Map<String, LongAdder> calls = new ConcurrentHashMap<>();
  private volatile Duration delay = Duration.ZERO;

  ObservedBlobStore(BlobStore delegate) {
    this.delegate = delegate;
    this.listings = new RememberedListings(delegate::list);
    this.observed =
        (BlobStore)
            Proxy.newProxyInstance(
                BlobStore.class.getClassLoader(), new Class<?>[] {BlobStore.class}, this);
  }

  BlobStore blobStore() {
    return observed;
  }

  void createBucket(String name) {
    if (!delegate.containerExists(name)) {
      delegate.createContainer(name);
    }
  }

  void latency(Duration newDelay) {
    delay = newDelay;
  }

  Map<String, Long> calls() {
    Map<String, Long> counted = new TreeMap<>();
    calls.forEach((operation, count) -> counted.put(operation, count.sum()));
    return counted;
  }

  void resetCalls() {
    calls.clear();
  }

  @Override
  public void close() {
    delegate.close();
  }

  @Override
  public @Nullable Object invoke(
      Object self, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    boolean counted = !NOT_COUNTED.contains(method.getName());
    if (counted) {
      calls.computeIfAbsent(method.getName(), name -> new LongAdder()).increment();
      Duration wait = delay;
      if (!wait.isZero()) {
        TimeUnit.NANOSECONDS.sleep(wait.toNanos());
      }
    }
    if (method.getName().equals("list")
        && arguments != null
        && arguments[0] instanceof ListObjectsV2Request request) {
      return listings.page(request);
    }
    boolean changes = counted && !READS.contains(method.getName());
    try {
      if (changes) {
        listings.changed();
      }
      return method.invoke(delegate, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      if (changes) {
        listings.changed();
      }
    }
  }
}
