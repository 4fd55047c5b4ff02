package dev.sluice.embedded;

import java.util.List;

/** A DuckDB extension that is published as a package of the Python index. */
public enum DuckDbExtension {
  /** Reads and writes PostgreSQL; DuckLake's catalog goes through it. */
  POSTGRES_SCANNER("postgres_scanner"),
  /** Reads and writes S3. */
  HTTPFS("httpfs"),
  /** DuckLake itself; needs {@link #POSTGRES_SCANNER} loaded before. */
  DUCKLAKE("ducklake"),
  /** Reads Delta tables; opt-in, not part of {@link #REFEREE}. */
  DELTA("delta");

  /** What {@link DuckLakeSession#open()} loads, in this order. */
  public static final List<DuckDbExtension> REFEREE = List.of(POSTGRES_SCANNER, HTTPFS, DUCKLAKE);

  private final String duckDbName;

  DuckDbExtension(String duckDbName) {
    this.duckDbName = duckDbName;
  }

  /** The name DuckDB knows it by. */
  public String duckDbName() {
    return duckDbName;
  }

  String packageName() {
    return "duckdb-extension-" + duckDbName.replace('_', '-');
  }

  String fileName() {
    return duckDbName + ".duckdb_extension";
  }

  String wheelEntry(String engineVersion) {
    return "duckdb_extension_" + duckDbName + "/extensions/" + engineVersion + "/" + fileName();
  }
}
