package dev.sluice.activities.landing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.activities.landing.InspectionText.FileFacts;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's text of one file: {@code [mapping, [[transform, column, value], ...], [[leaf, column
 * bytes, values, nulls, min, max, NaN, extra], ...]]}, where mapping and leaf are places in the
 * heading. It is written and read token by token, since there are tens of thousands of them.
 */
final class FileFactsText {

  private static final JsonFactory JSON = new JsonFactory();

  private FileFactsText() {}

  static String write(
      FileFacts facts, ToIntFunction<FileMapping> mappings, ToIntFunction<List<String>> leaves) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartArray();
      json.writeNumber(mappings.applyAsInt(facts.mapping()));
      json.writeStartArray();
      for (PartitionValue value : facts.partitionValues()) {
        json.writeStartArray();
        json.writeString(value.key().transform().text());
        json.writeString(value.key().column());
        json.writeString(value.value());
        json.writeEndArray();
      }
      json.writeEndArray();
      json.writeStartArray();
      for (LeafStatistics leaf : facts.statistics()) {
        write(json, leaves.applyAsInt(leaf.column()), leaf);
      }
      json.writeEndArray();
      json.writeEndArray();
    } catch (IOException e) {
      throw new IllegalStateException("plain values can be written", e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, int column, LeafStatistics leaf)
      throws IOException {
    json.writeStartArray();
    json.writeNumber(column);
    json.writeNumber(leaf.columnSizeBytes());
    writeNumber(json, leaf.valueCount());
    writeNumber(json, leaf.nullCount());
    json.writeString(leaf.min());
    json.writeString(leaf.max());
    Boolean nan = leaf.containsNan();
    if (nan == null) {
      json.writeNull();
    } else {
      json.writeBoolean(nan);
    }
    json.writeString(leaf.extraStats());
    json.writeEndArray();
  }

  private static void writeNumber(JsonGenerator json, @Nullable Long number) throws IOException {
    if (number == null) {
      json.writeNull();
    } else {
      json.writeNumber(number);
    }
  }

  /**
   * Reads what was written under the same heading.
   *
   * @throws IllegalStateException when it was not written by Sluice
   */
  static FileFacts read(String text, List<FileMapping> mappings, List<List<String>> leaves) {
    try (JsonParser json = JSON.createParser(text)) {
      require(json.nextToken() == JsonToken.START_ARRAY);
      FileMapping mapping = mappings.get(json.nextIntValue(-1));
      List<PartitionValue> values = new ArrayList<>();
      require(json.nextToken() == JsonToken.START_ARRAY);
      while (json.nextToken() == JsonToken.START_ARRAY) {
        PartitionTransform transform = PartitionTransform.parse(json.nextTextValue());
        PartitionKey key = new PartitionKey(json.nextTextValue(), transform);
        values.add(new PartitionValue(key, json.nextTextValue()));
        require(json.nextToken() == JsonToken.END_ARRAY);
      }
      List<LeafStatistics> statistics = new ArrayList<>(leaves.size());
      require(json.nextToken() == JsonToken.START_ARRAY);
      while (json.nextToken() == JsonToken.START_ARRAY) {
        statistics.add(
            new LeafStatistics(
                leaves.get(json.nextIntValue(-1)),
                json.nextLongValue(-1),
                number(json),
                number(json),
                json.nextTextValue(),
                json.nextTextValue(),
                json.nextBooleanValue(),
                json.nextTextValue()));
        require(json.nextToken() == JsonToken.END_ARRAY);
      }
      return new FileFacts(mapping, values, statistics);
    } catch (IOException | IndexOutOfBoundsException e) {
      throw new IllegalStateException("the ledger holds text that Sluice did not write", e);
    }
  }

  private static @Nullable Long number(JsonParser json) throws IOException {
    return json.nextToken() == JsonToken.VALUE_NULL ? null : json.getLongValue();
  }

  private static void require(boolean expected) {
    if (!expected) {
      throw new IllegalStateException("the ledger holds text that Sluice did not write");
    }
  }
}
