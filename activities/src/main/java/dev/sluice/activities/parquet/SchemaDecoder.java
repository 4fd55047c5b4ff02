package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.FileField.Presence;
import dev.sluice.activities.parquet.FileType.Storage;
import dev.sluice.activities.parquet.FileType.Supported;
import dev.sluice.activities.parquet.FileType.Unsupported;
import dev.sluice.catalog.ColumnType.Nested;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.SchemaElement;
import org.jspecify.annotations.Nullable;

/**
 * Turns a footer's flat list of schema elements into columns as DuckDB 1.5.5 resolves them.
 *
 * <p>DuckDB looks at converted types and repetition only: a repeated group with one child is a list
 * of that child, whatever the writer called it; a group with several children is a struct; a list
 * or map group takes its meaning from the repeated group inside. Reading a file in any other way
 * would register it under a type that queries then resolve differently (REG-01, REG-02).
 */
final class SchemaDecoder {

  /** Far beyond any real schema; a damaged footer must not exhaust the stack. */
  private static final int MAX_DEPTH = 200;

  private final String file;
  private final List<SchemaElement> elements;
  private int next;
  private int depth;
  private int leaves;
  private final List<LeafShape> shapes = new ArrayList<>();

  private SchemaDecoder(String file, List<SchemaElement> elements) {
    this.file = file;
    this.elements = elements;
  }

  /** What was decoded: the columns, and per leaf what its column chunks must look like. */
  record Decoded(FileSchema schema, List<LeafShape> shapes) {}

  /**
   * A leaf as its column chunks show it.
   *
   * @param name last name of its path
   * @param type how statistics are decoded
   * @param required whether no level above and including the leaf allows NULL
   * @param repeated whether the leaf is inside a list or map
   */
  record LeafShape(String name, FileType type, boolean required, boolean repeated) {}

  static Decoded decode(String file, List<SchemaElement> elements) {
    SchemaDecoder decoder = new SchemaDecoder(file, elements);
    SchemaElement root = decoder.take();
    List<FileField> fields = new ArrayList<>();
    for (int i = 0; i < children(root); i++) {
      fields.add(decoder.node(false, true, false).field());
    }
    if (decoder.next != elements.size()) {
      throw ParquetErrors.corruptFooter(
          file,
          "its schema has %d elements, of which %d belong to the tree"
              .formatted(elements.size(), decoder.next));
    }
    return new Decoded(new FileSchema(fields), List.copyOf(decoder.shapes));
  }

  /** A decoded node, and whether it is a map's entry group, which only the map group may hold. */
  private record Node(FileField field, boolean entry) {}

  private Node node(boolean insideMap, boolean required, boolean repeated) {
    depth++;
    if (depth > MAX_DEPTH) {
      throw ParquetErrors.corruptFooter(file, "its schema is deeper than %d".formatted(MAX_DEPTH));
    }
    Node node = decoded(take(), insideMap, required, repeated);
    depth--;
    return node;
  }

  private Node decoded(
      SchemaElement element, boolean insideMap, boolean required, boolean repeated) {
    boolean isRepeated = element.getRepetition_type() == FieldRepetitionType.REPEATED;
    boolean isRequired = required && element.getRepetition_type() == FieldRepetitionType.REQUIRED;
    boolean inRepetition = repeated || isRepeated;
    return element.isSetNum_children() && element.getNum_children() > 0
        ? group(element, insideMap, isRequired, inRepetition)
        : new Node(leaf(element, isRequired, inRepetition), false);
  }

  private FileField leaf(SchemaElement element, boolean required, boolean repeated) {
    FileType type = LeafTypes.of(element);
    shapes.add(new LeafShape(element.getName(), type, required, repeated));
    FileField leaf = field(element, type, List.of(), leaves++);
    return element.getRepetition_type() == FieldRepetitionType.REPEATED
        ? list(element, leaf)
        : leaf;
  }

  private Node group(SchemaElement element, boolean insideMap, boolean required, boolean repeated) {
    boolean isRepeated = element.getRepetition_type() == FieldRepetitionType.REPEATED;
    ConvertedType converted = element.isSetConverted_type() ? element.getConverted_type() : null;
    boolean isMap = converted == ConvertedType.MAP;
    boolean isEntry = insideMap || converted == ConvertedType.MAP_KEY_VALUE;
    int count = element.getNum_children();
    List<FileField> children = new ArrayList<>();
    boolean holdsEntry = false;
    for (int i = 0; i < count; i++) {
      Node child = node(isMap && count == 1, required, repeated);
      children.add(child.field());
      holdsEntry |= child.entry();
    }
    if (element.isSetLogicalType() && element.getLogicalType().isSetVARIANT()) {
      return plain(
          unreadable(element, "variant", "variant columns are not supported by this version"));
    }
    if (isEntry) {
      return entry(element, children, isRepeated);
    }
    if (holdsEntry && count == 1) {
      return plain(renamed(element, children.get(0)));
    }
    if (count > 1 || (converted != ConvertedType.LIST && !isMap && !isRepeated)) {
      FileField struct = field(element, new Supported(Nested.STRUCT, Storage.GROUP), children, -1);
      return plain(isRepeated ? list(element, struct) : struct);
    }
    FileField only = children.get(0);
    return plain(isRepeated ? list(element, only) : renamed(element, only));
  }

  private static Node plain(FileField field) {
    return new Node(field, false);
  }

  /** The repeated group of a map; DuckDB fails on any other shape of it. */
  private static Node entry(SchemaElement element, List<FileField> children, boolean repeated) {
    if (!repeated || children.size() != 2) {
      return plain(
          unreadable(
              element,
              "map",
              "DuckDB reads a map only as one repeated group of key and value and fails on this one"));
    }
    return new Node(
        field(
            element,
            new Supported(Nested.MAP, Storage.GROUP),
            List.of(named("key", children.get(0)), named("value", children.get(1))),
            -1),
        true);
  }

  private static FileField list(SchemaElement element, FileField child) {
    return field(
        element, new Supported(Nested.LIST, Storage.GROUP), List.of(named("element", child)), -1);
  }

  private static FileField unreadable(SchemaElement element, String found, String reason) {
    return field(element, new Unsupported(found, reason), List.of(), -1);
  }

  private static FileField field(
      SchemaElement element, FileType type, List<FileField> children, int leaf) {
    return new FileField(
        element.getName(), type, fieldId(element), presence(element), children, leaf);
  }

  private static FileField named(String name, FileField field) {
    return new FileField(
        name, field.type(), field.fieldId(), field.presence(), field.children(), field.leaf());
  }

  /** The group that only wraps a list or map gives it its name, id and presence. */
  private static FileField renamed(SchemaElement wrapper, FileField inner) {
    return new FileField(
        wrapper.getName(),
        inner.type(),
        fieldId(wrapper),
        presence(wrapper),
        inner.children(),
        inner.leaf());
  }

  private static @Nullable Integer fieldId(SchemaElement element) {
    return element.isSetField_id() ? Integer.valueOf(element.getField_id()) : null;
  }

  private static Presence presence(SchemaElement element) {
    return element.getRepetition_type() == FieldRepetitionType.REQUIRED
        ? Presence.REQUIRED
        : Presence.OPTIONAL;
  }

  private static int children(SchemaElement element) {
    return element.isSetNum_children() ? element.getNum_children() : 0;
  }

  private SchemaElement take() {
    if (next >= elements.size()) {
      throw ParquetErrors.corruptFooter(file, "its schema tree ends too early");
    }
    SchemaElement element = elements.get(next++);
    if (element.isSetNum_children() && element.getNum_children() < 0) {
      throw ParquetErrors.corruptFooter(
          file, "column '%s' has a negative number of children".formatted(element.getName()));
    }
    return element;
  }
}
