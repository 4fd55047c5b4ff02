package dev.sluice.embedded;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An embedded S3 endpoint on the loopback address (path style, plain HTTP, signatures checked) over
 * a folder: s3proxy. Calls can be slowed down and are counted per operation. Thread-safe.
 */
public final class EmbeddedS3 implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedS3.class);
  private static final String HOST = "127.0.0.1";
  private static final String THREADS = "S3Proxy-Jetty";
  private static final String REGION = "us-east-1";
  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
  // The AWS SDKs sign uploads in one piece up to their part size; s3proxy's default is 32 MiB.
  private static final long UNCHUNKED_LIMIT_BYTES = 256L * 1024 * 1024;

  private final EmbeddedS3Options options;
  private final @Nullable ScratchFolder scratch;
  private final Path folder;
  private final ObservedBlobStore store;
  private final S3Proxy proxy;
  private final Thread endOfJvm;
  private final AtomicInteger buckets = new AtomicInteger();

  private EmbeddedS3(EmbeddedS3Options options) {
    this.options = options;
    Path kept = options.folder();
    if (kept == null) {
      ScratchFolder own = ScratchFolder.create("s3");
      this.scratch = own;
      this.folder = own.path().resolve("objects");
    } else {
      this.scratch = null;
      this.folder = kept.toAbsolutePath();
    }
    try {
      Files.createDirectories(folder);
      Properties properties = new Properties();
      properties.setProperty("jclouds.filesystem.basedir", folder.toString());
      this.store = new ObservedBlobStore(BlobStores.create("filesystem-nio2", properties));
      this.proxy =
          S3Proxy.builder()
              .blobStore(store.blobStore())
              .endpoint(URI.create("http://" + HOST + ":" + options.port()))
              .awsAuthentication(
                  AuthenticationType.AWS_V2_OR_V4, options.accessKey(), options.secretKey())
              .v4MaxNonChunkedRequestSize(UNCHUNKED_LIMIT_BYTES)
              .ignoreUnknownHeaders(true)
              // Clients keep connections open; waiting for them at the end gains nothing.
              .stopTimeout(0)
              .build();
      startProxy();
    } catch (IOException e) {
      throw EmbeddedErrors.s3NotStarted(folder, e);
    }
    this.endOfJvm = new Thread(this::stopAndClean, "embedded-s3-end");
    Runtime.getRuntime().addShutdownHook(endOfJvm);
  }

  /**
   * Starts an endpoint with default options.
   *
   * @throws EmbeddedStackException when it does not come up
   */
  public static EmbeddedS3 start() {
    return start(EmbeddedS3Options.defaults());
  }

  /**
   * Starts an endpoint.
   *
   * @throws EmbeddedStackException when it does not come up, e.g. because the port is taken
   */
  public static EmbeddedS3 start(EmbeddedS3Options options) {
    return new EmbeddedS3(options);
  }

  /** The one endpoint all tests of a JVM share; it lives until the JVM ends. Do not close it. */
  public static EmbeddedS3 shared() {
    return Shared.INSTANCE;
  }

  /** The endpoint's address, e.g. {@code http://127.0.0.1:40123}. */
  public URI endpoint() {
    return URI.create("http://" + authority());
  }

  /** Host and port without a scheme, as DuckDB's S3 secret takes it. */
  public String authority() {
    return HOST + ":" + proxy.getPort();
  }

  /** The region that clients name. */
  public String region() {
    return REGION;
  }

  /** The access key that is accepted. */
  public String accessKey() {
    return options.accessKey();
  }

  /** The secret of the access key. */
  public String secretKey() {
    return options.secretKey();
  }

  /** The folder that holds the objects, one sub-folder per bucket. */
  public Path folder() {
    return folder;
  }

  /**
   * Makes a bucket unless it is there.
   *
   * @return the bucket's name
   */
  public String createBucket(String name) {
    if (!BUCKET.matcher(name).matches()) {
      throw EmbeddedErrors.badName("bucket", name, "matches " + BUCKET.pattern());
    }
    store.createBucket(name);
    return name;
  }

  /**
   * Makes a bucket of its own for one test.
   *
   * @param prefix how the name begins: lower-case letters, digits and hyphens
   * @return the bucket's name
   */
  public String newBucket(String prefix) {
    return createBucket(prefix + "-" + buckets.incrementAndGet());
  }

  /**
   * Slows every later call down, for all clients; {@link Duration#ZERO} ends it.
   *
   * @param delay how long each storage operation waits before it begins
   */
  public void latency(Duration delay) {
    store.latency(delay);
  }

  /**
   * How often each storage operation was called since the start or the last {@link #resetCalls()},
   * by s3proxy's names: {@code getBlob}, {@code blobMetadata} (HEAD), {@code putBlob}, {@code
   * copyBlob}, {@code list}, {@code removeBlob}, {@code uploadMultipartPart} …
   */
  public Map<String, Long> calls() {
    return store.calls();
  }

  /** Begins counting anew. */
  public void resetCalls() {
    store.resetCalls();
  }

  /**
   * Processor time of the endpoint's own threads so far: what it would take on a machine of its
   * own. Threads that have ended are not counted; they end after a minute without work.
   */
  public Duration processorTime() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith(THREADS)) {
        nanos += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return Duration.ofNanos(nanos);
  }

  /** Stops the endpoint; a temporary folder is removed, a kept one stays. */
  @Override
  public void close() {
    stopAndClean();
    try {
      Runtime.getRuntime().removeShutdownHook(endOfJvm);
    } catch (IllegalStateException jvmIsEnding) {
      log.trace("the JVM ends, the hook runs", jvmIsEnding);
    }
  }

  // s3proxy declares the bare Exception on start and stop.
  @SuppressWarnings("IllegalCatch")
  private void startProxy() {
    try {
      proxy.start();
    } catch (Exception e) {
      throw EmbeddedErrors.s3NotStarted(folder, e);
    }
  }

  @SuppressWarnings("IllegalCatch")
  private synchronized void stopAndClean() {
    try {
      proxy.stop();
    } catch (Exception e) {
      log.warn("embedded S3 in {} did not stop cleanly: {}", folder, e.toString());
    }
    store.close();
    if (scratch != null) {
      scratch.close();
    }
  }

  private static final class Shared {
    private static final EmbeddedS3 INSTANCE = start();
  }
}
