package dev.sluice.activities.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedS3;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys with characters that URLs, XML, signatures and file systems give a meaning to. */
@ParameterizedClass
@EnumSource(TestStores.Kind.class)
class AwkwardKeysTest {

  private static final List<String> OBJ_03_KEYS =
      List.of(
          "a+b/x.parquet",
          "a b/x.parquet",
          "a+b c/100%/é=1/x.parquet",
          "q?x#y/x.parquet",
          "p%2Fq/x.parquet",
          "日本 語/x.parquet");

  private static final List<String> OBJ_04_KEYS =
      List.of(
          "plus+.parquet",
          "colon:.parquet",
          "blank .parquet",
          "literal%20.parquet",
          "and&.parquet",
          "line\u2028separator.parquet",
          "quote'\"<>.parquet",
          "p=a%2Fb/x.parquet");

  @TempDir Path scratch = Path.of("unset");

  @Parameter TestStores.Kind kind = TestStores.Kind.LOCAL;

  private ObjectStores stores = ObjectStores.localOnly();
  private ObjectStore source = stores.open(StorageLocation.parse("unset"));
  private ObjectStore target = source;

  @BeforeEach
  void openStores() {
    open(TestStores.settings());
  }

  private void open(S3Settings settings) {
    stores.close();
    stores = ObjectStores.connect(settings);
    source = stores.open(TestStores.newRoot(kind, scratch));
    target = stores.open(TestStores.newRoot(kind, scratch));
  }

  @AfterEach
  void closeStores() {
    stores.close();
  }

  @Test
  @DisplayName("OBJ-03: every object is copied byte for byte and similar keys are not mixed up")
  void obj03ObjectsAreCopiedInOneRequest() {
    assertCopiesExactly();
  }

  @Test
  @DisplayName("OBJ-03: the same in parts")
  void obj03ObjectsAreCopiedInParts() {
    open(TestStores.settings().withMultipartCopyThreshold(0));

    assertCopiesExactly();
  }

  private void assertCopiesExactly() {
    for (String key : OBJ_03_KEYS) {
      source.put(key, ("content of " + key).getBytes(UTF_8));
    }

    for (String key : OBJ_03_KEYS) {
      target.copyFrom(source, key, key);
    }

    assertThat(keys(source)).containsExactlyInAnyOrderElementsOf(OBJ_03_KEYS);
    assertThat(keys(target)).containsExactlyInAnyOrderElementsOf(OBJ_03_KEYS);
    for (String key : OBJ_03_KEYS) {
      assertThat(target.read(key, 0, 999)).asString(UTF_8).isEqualTo("content of " + key);
      assertThat(Sameness.holds(source, key, target, key)).isTrue();
    }
  }

  @Test
  @DisplayName("OBJ-04: every listed key can be looked up, read by prefix and deleted as listed")
  void obj04ListedKeysWorkInEveryOperation() {
    for (String key : OBJ_04_KEYS) {
      source.put(key, key.getBytes(UTF_8));
    }

    List<String> listed = keys(source);
    assertThat(listed).containsExactlyInAnyOrderElementsOf(OBJ_04_KEYS);
    for (String key : listed) {
      assertThat(source.head(key).sizeBytes()).isEqualTo(key.getBytes(UTF_8).length);
      assertThat(source.tail(key, 999).bytes()).asString(UTF_8).isEqualTo(key);
      try (Stream<ObjectInfo> byPrefix = source.list(key)) {
        assertThat(byPrefix.map(ObjectInfo::key)).containsExactly(key);
      }
    }
    assertThat(source.delete(listed).complete()).isTrue();
    assertThat(keys(source)).isEmpty();
  }

  @Test
  @DisplayName("OBJ-04: DuckDB reads the files under the addresses we give them")
  void obj04DuckDbReadsEveryAddress() throws SQLException {
    DuckDbReferee.assumeAvailable();
    try (DuckLakeSession duckDb = DuckLakeSession.open().useS3(EmbeddedS3.shared())) {
      Path written = scratch.resolve("written.parquet");
      duckDb.execute("COPY (SELECT 42 AS answer) TO '" + written + "'");
      ObjectStore local = stores.open(new StorageLocation.Local(scratch));
      for (String key : OBJ_04_KEYS) {
        source.copyFrom(local, "written.parquet", key);
      }

      for (String key : OBJ_04_KEYS) {
        String address = source.uri(key).replace("'", "''");
        assertThat(
                duckDb.queryText(
                    "SELECT answer FROM read_parquet('%s', hive_partitioning = false)"
                        .formatted(address)))
            .as(key)
            .containsExactly(List.of("42"));
      }
    }
  }

  private static List<String> keys(ObjectStore store) {
    try (Stream<ObjectInfo> listing = store.list("")) {
      return listing.map(ObjectInfo::key).toList();
    }
  }
}
