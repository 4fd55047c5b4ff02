package dev.sluice.worker.cli;

import dev.sluice.activities.query.LakeScanner;
import dev.sluice.activities.query.ParquetExport;
import dev.sluice.activities.query.ScanRequest;
import dev.sluice.activities.query.ScanRows;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.worker.wiring.Connections;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** One scan: resolves its snapshot and condition, then has its rows. */
final class ScanRun {

  private final LakeScanner scanner;
  private final ScanRequest request;

  private ScanRun(LakeScanner scanner, ScanRequest request) {
    this.scanner = scanner;
    this.request = request;
  }

  /** Prepares a scan; refuses what does not exist. */
  static ScanRun of(Connections connections, String lake, ScanOptions options) {
    CatalogReader reader = connections.require(lake).catalog().reader();
    Snapshot snapshot = SnapshotArgument.resolve(reader, options.at());
    Table table = reader.view(snapshot).table(options.table());
    ScanRequest request = ScanRequest.all(table.name(), snapshot).select(options.columns());
    if (options.where() != null) {
      request = request.where(ConditionParser.parse(options.where(), table));
    }
    if (options.limit() != null) {
      request = request.limit(NumberArgument.parse("limit", options.limit()));
    }
    return new ScanRun(connections.scanner(lake), request);
  }

  /** What a document about it begins with. */
  Map<String, Object> head() {
    Map<String, Object> head = new LinkedHashMap<>();
    head.put("table", request.table().toString());
    head.put("snapshot", request.snapshot().id());
    return head;
  }

  /** The number of rows. */
  long count() {
    return scanner.count(request);
  }

  /** The rows; the caller closes them. */
  ScanRows rows() {
    return scanner.scan(request);
  }

  /** Writes the rows into a new Parquet file; returns their number. */
  long export(ParquetExport export, Path file) {
    return export.write(request, file);
  }
}
