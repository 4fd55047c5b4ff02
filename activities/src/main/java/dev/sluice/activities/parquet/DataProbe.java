package dev.sluice.activities.parquet;

import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.PartitionTransform;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Looks into the data of a file where its footer leaves a question open that decides about
 * registration. Implementations answer from the data or not at all.
 */
public interface DataProbe {

  /** Never looks: what the footer leaves open stays open. */
  DataProbe NONE =
      new DataProbe() {
        @Override
        public OptionalLong nulls(ParquetFile file, String path, String column) {
          return OptionalLong.empty();
        }

        @Override
        public Optional<List<@Nullable String>> distinct(
            ParquetFile file,
            String path,
            String column,
            ColumnType type,
            PartitionTransform.Simple transform,
            int limit) {
          return Optional.empty();
        }
      };

  /**
   * Counts the rows in which a top-level column is NULL.
   *
   * @param file its footer
   * @param path where the file lies, as it would be registered
   * @param column name in the file
   */
  OptionalLong nulls(ParquetFile file, String path, String column);

  /**
   * Lists the distinct values of a top-level column cast to a type, or of a calendar part of it, as
   * DuckDB's text, NULL as null; at most {@code limit} of them, any of them when there are more.
   */
  Optional<List<@Nullable String>> distinct(
      ParquetFile file,
      String path,
      String column,
      ColumnType type,
      PartitionTransform.Simple transform,
      int limit);
}
