package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.storage.ObjectKeys;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanFile;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a generation shares with the live one are not copied, and their rows stay open. */
class RegisterReuseTest {

  private static RegisterFixture local;
  private static RegisterFixture onS3;

  private final Set<String> copied = ConcurrentHashMap.newKeySet();

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    local = RegisterFixture.local(scratch.resolve("local"));
    onS3 = RegisterFixture.onS3(scratch.resolve("s3"));
  }

  @AfterAll
  static void stop() throws SQLException {
    local.close();
    onS3.close();
  }

  @AfterEach
  void withoutFaults() {
    local.lakeFault = lake -> lake;
    onS3.lakeFault = lake -> lake;
  }

  @Test
  void onlyChangedAndNewFilesAreCopied() throws SQLException {
    onlyChangedAndNewFilesAreCopied(local);
  }

  @Test
  void onlyChangedAndNewFilesAreCopiedOnS3() throws SQLException {
    onlyChangedAndNewFilesAreCopied(onS3);
  }

  private void onlyChangedAndNewFilesAreCopied(RegisterFixture path) throws SQLException {
    Source source = path.newSource("shared");
    path.write(source, 100, "p=1/same.parquet", "SELECT 1 AS g, 'same' AS t");
    path.write(source, 100, "p=2/changed.parquet", "SELECT 2 AS g, 'aaaa' AS t");
    path.write(source, 100, "p=3/vanished.parquet", "SELECT 3 AS g, 'gone' AS t");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    Map<String, Long> before = liveFiles(path, source);

    path.write(source, 200, "p=1/same.parquet", "SELECT 1 AS g, 'same' AS t");
    path.write(source, 200, "p=2/changed.parquet", "SELECT 2 AS g, 'bbbb' AS t");
    path.write(source, 200, "p=4/new.parquet", "SELECT 4 AS g, 'new' AS t");
    path.lakeFault = lake -> FaultyStore.watched(lake, copied::add);
    assertThat(path.run(source.trigger(200)).reason()).isNull();

    assertThat(copiedNames()).containsExactlyInAnyOrder("changed.parquet", "new.parquet");
    assertThat(path.duckDb("SELECT g, t, p FROM " + source.sql() + " ORDER BY g"))
        .containsExactly(
            List.of("1", "same", "1"), List.of("2", "bbbb", "2"), List.of("4", "new", "4"));
    // the very row is still open, and ended for nobody
    assertThat(liveFiles(path, source)).hasSize(3).contains(entryOf(before, "same.parquet"));

    // a chain of reuse: the third generation shares a file with the first
    copied.clear();
    path.write(source, 300, "p=1/same.parquet", "SELECT 1 AS g, 'same' AS t");
    path.write(source, 300, "p=4/new.parquet", "SELECT 4 AS g, 'new' AS t");
    assertThat(path.run(source.trigger(300)).reason()).isNull();

    assertThat(copied).isEmpty();
    assertThat(path.scan(source))
        .containsExactlyInAnyOrder(List.of("1", "same", "1"), List.of("4", "new", "4"));
    assertThat(
            path.duckDb(
                "SELECT g, t, p FROM %s AT (VERSION => %d) ORDER BY g"
                    .formatted(source.sql(), path.publications(source).get(2).snapshotId())))
        .containsExactly(
            List.of("1", "same", "1"), List.of("2", "aaaa", "2"), List.of("3", "gone", "3"));
  }

  @Test
  void equalSizeWithOtherContentIsCopied() throws SQLException {
    // a local store keeps no etags: only the content tells
    Source source = local.newSource("content");
    local.write(source, 100, "a.parquet", "SELECT 'aaaa' AS t");
    assertThat(local.run(source.trigger(100)).reason()).isNull();
    assertThat(local.parquet("SELECT 'aaaa' AS t"))
        .hasSameSizeAs(local.parquet("SELECT 'bbbb' AS t"));

    local.write(source, 200, "a.parquet", "SELECT 'bbbb' AS t");
    assertThat(local.run(source.trigger(200)).reason()).isNull();

    assertThat(local.scan(source)).containsExactly(List.of("bbbb"));
  }

  @Test
  void aFileWithDeletesIsCopiedAnew() throws SQLException {
    Source source = local.newSource("deleted");
    local.write(source, 100, "a.parquet", "SELECT range AS g FROM range(10)");
    local.write(source, 100, "b.parquet", "SELECT range + 100 AS g FROM range(10)");
    assertThat(local.run(source.trigger(100)).reason()).isNull();
    local.session().execute("DELETE FROM " + source.sql() + " WHERE g = 3");
    local.options =
        new Sources.Options(
            Sources.Options.defaults().match(),
            Sources.Options.defaults().schemaPolicy(),
            ForeignContent.REPLACE);

    local.write(source, 200, "a.parquet", "SELECT range AS g FROM range(10)");
    local.write(source, 200, "b.parquet", "SELECT range + 100 AS g FROM range(10)");
    local.lakeFault = lake -> FaultyStore.watched(lake, copied::add);
    assertThat(local.run(source.trigger(200)).reason()).isNull();
    local.options = Sources.Options.defaults();

    assertThat(copiedNames()).containsExactly("a.parquet");
    assertThat(local.duckDb("SELECT count(*), min(g) FROM " + source.sql()))
        .containsExactly(List.of("20", "0"));
  }

  private Set<String> copiedNames() {
    return copied.stream().map(ObjectKeys::fileName).collect(Collectors.toSet());
  }

  private static Map.Entry<String, Long> entryOf(Map<String, Long> files, String name) {
    return files.entrySet().stream()
        .filter(file -> file.getKey().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Ids of the live data files by the name of their object. */
  private static Map<String, Long> liveFiles(RegisterFixture path, Source source) {
    CatalogReader reader = path.catalog.reader();
    Snapshot newest = reader.latest();
    Table table = reader.view(newest).findTable(RegisterFixture.name(source)).orElseThrow();
    return reader.plan(newest, table, Predicate.all()).files().stream()
        .collect(Collectors.toMap(file -> ObjectKeys.fileName(file.path()), ScanFile::dataFileId));
  }
}
