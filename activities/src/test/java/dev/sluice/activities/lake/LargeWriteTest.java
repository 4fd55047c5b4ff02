package dev.sluice.activities.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.sluice.catalog.TableName;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes of far more rows than the memory that is set for a write can hold. */
class LargeWriteTest {

  /** Half of what the rows take in memory. */
  private static final long MEMORY_BYTES = 96L << 20;

  private static final long TOO_LITTLE_MEMORY_BYTES = 8L << 20;

  private static final long TOO_LITTLE_ROOM_BYTES = 8L << 20;

  private static final int PARTITIONS = 8;
  private static final int MANY_PARTITIONS = 1000;

  /** What plans, statistics and statements take; a sixth of the rows. */
  private static final long HEAP_BYTES = 32L << 20;

  private static final long COUNT = 2_000_000;

  /** Two numbers and a text of 64 characters, no two alike: about 100 bytes in memory. */
  private static final String ROWS =
      "SELECT range AS id, (range %% %d)::BIGINT AS k, sha256(range::VARCHAR) AS v FROM range(%d)"
          .formatted(PARTITIONS, COUNT);

  @TempDir Path folder;
  private WriteLake lake;
  private LakeTables tables;

  @BeforeEach
  void createLake() throws SQLException {
    lake = WriteLake.own(folder);
    lake.run("CREATE SCHEMA s");
    tables = tables(new WriteLimits(MEMORY_BYTES, null));
  }

  private LakeTables tables(WriteLimits limits) {
    return new LakeTables(
        lake.catalog, lake.store(), lake.files(), WriteSettings.in(writeFolder(), limits));
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private Path writeFolder() {
    return folder.resolve("bounded");
  }

  private void create(String name, String... alters) throws SQLException {
    lake.run("CREATE TABLE s." + name + " (id BIGINT, k BIGINT, v VARCHAR)");
    for (String alter : alters) {
      lake.run("ALTER TABLE s." + name + " " + alter);
    }
  }

  /** Runs a write and sees to it that its rows neither pass through Java's heap nor are left. */
  private WriteResult bounded(Supplier<WriteResult> write) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();

    WriteResult result = write.get();

    assertThat(threads.getCurrentThreadAllocatedBytes() - before)
        .as("bytes allocated on the heap")
        .isBetween(0L, HEAP_BYTES);
    assertNothingIsLeft();
    return result;
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(writeFolder())) {
      assertThat(left).isEmpty();
    }
    assertThat(lake.objects()).noneMatch(object -> object.contains(TableWriter.STAGING));
  }

  private WriteResult insert(String table) throws IOException {
    return bounded(() -> tables.insert(InsertRequest.of(name(table), new RowSource.Select(ROWS))));
  }

  private static TableName name(String table) {
    return new TableName("s", table);
  }

  private void assertRows(String table, long rows, long sumOfIds) throws SQLException {
    assertThat(lake.rows("SELECT count(*), sum(id) FROM s." + table))
        .containsExactly(List.of(Long.toString(rows), Long.toString(sumOfIds)));
  }

  @Test
  void manyRowsAreInsertedAndUpdated() throws Exception {
    create("t");

    assertThat(insert("t").bytes()).isGreaterThan(MEMORY_BYTES);
    assertRows("t", COUNT, COUNT * (COUNT - 1) / 2);

    WriteResult updated =
        tables.update(
            UpdateRequest.of(name("t"), Map.of("k", "-id"), RowCondition.sql("id % 2 = 0")));
    assertThat(updated.updated()).isEqualTo(COUNT / 2);
    assertNothingIsLeft();
    assertThat(lake.value("SELECT count(*) FROM s.t WHERE k = -id"))
        .isEqualTo(Long.toString(COUNT / 2));
  }

  @Test
  void manyRowsAreSortedAndPartitioned() throws Exception {
    create("t", "SET PARTITIONED BY (k)", "SET SORTED BY (v DESC)");

    assertThat(insert("t").files()).isEqualTo(PARTITIONS);

    assertRows("t", COUNT, COUNT * (COUNT - 1) / 2);
  }

  /** DuckDB's own partitioned COPY would hold back rows of every one of them. */
  @Test
  void manyPartitionsTakeNoMoreMemoryThanFew() throws Exception {
    create("t", "SET PARTITIONED BY (k)");
    long rows = MANY_PARTITIONS * 100L;
    String select =
        "SELECT range AS id, range %% %d AS k, sha256(range::VARCHAR) AS v FROM range(%d)"
            .formatted(MANY_PARTITIONS, rows);

    WriteResult result = tables.insert(InsertRequest.of(name("t"), new RowSource.Select(select)));

    assertThat(result.files()).isEqualTo(MANY_PARTITIONS);
    assertNothingIsLeft();
    assertRows("t", rows, rows * (rows - 1) / 2);
  }

  @Test
  void tooLittleMemoryIsSaidToBeJustThat() throws Exception {
    create("t", "SET SORTED BY (v DESC)");
    tables = tables(new WriteLimits(TOO_LITTLE_MEMORY_BYTES, null));

    assertThatThrownBy(() -> tables.insert(InsertRequest.of(name("t"), new RowSource.Select(ROWS))))
        .isInstanceOf(WriteException.class)
        .hasMessageStartingWith("insert into s.t: DuckDB failed; Out of Memory Error")
        .hasMessageContaining("try again, with more memory");
    assertNothingIsLeft();
    assertThat(lake.objects()).isEmpty();
  }

  @Test
  void tooLittleRoomForTemporaryFilesIsSaidToBeJustThat() throws Exception {
    create("t", "SET PARTITIONED BY (k)");
    tables = tables(new WriteLimits(MEMORY_BYTES, TOO_LITTLE_ROOM_BYTES));

    assertThatThrownBy(() -> tables.insert(InsertRequest.of(name("t"), new RowSource.Select(ROWS))))
        .isInstanceOf(WriteException.class)
        .hasMessageStartingWith("insert into s.t: DuckDB failed; Out of Memory Error")
        .hasMessageContaining("failed to offload data block")
        .hasMessageContaining("or room for temporary files where it was short of it");
    assertNothingIsLeft();
    assertThat(lake.objects()).isEmpty();
  }
}
