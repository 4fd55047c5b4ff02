package dev.sluice.activities.query;

import dev.sluice.activities.parquet.DataProbe;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.PartitionTransform;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about single files from their data, through a DuckDB of its own per question.
 * Thread-safe. Methods throw {@link QueryException} when a file cannot be had or read.
 */
public final class FileProbe implements DataProbe {

  private final DataFiles files;

  /** A probe of files that lie where a lake's files lie. */
  public FileProbe(DataFiles files) {
    this.files = files;
  }

  @Override
  public OptionalLong nulls(ParquetFile file, String path, String column) {
    List<@Nullable String> count =
        ask(file, path, "SELECT count(*) - count(" + Sql.identifier(column) + ") FROM ", "");
    String text = count.get(0);
    return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text, 10));
  }

  @Override
  public Optional<List<@Nullable String>> distinct(
      ParquetFile file,
      String path,
      String column,
      ColumnType type,
      PartitionTransform.Simple transform,
      int limit) {
    String value = Sql.cast(Sql.identifier(column), SqlType.scalar(type));
    return Optional.of(
        ask(
            file,
            path,
            "SELECT DISTINCT " + Sql.cast(part(transform, value), "VARCHAR") + " FROM ",
            " LIMIT " + limit));
  }

  private static String part(PartitionTransform.Simple transform, String value) {
    return switch (transform) {
      case IDENTITY -> value;
      case YEAR, MONTH, DAY, HOUR -> transform.text() + "(" + value + ")";
    };
  }

  private List<@Nullable String> ask(ParquetFile file, String path, String before, String after) {
    DataFiles.WantedFile wanted = new DataFiles.WantedFile(path, file.sizeBytes());
    try (DataFiles.Lease lease = files.lease(List.of(wanted));
        Connection duckDb = ScanEngine.open();
        Statement statement = duckDb.createStatement();
        ResultSet result =
            statement.executeQuery(
                before
                    + "read_parquet("
                    + Sql.literal(lease.local(path).toString())
                    + ", hive_partitioning = false)"
                    + after)) {
      List<@Nullable String> values = new ArrayList<>();
      while (result.next()) {
        values.add(result.getString(1));
      }
      return values;
    } catch (SQLException e) {
      throw QueryErrors.unreadableFile(path, e);
    }
  }
}
