package dev.sluice.activities.query;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of a session's batches, one after the other. */
final class BatchedRows implements ScanRows {

  private final ScanSession session;
  private final List<ScanColumn> columns;
  private final String select;
  private final String condition;
  private long remaining;
  private @Nullable ResultSet batch;

  BatchedRows(ScanSession session, List<ScanColumn> columns, String condition, long limit) {
    this.session = session;
    this.columns = List.copyOf(columns);
    this.select =
        columns.stream()
            .map(ScanColumn::column)
            .map(column -> RowTexts.of(column, "t." + ColumnNames.of(column)))
            .collect(Collectors.joining(", "));
    this.condition = condition;
    this.remaining = limit;
  }

  @Override
  public List<ScanColumn> columns() {
    return columns;
  }

  @Override
  public boolean next() {
    if (remaining == 0) {
      return false;
    }
    try {
      while (batch == null || !batch.next()) {
        Optional<ResultSet> following = session.next(select, condition + " LIMIT " + remaining);
        if (following.isEmpty()) {
          remaining = 0;
          batch = null;
          return false;
        }
        batch = following.get();
      }
      remaining--;
      return true;
    } catch (SQLException e) {
      throw session.failed(e);
    }
  }

  @Override
  public @Nullable String text(int column) {
    ResultSet current = batch;
    if (current == null) {
      throw new IllegalStateException("there is no current row; call next() first");
    }
    try {
      return current.getString(column + 1);
    } catch (SQLException e) {
      throw session.failed(e);
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
