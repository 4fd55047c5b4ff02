package dev.sluice.worker.demo;

import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.EmbeddedDatabaseOptions;
import dev.sluice.embedded.EmbeddedS3;
import dev.sluice.embedded.EmbeddedS3Options;
import dev.sluice.embedded.EmbeddedTemporal;
import dev.sluice.embedded.PostgresDatabase;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL, an S3 endpoint and a Temporal service in this JVM, with the databases and buckets
 * that Sluice needs, empty or as an earlier run left them.
 */
final class EmbeddedStack implements AutoCloseable {

  private static final String HOME_DATABASE = "sluice";
  private static final String LAKE_DATABASE = "ducklake";
  private static final String LAKE_BUCKET = "ducklake-dev";
  private static final String SOURCE_BUCKET = "upstream";

  private final EmbeddedDatabase postgres;
  private final EmbeddedS3 s3;
  private final EmbeddedTemporal temporal;

  private EmbeddedStack(EmbeddedDatabase postgres, EmbeddedS3 s3, EmbeddedTemporal temporal) {
    this.postgres = postgres;
    this.s3 = s3;
    this.temporal = temporal;
  }

  /**
   * Starts everything; what had started is stopped again when a part does not come up.
   *
   * @param ports which TCP ports to listen on
   * @param kept folder that outlives the stack; null for temporary ones
   */
  static EmbeddedStack start(StackPorts ports, @Nullable Path kept) {
    EmbeddedDatabaseOptions database = EmbeddedDatabaseOptions.defaults().onPort(ports.postgres());
    EmbeddedS3Options objects = EmbeddedS3Options.defaults().onPort(ports.s3());
    if (kept != null) {
      database = database.keptIn(kept.resolve("postgres"));
      objects = objects.keptIn(kept.resolve("s3"));
    }
    EmbeddedDatabase postgres = EmbeddedDatabase.start(database);
    EmbeddedS3 s3 = null;
    try {
      s3 = EmbeddedS3.start(objects);
      s3.createBucket(LAKE_BUCKET);
      s3.createBucket(SOURCE_BUCKET);
      postgres.createDatabaseIfMissing(HOME_DATABASE);
      postgres.createDatabaseIfMissing(LAKE_DATABASE);
      return new EmbeddedStack(postgres, s3, EmbeddedTemporal.start(ports.temporal(), Map.of()));
    } catch (RuntimeException e) {
      if (s3 != null) {
        s3.close();
      }
      postgres.close();
      throw e;
    }
  }

  PostgresDatabase homeDatabase() {
    return postgres.database(HOME_DATABASE);
  }

  PostgresDatabase lakeDatabase() {
    return postgres.database(LAKE_DATABASE);
  }

  EmbeddedS3 s3() {
    return s3;
  }

  EmbeddedTemporal temporal() {
    return temporal;
  }

  String lakeBucket() {
    return LAKE_BUCKET;
  }

  String sourceBucket() {
    return SOURCE_BUCKET;
  }

  @Override
  public void close() {
    temporal.close();
    s3.close();
    postgres.close();
  }
}
