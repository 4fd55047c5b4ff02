package dev.sluice.activities.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.TableName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A write whose process ends half way through its objects: nobody sees anything of it, and what it
 * left is what DuckDB's clean-up of orphaned files finds.
 */
class InterruptedWriteTest {

  private static final TableName T = new TableName("main", "t");

  @TempDir Path folder;
  private WriteLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = WriteLake.own(folder);
    lake.run(
        "CREATE TABLE t (k INT, p INT)",
        "ALTER TABLE t SET PARTITIONED BY (p)",
        "INSERT INTO t SELECT range, range % 2 FROM range(20)");
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  /** After so many objects nothing of the store can be reached, as if the process were gone. */
  private LakeTables endingAfter(int objects) {
    ObjectStore real = lake.store();
    AtomicInteger taken = new AtomicInteger();
    ObjectStore ending =
        (ObjectStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (self, method, arguments) -> {
                  boolean isGone = taken.get() >= objects;
                  boolean isName = method.getName().matches("location|uri");
                  boolean isTake = method.getName().equals("take");
                  if ((isGone && !isName) || (isTake && taken.getAndIncrement() >= objects)) {
                    throw new IllegalStateException("the process has ended");
                  }
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return new LakeTables(
        lake.catalog, ending, lake.files(), WriteSettings.in(folder.resolve("write")));
  }

  private Set<String> orphans() throws SQLException {
    Set<String> orphans = new TreeSet<>();
    for (List<@Nullable String> each :
        lake.rows(
            "SELECT path FROM ducklake_delete_orphaned_files('lake', cleanup_all => true, dry_run"
                + " => true)")) {
      orphans.add(
          folder.resolve("lake").relativize(Path.of(String.valueOf(each.get(0)))).toString());
    }
    return orphans;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void ofAnUpsertNothingIsVisibleAndEverythingIsFound(int objects) throws Exception {
    long before = lake.newest();
    Set<String> named = new TreeSet<>(lake.objects());
    LakeTables ending = endingAfter(objects);

    assertThatThrownBy(
            () ->
                ending.upsert(
                    UpsertRequest.of(
                        T,
                        new RowSource.Select(
                            "SELECT range::INT + 15 AS k, range::INT % 2 + 10 AS p FROM range(10)"),
                        List.of("k"))))
        .hasStackTraceContaining("the process has ended");

    assertThat(lake.newest()).isEqualTo(before);
    assertThat(lake.value("SELECT count(*) FROM t")).isEqualTo("20");
    Set<String> left = new TreeSet<>(lake.objects());
    left.removeAll(named);
    assertThat(orphans()).isEqualTo(left);
    lake.assertAgreesEverywhere();
  }

  @Test
  void whatAKilledWriteHadNotMovedYetIsFoundAsWell() throws Exception {
    Path staging = folder.resolve("lake").resolve(TableWriter.STAGING).resolve("killed");
    Files.createDirectories(staging);
    Files.write(staging.resolve("ducklake-1.parquet"), new byte[] {1});

    assertThat(orphans()).containsExactly(TableWriter.STAGING + "/killed/ducklake-1.parquet");
  }
}
