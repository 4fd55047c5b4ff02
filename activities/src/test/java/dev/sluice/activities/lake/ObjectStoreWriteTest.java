package dev.sluice.activities.lake;

import static dev.sluice.activities.lake.WriteLake.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.query.CachedDataFiles;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.storage.TestStores;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.TableName;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.EmbeddedS3;
import dev.sluice.embedded.PostgresDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same writes into a lake on S3: files are made here, sent, and gone from here. */
class ObjectStoreWriteTest {

  private static final TableName T = new TableName("main", "t");

  @TempDir Path folder;

  @Test
  void rowsAreWrittenDeletedAndUpdatedOnS3() throws Exception {
    DuckDbReferee.assumeAvailable();
    EmbeddedS3 s3 = EmbeddedS3.shared();
    String root = "s3://" + s3.newBucket("write") + "/some lake/";
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    try (DuckLakeSession duckDb = DuckLakeSession.open().useS3(s3);
        ObjectStores stores = TestStores.connect(s3)) {
      duckDb.attach(DuckLakeAttachment.of(database, root));
      duckDb.execute("CREATE TABLE t(id INT, v VARCHAR)");
      duckDb.execute("ALTER TABLE t SET PARTITIONED BY (v)");
      ObjectStore store = stores.open(StorageLocation.parse(root));
      LakeTables tables =
          new LakeTables(
              Catalog.adopt(database.dataSource(), "public"),
              store,
              new CachedDataFiles(store, folder.resolve("cache"), 3_000),
              WriteSettings.in(folder.resolve("write")));

      tables.insert(
          InsertRequest.of(
              T,
              new RowSource.Select(
                  "SELECT range AS id, 'a=b/' || (range % 7) AS v FROM range(70)")));
      tables.delete(T, RowCondition.sql("id % 3 = 0"), CommitNote.NONE);
      tables.delete(T, RowCondition.sql("v = 'a=b/2' OR id = 4"), CommitNote.NONE);
      tables.update(UpdateRequest.of(T, Map.of("v", "'new'"), RowCondition.sql("id < 20")));

      assertThat(duckDb.queryText("SELECT count(*), sum(id) FROM t WHERE v = 'new'"))
          .isEqualTo(
              duckDb.queryText(
                  "SELECT count(*), sum(range) FROM range(20) WHERE range % 3 <> 0 AND range % 7 <> 2 AND range <> 4"));
      assertThat(duckDb.queryText("SELECT count(*) FROM t WHERE v = 'a=b/2'"))
          .isEqualTo(List.of(row("0")));
      try (Stream<Path> left = Files.walk(folder.resolve("write"))) {
        assertThat(left.filter(Files::isRegularFile)).isEmpty();
      }
    }
  }
}
