package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.read.TableNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
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
