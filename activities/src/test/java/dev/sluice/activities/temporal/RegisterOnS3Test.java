package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.query.ScanRequest;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.storage.TransferMonitor;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only shows on an object store, read back by DuckDB's own S3 client. */
class RegisterOnS3Test {

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.onS3(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  @AfterEach
  void withoutFaults() {
    path.sourceFault = store -> store;
    path.lakeFault = lake -> lake;
  }

  @Test
  void partitionColumnFromThePathIsAColumn() throws Exception {
    Source source = path.newSource("partitioned");
    path.write(source, 100, "_ph_partition_key=2024-01/a.parquet", "SELECT 1 AS id");
    path.write(source, 100, "_ph_partition_key=2024-02/a.parquet", "SELECT 2 AS id");

    RegisterResult result = path.run(source.trigger(100));

    assertThat(result.reason()).isNull();
    assertThat(path.duckDb("SELECT id, _ph_partition_key FROM " + source.sql() + " ORDER BY id"))
        .containsExactly(List.of("1", "2024-01"), List.of("2", "2024-02"));
    assertThat(
            path.duckDb("SELECT id FROM " + source.sql() + " WHERE _ph_partition_key = '2024-02'"))
        .containsExactly(List.of("2"));
    assertThat(path.scan(source))
        .containsExactlyInAnyOrder(List.of("1", "2024-01"), List.of("2", "2024-02"));
  }

  @Test
  @DisplayName("8.2 invariant 13: Hive values with = / blanks + % and Unicode survive")
  void invariant13AwkwardHiveValuesSurvive() throws Exception {
    Source source = path.newSource("hive_values");
    // folder as a producer may spell it, and the value a reader must see
    Map<String, String> spellings = new LinkedHashMap<>();
    spellings.put("a=b", "a=b");
    spellings.put("a%2Fb", "a/b");
    spellings.put("two words", "two words");
    spellings.put("two%20more", "two more");
    spellings.put("a+b", "a+b");
    spellings.put("50%", "50%");
    spellings.put("50%25 off", "50% off");
    spellings.put("é", "é");
    spellings.put("日本 語", "日本 語");
    spellings.put("what?#&", "what?#&");
    spellings.put("it's", "it's");
    int id = 0;
    List<List<String>> expected = new ArrayList<>();
    for (Map.Entry<String, String> spelling : spellings.entrySet()) {
      path.write(source, 100, "p=" + spelling.getKey() + "/f.parquet", "SELECT " + id + " AS id");
      expected.add(List.of(Integer.toString(id), spelling.getValue()));
      id++;
    }
    path.write(source, 100, "p=__HIVE_DEFAULT_PARTITION__/f.parquet", "SELECT 99 AS id");

    RegisterResult result = path.run(source.trigger(100));

    assertThat(result.reason()).isNull();
    assertThat(path.duckDb("SELECT id, p FROM " + source.sql() + " WHERE id < 99 ORDER BY id"))
        .containsExactlyElementsOf(expected.stream().map(List::copyOf).toList());
    for (List<String> row : expected) {
      assertThat(
              path.duckDb(
                  "SELECT id FROM %s WHERE p = '%s'"
                      .formatted(source.sql(), row.get(1).replace("'", "''"))))
          .as(row.get(1))
          .containsExactly(List.of(row.get(0)));
    }
    assertThat(path.scan(source))
        .containsExactlyInAnyOrderElementsOf(path.duckDb("SELECT id, p FROM " + source.sql()));
  }

  @Test
  @DisplayName("OBJ-03: files a+b and a b of one folder are not mixed up")
  void obj03PlusAndBlankAreNotMixedUp() throws Exception {
    Source source = path.newSource("obj03");
    List<String> names =
        List.of(
            "a+b/x.parquet",
            "a b/x.parquet",
            "a+b c/100%/é 1/x.parquet",
            "q?x#y/x.parquet",
            "p%2Fq/x.parquet",
            "日本 語/x.parquet");
    for (int file = 0; file < names.size(); file++) {
      path.write(source, 100, names.get(file), "SELECT " + file + " AS id");
    }

    RegisterResult result = path.run(source.trigger(100));

    assertThat(result.reason()).isNull();
    assertThat(path.duckDb("SELECT id FROM " + source.sql() + " ORDER BY id"))
        .containsExactly(
            List.of("0"), List.of("1"), List.of("2"), List.of("3"), List.of("4"), List.of("5"));
    assertThat(path.scan(source))
        .containsExactlyInAnyOrder(
            List.of("0"), List.of("1"), List.of("2"), List.of("3"), List.of("4"), List.of("5"));
  }

  @Test
  @DisplayName("OBJ-07: markers, temporary files and checksums are left out and listed as such")
  void obj07OnlyDataIsRegistered() throws Exception {
    Source source = path.newSource("obj07");
    String folder = source.folder(100);
    ObjectStore root = path.stores.open(path.sourceRoot);
    root.put(folder + "_$folder$", new byte[0]);
    path.put(folder, "_SUCCESS", new byte[0]);
    path.put(folder, ".part-0.parquet.crc", new byte[] {1, 2, 3});
    path.writeTo(folder, "_temporary/0/x.parquet", "SELECT 666 AS id");
    path.writeTo(folder, "part-0.parquet", "SELECT 1 AS id");

    RegisterResult first = path.run(source.trigger(100));

    assertThat(first.reason()).isNull();
    assertThat(path.duckDb("SELECT id FROM " + source.sql())).containsExactly(List.of("1"));
    assertThat(path.events.newest(RegisterFixture.ref(source), 10))
        .filteredOn(event -> event.kind() == EventKind.LEFT_OUT)
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.reason())
                    .contains("_SUCCESS", ".part-0.parquet.crc", "_temporary/0/x.parquet"));

    path.writeTo(source.folder(200), "part-0.parquet", "SELECT 1 AS id");
    path.put(source.folder(200), "part-1.parquet", new byte[0]);

    assertThat(Refusal.of(path, source, source.trigger(200))).contains("part-1.parquet");
  }

  @Test
  @DisplayName("OBJ-04: files with awkward keys are registered and read as they are listed")
  void obj04AwkwardKeysAreRegisteredAndRead() throws Exception {
    Source source = path.newSource("obj04");
    List<String> names =
        List.of(
            "plus+.parquet",
            "colon:.parquet",
            "blank .parquet",
            "literal%20.parquet",
            "and&.parquet",
            "line\u2028separator.parquet");
    for (int file = 0; file < names.size(); file++) {
      path.write(source, 100, names.get(file), "SELECT " + file + " AS id");
    }

    RegisterResult result = path.run(source.trigger(100));

    assertThat(result.reason()).isNull();
    List<List<String>> ids =
        IntStream.range(0, names.size()).mapToObj(id -> List.of(Integer.toString(id))).toList();
    assertThat(path.duckDb("SELECT id FROM " + source.sql() + " ORDER BY id")).isEqualTo(ids);
    assertThat(path.scan(source)).containsExactlyInAnyOrderElementsOf(List.copyOf(ids));
  }

  @Test
  @DisplayName("OBJ-08: a final slash of the locations makes no difference and no double slash")
  void obj08FinalSlashMakesNoDifference() throws Exception {
    Source source = path.newSource("obj08");
    path.write(source, 100, "a.parquet", "SELECT 1 AS id");
    StorageLocation slashed = StorageLocation.parse(path.sourceRoot.uri());
    StorageLocation bare =
        StorageLocation.parse(
            path.sourceRoot.uri().substring(0, path.sourceRoot.uri().length() - 1));
    assertThat(slashed).isEqualTo(bare);

    assertThat(path.run(source.trigger(100)).reason()).isNull();

    try (Stream<ObjectInfo> landed = path.lakeStore.list("")) {
      assertThat(landed.map(ObjectInfo::key)).isNotEmpty().noneMatch(key -> key.contains("//"));
    }
    assertThat(path.duckDb("SELECT id FROM " + source.sql())).containsExactly(List.of("1"));
  }

  @Test
  void sourceObjectReplacedBetweenListingAndCopyingIsRefused() throws Exception {
    Source source = path.newSource("replaced");
    byte[] listed = path.parquet("SELECT 1 AS id");
    byte[] replacement = path.parquet("SELECT 2 AS id");
    assertThat(replacement).hasSameSizeAs(listed);
    path.put(source.folder(100), "a.parquet", listed);
    path.lakeFault =
        lake ->
            FaultyStore.in(
                lake,
                (real, from, object, key) -> {
                  path.put(source.folder(100), "a.parquet", replacement);
                  return real.copyFrom(from, object, key, TransferMonitor.NONE);
                });
    CatalogDump before = path.catalogRows();

    RegisterResult result = path.run(source.trigger(100));

    assertThat(result.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(result.reason()).contains("a.parquet");
    assertThat(path.catalogRows().differences(before)).isEmpty();

    path.lakeFault = lake -> lake;
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    assertThat(path.duckDb("SELECT id FROM " + source.sql())).containsExactly(List.of("2"));
  }

  private static Source live(String table) throws SQLException {
    Source source = path.newSource(table);
    path.write(source, 100, "a.parquet", "SELECT 1 AS id");
    path.write(source, 200, "a.parquet", "SELECT 2 AS id");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    return source;
  }

  @Test
  void missingBucketIsRefused() throws Exception {
    Source source = live("no_bucket");
    path.sourceFault =
        store -> path.stores.open(new StorageLocation.S3("there-is-no-such-bucket", "prepared"));

    assertThat(Refusal.of(path, source, source.trigger(200))).contains("there-is-no-such-bucket");
  }

  @Test
  void missingBucketOfTheLakeIsRefused() throws Exception {
    Source source = live("no_lake_bucket");
    ObjectStore missing = path.stores.open(new StorageLocation.S3("there-is-no-such-lake", "lake"));
    path.lakeFault =
        lake -> new LakeAccess(lake.name(), lake.catalog(), missing, lake.state(), lake.probe());

    assertThat(Refusal.of(path, source, source.trigger(200))).contains("there-is-no-such-lake");
  }

  @Test
  @DisplayName("CAT-10: wrong credentials are refused without a word of the secret")
  void cat10WrongCredentialsAreRefused() throws Exception {
    Source source = live("wrong_credentials");
    try (ObjectStores wrong =
        ObjectStores.connect(RegisterFixture.s3Settings(RegisterFixture.SECRET))) {
      path.sourceFault = store -> wrong.open(path.sourceRoot.resolve(source.folder(200)));

      assertThat(Refusal.of(path, source, source.trigger(200))).contains(source.folder(200));
    }
  }

  @Test
  void landedBytesAreTheSourcesBytes() throws Exception {
    Source source = path.newSource("bytes");
    byte[] content = path.parquet("SELECT range AS id FROM range(1000)");
    path.put(source.folder(100), "a.parquet", content);
    RegisterResult result = path.run(source.trigger(100));

    assertThat(result.bytes()).isEqualTo(content.length);
    assertThat(
            path.scan(
                ScanRequest.all(RegisterFixture.name(source), path.catalog.reader().latest())))
        .hasSize(1000);
  }
}
