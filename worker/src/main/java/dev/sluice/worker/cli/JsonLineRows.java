package dev.sluice.worker.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.activities.query.ScanColumn;
import dev.sluice.activities.query.ScanRows;
import dev.sluice.catalog.ColumnType.Scalar;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object a line. Integers of up to 32 bits and truth values are JSON's own; everything
 * else is DuckDB's text, since many readers of JSON round numbers to doubles.
 */
final class JsonLineRows implements RowFormat {

  private static final Set<Scalar> EXACT =
      Set.of(Scalar.INT8, Scalar.INT16, Scalar.INT32, Scalar.UINT8, Scalar.UINT16, Scalar.UINT32);

  @Override
  public void print(Map<String, Object> head, ScanRows rows, PrintWriter out) {
    try {
      JsonGenerator json = new JsonFactory().createGenerator(out);
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.setRootValueSeparator(null);
      List<ScanColumn> columns = rows.columns();
      while (rows.next()) {
        json.writeStartObject();
        for (int i = 0; i < columns.size(); i++) {
          json.writeFieldName(columns.get(i).name());
          write(json, columns.get(i), rows.text(i));
        }
        json.writeEndObject();
        json.writeRaw('\n');
      }
      json.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(JsonGenerator json, ScanColumn column, @Nullable String text)
      throws IOException {
    if (text == null) {
      json.writeNull();
    } else if (column.column().type() == Scalar.BOOLEAN) {
      json.writeBoolean(Boolean.parseBoolean(text));
    } else if (column.column().type() instanceof Scalar scalar && EXACT.contains(scalar)) {
      json.writeNumber(Long.parseLong(text));
    } else {
      json.writeString(text);
    }
  }
}
