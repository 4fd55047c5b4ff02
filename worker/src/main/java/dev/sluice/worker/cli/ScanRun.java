package dev.sluice.worker.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.activities.query.LakeScanner;
import dev.sluice.activities.query.ScanColumn;
import dev.sluice.activities.query.ScanRequest;
import dev.sluice.activities.query.ScanRows;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.worker.wiring.Connections;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One scan: resolves its snapshot and condition, then prints rows as they come. */
final class ScanRun {

  /** How results are printed. */
  enum Form {
    TEXT,
    JSON
  }

  /** So many rows are looked at to find how wide columns are. */
  private static final int ROWS_PER_BLOCK = 500;

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

  /** Prints the number of rows. */
  void count(PrintWriter out, Form form) {
    long rows = scanner.count(request);
    switch (form) {
      case TEXT -> out.println(rows);
      case JSON -> {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("table", request.table().toString());
        tree.put("snapshot", request.snapshot().id());
        tree.put("count", rows);
        out.println(JsonText.of(tree));
      }
    }
  }

  /** Prints the rows, a block at a time, so that any number of them can be printed. */
  void rows(PrintWriter out, Form form) {
    try (ScanRows rows = scanner.scan(request)) {
      switch (form) {
        case TEXT -> printText(rows, out);
        case JSON -> printJson(rows, out);
      }
    }
  }

  private static void printText(ScanRows rows, PrintWriter out) {
    List<String> header = rows.columns().stream().map(ScanColumn::name).toList();
    boolean more = true;
    boolean first = true;
    while (more) {
      TextTable block = new TextTable(header);
      int inBlock = 0;
      while (inBlock < ROWS_PER_BLOCK && (more = rows.next())) {
        block.row(rows.row().stream().map(text -> text == null ? "NULL" : text).toArray());
        inBlock++;
      }
      if (first || inBlock > 0) {
        block.lines().stream().skip(first ? 0 : 1).forEach(out::println);
      }
      first = false;
    }
  }

  /** Values are DuckDB's texts: numbers keep every digit, which JSON numbers would not. */
  private void printJson(ScanRows rows, PrintWriter out) {
    try {
      JsonGenerator json = new JsonFactory().createGenerator(out);
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      json.writeStringField("table", request.table().toString());
      json.writeNumberField("snapshot", request.snapshot().id());
      json.writeArrayFieldStart("columns");
      for (ScanColumn column : rows.columns()) {
        json.writeStartObject();
        json.writeStringField("name", column.name());
        json.writeStringField("type", column.sqlType());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("rows");
      while (rows.next()) {
        json.writeStartArray();
        for (String text : rows.row()) {
          writeText(json, text);
        }
        json.writeEndArray();
      }
      json.writeEndArray();
      json.writeEndObject();
      json.close();
      out.println();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writeText(JsonGenerator json, @Nullable String text) throws IOException {
    if (text == null) {
      json.writeNull();
    } else {
      json.writeString(text);
    }
  }
}
