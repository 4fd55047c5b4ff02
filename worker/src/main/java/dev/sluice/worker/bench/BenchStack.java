package dev.sluice.worker.bench;

import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.S3Credentials;
import dev.sluice.activities.storage.S3Settings;
import dev.sluice.activities.storage.Secret;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.embedded.DuckDbExtension;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.EmbeddedS3;
import dev.sluice.embedded.PostgresDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What both sides of a benchmark stand on: one PostgreSQL with a database per side, and one place
 * for files, a local folder or an S3 endpoint with added latency. Removed when closed.
 */
final class BenchStack implements AutoCloseable {

  static final String OURS = "ours";
  static final String DUCKDB = "duckdb";
  private static final String BUCKET = "bench";

  private final Path folder;
  private final EmbeddedDatabase server;
  private final @Nullable EmbeddedS3 s3;
  private final ObjectStores stores;

  private BenchStack(Path folder, EmbeddedDatabase server, @Nullable EmbeddedS3 s3) {
    this.folder = folder;
    this.server = server;
    this.s3 = s3;
    this.stores = s3 == null ? ObjectStores.localOnly() : ObjectStores.connect(settings(s3));
    server.createDatabase(OURS);
    server.createDatabase(DUCKDB);
  }

  static BenchStack local() {
    return new BenchStack(temporaryFolder(), EmbeddedDatabase.start(), null);
  }

  static BenchStack withS3() {
    EmbeddedS3 s3 = EmbeddedS3.start();
    s3.createBucket(BUCKET);
    return new BenchStack(temporaryFolder(), EmbeddedDatabase.start(), s3);
  }

  private static S3Settings settings(EmbeddedS3 s3) {
    return S3Settings.endpoint(
        s3.endpoint(),
        s3.region(),
        new S3Credentials.Fixed(s3.accessKey(), Secret.of(s3.secretKey())));
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("sluice-bench-");
    } catch (IOException e) {
      throw BenchErrors.folder("making the benchmark's folder", e);
    }
  }

  PostgresDatabase database(String name) {
    return server.database(name);
  }

  Path folder() {
    return folder;
  }

  ObjectStores stores() {
    return stores;
  }

  /** Where a part of the benchmark keeps its files. */
  StorageLocation location(String part) {
    return s3 == null
        ? new StorageLocation.Local(made(folder.resolve(part)))
        : new StorageLocation.S3(BUCKET, part);
  }

  private static Path made(Path part) {
    try {
      return Files.createDirectories(part);
    } catch (IOException e) {
      throw BenchErrors.folder("making the benchmark's folder", e);
    }
  }

  /** Where the files of DuckDB's own lake lie. */
  String duckDbRoot() {
    return location("duckdb-lake").uri();
  }

  /** Slows the S3 endpoint down; no effect without one. */
  void latency(Duration delay) {
    if (s3 != null) {
      s3.latency(delay);
    }
  }

  /** Processor time that the S3 endpoint has used so far; none without one. */
  Duration endpointProcessorTime() {
    return s3 == null ? Duration.ZERO : s3.processorTime();
  }

  /** Calls of the S3 endpoint by operation since the last time this was asked. */
  Map<String, Long> callsSince() {
    if (s3 == null) {
      return Map.of();
    }
    Map<String, Long> calls = s3.calls();
    s3.resetCalls();
    return calls;
  }

  /**
   * A DuckDB of its own with its own lake, made when it is not there.
   *
   * @param more extensions beside those that a lake needs
   */
  DuckLakeSession duckDb(DuckDbExtension... more) {
    List<DuckDbExtension> extensions = new ArrayList<>(DuckDbExtension.REFEREE);
    extensions.addAll(List.of(more));
    try {
      DuckLakeSession session = DuckLakeSession.open(extensions);
      if (s3 != null) {
        session.useS3(s3);
      }
      return session.attach(DuckLakeAttachment.of(database(DUCKDB), duckDbRoot()));
    } catch (SQLException e) {
      throw BenchErrors.database("attaching a lake in DuckDB", e);
    }
  }

  @Override
  public void close() {
    stores.close();
    if (s3 != null) {
      s3.close();
    }
    server.close();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw BenchErrors.folder("removing the benchmark's folder", e);
    }
  }
}
