package dev.sluice.activities.delta;

import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * A Delta table that a test writes by hand: commits line by line ({@link DeltaActions}), data files
 * and checkpoints with DuckDB. What the log says and what the files hold need not agree.
 */
public final class DeltaFolder {

  private final Path folder;

  /** A table in a local folder, which is made when something is written. */
  public DeltaFolder(Path folder) {
    this.folder = folder;
  }

  /** The folder. */
  public Path path() {
    return folder;
  }

  /** The folder as a store. */
  public ObjectStore store() {
    return ObjectStores.localOnly().open(StorageLocation.parse(folder.toString()));
  }

  /** The table as the reader sees it. */
  public DeltaTable table() {
    return DeltaTable.in(store());
  }

  /** The newest version. */
  public DeltaSnapshot latest() {
    return table().snapshot(OptionalLong.empty());
  }

  /** The files of the newest version, by key. */
  public List<DeltaFile> liveFiles() {
    return liveFiles(latest());
  }

  /** The files of a version, by key. */
  public static List<DeltaFile> liveFiles(DeltaSnapshot snapshot) {
    try (var files = snapshot.files()) {
      return files.sorted((left, right) -> left.key().compareTo(right.key())).toList();
    }
  }

  /** Writes the commit of a version. */
  public DeltaFolder commit(long version, Object... actions) {
    StringBuilder lines = new StringBuilder();
    for (Object action : actions) {
      lines.append(action).append('\n');
    }
    return write(logKey(version, ".json"), lines.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** The key of a log file: the version's 20 digits and what follows them. */
  public static String logKey(long version, String suffix) {
    return "_delta_log/" + String.format(Locale.ROOT, "%020d", version) + suffix;
  }

  /** Writes any object. */
  public DeltaFolder write(String key, byte[] content) {
    try {
      Path file = folder.resolve(key);
      Files.createDirectories(file.getParent());
      Files.write(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Removes an object. */
  public DeltaFolder delete(String key) {
    try {
      Files.delete(folder.resolve(key));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Writes a Parquet object with the rows of a query. */
  public DeltaFolder parquet(String key, String query) {
    return parquet(key, query, "");
  }

  /**
   * Writes a Parquet object with the rows of a query.
   *
   * @param options more options of DuckDB's COPY, each with a comma before it
   */
  public DeltaFolder parquet(String key, String query, String options) {
    Path file = folder.resolve(key);
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement()) {
      Files.createDirectories(file.getParent());
      statement.execute("SET timezone = 'UTC'");
      statement.execute(
          "COPY (%s) TO '%s' (FORMAT parquet%s)"
              .formatted(query, file.toString().replace("'", "''"), options));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** The size of an object. */
  public long sizeBytes(String key) {
    try {
      return Files.size(folder.resolve(key));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
