package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.storage.TestStores;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.Predicate.Operator;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.EmbeddedS3;
import dev.sluice.embedded.PostgresDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lake on S3, read in several batches through a cache that is smaller than the table. */
class ObjectStoreScanTest {

  private static final long CACHE_BYTES = 3_000;

  @TempDir private Path folder;

  @Test
  void aTableLargerThanTheCacheIsReadInBatches() throws SQLException {
    DuckDbReferee.assumeAvailable();
    EmbeddedS3 s3 = EmbeddedS3.shared();
    String bucket = s3.newBucket("scan");
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    try (DuckLakeSession duckDb = DuckLakeSession.open().useS3(s3);
        ObjectStores stores = TestStores.connect(s3)) {
      duckDb.attach(DuckLakeAttachment.of(database, "s3://" + bucket + "/some lake/"));
      duckDb.execute("CREATE TABLE t(id INT, v VARCHAR)");
      duckDb.execute("ALTER TABLE t SET PARTITIONED BY (v)");
      duckDb.execute("INSERT INTO t SELECT i, 'a=b ' || (i % 7) FROM range(70) r(i)");
      duckDb.execute("DELETE FROM t WHERE id % 3 = 0");
      CatalogReader catalog = new CatalogReader(database.dataSource(), "public");
      CachedDataFiles files =
          new CachedDataFiles(
              stores.open(StorageLocation.parse("s3://" + bucket + "/some lake/")),
              folder,
              CACHE_BYTES);
      LakeScanner scanner = new LakeScanner(catalog, files);
      ScanRequest all = ScanRequest.all(new TableName("main", "t"), catalog.latest());
      assertThat(scan(scanner, all))
          .containsExactlyInAnyOrderElementsOf(duckDb.queryText("SELECT * FROM lake.t"));
      assertThat(scanner.count(all)).isEqualTo(46);
      s3.resetCalls();
      ScanRequest one =
          all.where(Predicate.compare("v", Operator.EQUAL, new Literal(Scalar.VARCHAR, "a=b 4")));
      assertThat(scan(scanner, one))
          .containsExactlyInAnyOrderElementsOf(
              duckDb.queryText("SELECT * FROM lake.t WHERE v = 'a=b 4'"));
      assertThat(folder.toFile().listFiles()).hasSizeLessThan(14);
    }
  }

  private static List<List<@Nullable String>> scan(LakeScanner scanner, ScanRequest request) {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (ScanRows scan = scanner.scan(request)) {
      while (scan.next()) {
        rows.add(scan.row());
      }
    }
    return rows;
  }
}
