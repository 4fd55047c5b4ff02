package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.InlinedRows;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes the rows of a scan into one Parquet file. Values that Parquet has no exact type for, as
 * DuckDB writes it, become text: 128-bit integers, intervals and times with an offset. Thread-safe.
 *
 * <p>Besides {@link QueryException}, methods throw what {@link CatalogReader} throws.
 */
public final class ParquetExport {

  private final CatalogReader catalog;
  private final DataFiles files;

  /** An export over a lake's catalog and files. */
  public ParquetExport(CatalogReader catalog, DataFiles files) {
    this.catalog = catalog;
    this.files = files;
  }

  /**
   * Writes a file that appears under its name once it is whole.
   *
   * @param target a file that is not there yet, in a folder that is
   * @return the number of rows in it
   */
  public long write(ScanRequest request, Path target) {
    Path whole = target.toAbsolutePath();
    Path unfinished = whole.resolveSibling(whole.getFileName() + ".unfinished");
    if (Files.exists(whole)) {
      throw QueryErrors.exists(whole);
    }
    Table table = catalog.view(request.snapshot()).table(request.table());
    List<ScanColumn> columns = ScanColumns.of(table, request.columns());
    ScanPlan plan = catalog.plan(request.snapshot(), table, request.predicate());
    try (ScratchEngine engine = ScratchEngine.open()) {
      long rows = gather(engine, plan, columns, request.limit().orElse(Long.MAX_VALUE));
      engine.execute(
          "COPY gathered TO " + Sql.literal(unfinished.toString()) + " (FORMAT parquet)");
      Files.move(unfinished, whole, StandardCopyOption.ATOMIC_MOVE);
      return rows;
    } catch (SQLException e) {
      throw QueryErrors.unreadable(table.name(), request.snapshot().id(), e);
    } catch (IOException e) {
      throw QueryErrors.notWritten(whole, e);
    }
  }

  private long gather(ScratchEngine engine, ScanPlan plan, List<ScanColumn> columns, long limit)
      throws SQLException {
    Set<Column> read = new LinkedHashSet<>();
    columns.forEach(column -> read.add(column.column()));
    read.addAll(PredicateSql.columns(plan.table(), plan.predicate()));
    engine.execute(
        columns.stream()
            .map(each -> Sql.identifier(each.name()) + " " + written(each.column()))
            .collect(Collectors.joining(", ", "CREATE TABLE gathered (", ")")));
    BatchSql sql =
        new BatchSql(
            engine.connection(),
            "",
            plan.table(),
            plan.snapshot().id(),
            read,
            PathTexts.OF_THE_PATH,
            DeletedPositions.INLINED);
    String select =
        columns.stream()
            .map(each -> Sql.cast("t." + ColumnNames.of(each.column()), written(each.column())))
            .collect(Collectors.joining(", "));
    String condition = new PredicateSql(plan.table()).of(plan.predicate());
    long rows = 0;
    for (List<ScanFile> batch : ScanBatches.of(plan.files(), files.leaseBytes())) {
      try (Lease lease = files.lease(batch.stream().flatMap(ScanBatches::wanted).toList())) {
        rows += engine.execute(insert(select, sql.files(batch, lease), condition, limit - rows));
      }
    }
    for (InlinedRows inlined : plan.inlinedRows()) {
      rows += engine.execute(insert(select, sql.inlined(inlined), condition, limit - rows));
    }
    return rows;
  }

  private static String insert(String select, String relation, String condition, long limit) {
    return String.join(
        " ",
        "INSERT INTO gathered SELECT",
        select,
        "FROM (" + relation + ") t WHERE",
        condition,
        "LIMIT " + limit);
  }

  /** The type that a column's values are written with. */
  private static String written(Column column) {
    return switch (column.type()) {
      case Nested nested ->
          switch (nested) {
            case STRUCT ->
                column.children().stream()
                    .map(child -> Sql.identifier(child.name()) + " " + written(child))
                    .collect(Collectors.joining(", ", "STRUCT(", ")"));
            case LIST -> written(column.children().get(0)) + "[]";
            case MAP ->
                "MAP(%s, %s)"
                    .formatted(
                        written(column.children().get(0)), written(column.children().get(1)));
          };
      case ColumnType.Decimal decimal -> SqlType.scalar(decimal);
      case Scalar scalar ->
          NOT_EXACT.contains(scalar) ? SqlType.scalar(Scalar.VARCHAR) : SqlType.scalar(scalar);
    };
  }

  private static final Set<Scalar> NOT_EXACT =
      Set.of(Scalar.INT128, Scalar.UINT128, Scalar.INTERVAL, Scalar.TIMETZ);
}
