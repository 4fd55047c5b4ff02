package dev.sluice.worker.bench;

import dev.sluice.catalog.Catalog;
import dev.sluice.embedded.PostgresDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Lakes whose catalogs hold much, filled by PostgreSQL itself: the rows are those that commits
 * leave, in their order, but nothing is timed while they come.
 */
final class FilledCatalog {

  /** Columns of every table that is made here. */
  static final int COLUMNS = 10;

  private static final String SCHEMA_OF_TABLES = "main";

  /** How our commits mark their snapshots: beside another writer's they would wait for it. */
  private static final String OUR_MARK = "sluice";

  private FilledCatalog() {}

  /** An empty lake in a PostgreSQL schema of its own. */
  static void create(PostgresDatabase database, String lake, String root) {
    Catalog.create(database.dataSource(), lake, root + lake + "/");
  }

  /** A table of so many files that its statistics have that many rows. */
  static void addStatistics(PostgresDatabase database, String lake, int rows) {
    addTables(database, lake, 1);
    run(
        database,
        """
        INSERT INTO "%1$s".ducklake_data_file (data_file_id, table_id, begin_snapshot, path,
          path_is_relative, file_format, record_count, file_size_bytes, footer_size, row_id_start)
        SELECT f, 1, 1, 'part-' || f || '.parquet', true, 'parquet', 100, 5000, 300, f * 100
        FROM generate_series(0, %2$d - 1) f;
        INSERT INTO "%1$s".ducklake_file_column_stats (data_file_id, table_id, column_id,
          column_size_bytes, value_count, null_count, min_value, max_value)
        SELECT f, 1, c, 1000, 100, 0, (f * 100)::text, (f * 100 + 99)::text
        FROM generate_series(0, %2$d - 1, 10000) part, generate_series(1, %3$d) c,
          generate_series(part, least(part + 9999, %2$d - 1)) f;
        UPDATE "%1$s".ducklake_snapshot SET next_file_id = %2$d WHERE snapshot_id = 1"""
            .formatted(lake, rows / COLUMNS, COLUMNS));
  }

  /** So many empty tables, t1 and on. */
  static void addTables(PostgresDatabase database, String lake, int tables) {
    run(
        database,
        """
        INSERT INTO "%1$s".ducklake_table (table_id, table_uuid, begin_snapshot, schema_id, table_name,
          path, path_is_relative)
        SELECT i, gen_random_uuid(), 1, schema_id, 't' || i, 't' || i || '/', true
        FROM "%1$s".ducklake_schema, generate_series(1, %2$d) i WHERE schema_name = '%3$s';
        INSERT INTO "%1$s".ducklake_column (column_id, begin_snapshot, table_id, column_order,
          column_name, column_type, nulls_allowed)
        SELECT c, 1, i, c, 'c' || c, 'int64', true
        FROM generate_series(1, %2$d) i, generate_series(1, %4$d) c;
        INSERT INTO "%1$s".ducklake_snapshot (snapshot_id, snapshot_time, schema_version,
          next_catalog_id, next_file_id) VALUES (1, now(), 1, %2$d + 1, 0);
        INSERT INTO "%1$s".ducklake_snapshot_changes (snapshot_id, changes_made, commit_extra_info)
        VALUES (1, 'created_table:"main"."t1"', '%5$s')"""
            .formatted(lake, tables, SCHEMA_OF_TABLES, COLUMNS, OUR_MARK));
  }

  private static void run(PostgresDatabase database, String statements) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(statements);
    } catch (SQLException e) {
      throw BenchErrors.database("filling a catalog", e);
    }
  }
}
