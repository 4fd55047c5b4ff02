package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.TableNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A SELECT gives what DuckDB gives, and nothing but a SELECT over the lake is run. */
class LakeSqlTest {

  @TempDir private static Path folder;
  private static RefereeLake lake;
  private static @Nullable Snapshot cut;

  @BeforeAll
  static void createLake() throws SQLException {
    lake = RefereeLake.create(folder);
    lake.run(
        "CREATE SCHEMA s",
        "CREATE TABLE s.orders(id INT, customer INT, amount DECIMAL(9,2), b BLOB)",
        "INSERT INTO s.orders SELECT i, i % 7, i / 4, NULL FROM range(200) r(i)",
        "DELETE FROM s.orders WHERE id BETWEEN 20 AND 60",
        "INSERT INTO s.orders VALUES (1000, 3, 5, '\\xDE\\xAD'::BLOB)",
        "ALTER TABLE s.orders RENAME COLUMN amount TO paid",
        "CREATE TABLE customers(id INT, \"the name\" VARCHAR)",
        "INSERT INTO customers SELECT i, 'c' || i FROM range(5) r(i)",
        "CREATE TABLE none(a INT, l INT[])",
        "CREATE VIEW s.paid(who, total) AS SELECT customer, sum(paid) FROM s.orders GROUP BY ALL",
        "CREATE VIEW best AS SELECT c.\"the name\", p.total FROM s.paid p JOIN customers c ON c.id"
            + " = p.who");
  }

  @AfterAll
  static void closeLake() throws SQLException {
    lake.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * EXCLUDE (b) FROM s.orders ORDER BY id DESC LIMIT 7;",
        "SELECT count(*), sum(paid), min(id) FROM s.orders -- all of it",
        "FROM customers ORDER BY 1",
        "SELECT \"the name\", count(*) n FROM s.orders o LEFT JOIN customers c ON o.customer = c.id"
            + " GROUP BY ALL ORDER BY ALL",
        "SELECT * FROM best ORDER BY total",
        "WITH orders AS (SELECT 1 AS x) SELECT * FROM orders, range(3) r(y) ORDER BY y",
        "SELECT a, l FROM none",
        "SELECT id FROM s.orders WHERE customer IN (SELECT id FROM customers WHERE id > 3) ORDER BY"
            + " 1",
        "SELECT id FROM s.orders INTERSECT SELECT id FROM customers ORDER BY 1"
      })
  void selectsAnswerAsInDuckDb(String sql) throws SQLException {
    assertThat(query(sql, lake.catalog().latest()))
        .containsExactlyElementsOf(lake.duckDb().queryText(sql.replace("-- all of it", "")));
  }

  @Test
  void blobsAreHexAndASnapshotHoldsForTheWholeQuery() {
    assertThat(query("SELECT b FROM s.orders WHERE id = 1000", lake.catalog().latest()))
        .containsExactly(List.of("DEAD"));
    assertThat(query("SELECT max(amount) FROM s.orders", lake.catalog().snapshot(3)))
        .containsExactly(List.of("49.75"));
    assertThatThrownBy(() -> query("SELECT * FROM customers", lake.catalog().snapshot(3)))
        .isInstanceOf(TableNotFoundException.class)
        .hasMessageContaining("table main.customers: not in snapshot 3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DELETE FROM s.orders | it is another statement",
        "CREATE TABLE x AS SELECT 1 | it is another statement",
        "COPY customers TO '/tmp/x' | it is another statement",
        "ATTACH 'x' | it is another statement",
        "SELECT 1; SELECT 2 | it is 2 statements",
        "SHOW TABLES | it describes instead of selecting",
        "SELECT * FROM read_csv('/etc/passwd') | it reads from the function read_csv",
        "SELECT (SELECT content FROM read_text('/etc/passwd')) | it reads from the function"
            + " read_text",
        "SELECT * FROM memory.main.t | it names the catalog memory",
        "SELECT * FROM customers AT (VERSION => 3) | it has an AT clause for customers",
        "SELEC 1 | syntax error at or near",
        "SELECT nope FROM customers | nope",
      })
  void anythingElseIsRefusedWithItsReason(String sql, String reason) {
    assertThatThrownBy(() -> query(sql, lake.catalog().latest()))
        .isInstanceOf(QueryException.class)
        .hasMessageStartingWith("the query: ")
        .hasMessageContaining(reason);
  }

  /** Of files f0 to f9, of ten numbers each, all are gone that the condition has no use for. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FROM s.cut WHERE i = 42 | 4",
        "FROM s.cut c WHERE c.i BETWEEN 15 AND 21 AND v <> 'x' | 1 2",
        "FROM s.cut WHERE 90 <= i OR i IN (5, 7.0) | 0 9",
        "FROM s.cut WHERE d > DATE '2020-01-09' AND i < 1000 | 9",
        "FROM s.cut WHERE v = 'n55' AND length(v) = 3 | 5",
        "FROM s.cut WHERE x >= 3.5 AND x < 3.9 | 3",
        "SELECT * FROM customers k LEFT JOIN s.cut c ON c.i = k.id WHERE c.i < 3 | 0",
        "SELECT (SELECT max(i) FROM s.cut WHERE i < 25) AS m, count(*) FROM s.cut WHERE i > 93 | 0 1"
            + " 2 9",
        "WITH cut AS (SELECT i FROM s.cut WHERE i > 85) SELECT * FROM cut WHERE i < 3 | 8 9",
        "SELECT total FROM s.few WHERE total > 0 | 2",
      })
  void filesThatAConditionRulesOutAreNotRead(String sql, String files) throws SQLException {
    lake.run(
        "CREATE TABLE IF NOT EXISTS s.cut(i INT, v VARCHAR, d DATE, x DOUBLE)",
        "CREATE OR REPLACE VIEW s.few AS SELECT sum(i) AS total FROM s.cut WHERE i = 25");
    if (cut == null) {
      for (int i = 0; i < 10; i++) {
        lake.run(
            ("INSERT INTO s.cut SELECT i, 'n' || i, DATE '2020-01-01' + (i // 10)::INT, i / 10"
                    + " FROM range(%d, %d) r(i)")
                .formatted(i * 10, i * 10 + 10));
      }
      cut = lake.catalog().latest();
    }
    List<List<@Nullable String>> expected = lake.duckDb().queryText(sql);
    Table table = lake.catalog().view(cut).table(new TableName("s", "cut"));
    List<Path> paths =
        lake.catalog().plan(cut, table, Predicate.all()).files().stream()
            .map(file -> Path.of(file.path()))
            .toList();
    List<String> wanted = List.of(files.split(" ", -1));
    List<Path> hidden =
        IntStream.range(0, paths.size())
            .filter(i -> !wanted.contains(String.valueOf(i)))
            .mapToObj(paths::get)
            .toList();
    hidden.forEach(path -> rename(path, path.resolveSibling(path.getFileName() + ".gone")));
    try {
      assertThat(query(sql, cut)).containsExactlyInAnyOrderElementsOf(expected);
    } finally {
      hidden.forEach(path -> rename(path.resolveSibling(path.getFileName() + ".gone"), path));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT count(*) FROM s.orders WHERE customer IS NULL OR id < 5",
        "SELECT count(*) FROM customers k LEFT JOIN s.orders o ON o.id = k.id WHERE o.id IS NULL",
        "SELECT count(*) FROM customers c FULL JOIN s.orders o ON o.id = c.id WHERE NOT c.id = 3",
        "SELECT count(*) FROM s.orders o JOIN s.orders p ON o.id = p.id + 1 WHERE o.id = 5",
        "SELECT count(*) FROM s.orders WHERE id = '7' OR id::VARCHAR = '8'",
        "SELECT id AS customer FROM s.orders WHERE customer = 6 ORDER BY 1",
        "SELECT count(*) FROM s.orders t(customer) WHERE customer = 5",
        "SELECT c.id, o.id FROM customers c ASOF JOIN s.orders o ON c.id >= o.id WHERE o.id = 3",
        "SELECT count(*) FROM (FROM s.orders WHERE id = 3) UNION ALL SELECT count(*) FROM s.orders",
      })
  void conditionsNeverCostARow(String sql) throws SQLException {
    assertThat(query(sql, lake.catalog().latest()))
        .containsExactlyElementsOf(lake.duckDb().queryText(sql));
  }

  private static void rename(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFileIsNoTable() throws Exception {
    Path file = Files.writeString(folder.resolve("some.csv"), "a\n1\n");

    assertThatThrownBy(() -> query("SELECT * FROM '" + file + "'", lake.catalog().latest()))
        .isInstanceOf(TableNotFoundException.class)
        .hasMessageContaining("some.csv: not in snapshot");
  }

  private static List<List<@Nullable String>> query(String sql, Snapshot snapshot) {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (ScanRows found = lake.sql().query(sql, snapshot)) {
      while (found.next()) {
        rows.add(found.row());
      }
    }
    return rows;
  }
}
