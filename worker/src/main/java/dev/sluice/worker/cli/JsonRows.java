package dev.sluice.worker.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.activities.query.ScanColumn;
import dev.sluice.activities.query.ScanRows;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * One JSON document with the columns' types and the rows. Values are DuckDB's texts: numbers keep
 * every digit, which JSON numbers would not.
 */
final class JsonRows implements RowFormat {

  @Override
  public void print(Map<String, Object> head, ScanRows rows, PrintWriter out) {
    try {
      JsonGenerator json = new JsonFactory().createGenerator(out);
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      for (Map.Entry<String, Object> each : head.entrySet()) {
        if (each.getValue() instanceof Long number) {
          json.writeNumberField(each.getKey(), number);
        } else {
          json.writeStringField(each.getKey(), each.getValue().toString());
        }
      }
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
          if (text == null) {
            json.writeNull();
          } else {
            json.writeString(text);
          }
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
}
