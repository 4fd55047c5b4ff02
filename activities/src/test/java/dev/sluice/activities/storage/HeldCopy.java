package dev.sluice.activities.storage;

import dev.sluice.activities.storage.StubS3.Request;
import dev.sluice.activities.storage.StubS3.Response;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a large object whose endpoint answers none of its parts: it lasts until its thread is
 * interrupted. Thread-safe.
 */
public final class HeldCopy implements AutoCloseable {

  private static final long SIZE_BYTES = 6L << 30;
  private static final String SOURCE_KEY = "source/in/x";

  private final StubS3 stub = new StubS3();
  private final ObjectStores stores = ObjectStores.connect(stub.settings());
  private final ObjectStore source = stores.open(StorageLocation.parse("s3://source/in"));
  private final ObjectStore target = stores.open(StorageLocation.parse("s3://target/out/"));
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Starts the endpoint. */
  public HeldCopy() {
    stub.buckets().addSized(SOURCE_KEY, SIZE_BYTES);
    stub.rule(this::heldPart);
  }

  /**
   * Copies until interrupted.
   *
   * @throws StorageException when interrupted
   */
  public ObjectInfo copy() {
    try {
      return target.copyFrom(source, source.head("x"), "x", TransferMonitor.NONE);
    } finally {
      ended.countDown();
    }
  }

  /** Counted down once a part waits for its answer. */
  public CountDownLatch begun() {
    return begun;
  }

  /** Counted down once the copy has given up. */
  public CountDownLatch ended() {
    return ended;
  }

  /** How many multipart uploads were ever begun. */
  public int uploadsBegun() {
    return stub.requests(request -> request.method().equals("POST") && request.hasQuery("uploads"))
        .size();
  }

  /** Ids of multipart uploads that were neither completed nor aborted. */
  public Set<String> openUploads() {
    return Set.copyOf(stub.buckets().openUploads().keySet());
  }

  /** Whether anything lies at the target. */
  public boolean arrived() {
    return stub.buckets().objects().size() > 1;
  }

  private @Nullable Response heldPart(Request request) {
    if (!request.hasQuery("partNumber")) {
      return null;
    }
    begun.countDown();
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Response.error(500, "InternalError", "the test is over");
  }

  /** Stops the endpoint. */
  @Override
  public void close() {
    closed.countDown();
    stores.close();
    stub.close();
  }
}
