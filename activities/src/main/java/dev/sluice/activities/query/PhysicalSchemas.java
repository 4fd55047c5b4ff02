package dev.sluice.activities.query;

import dev.sluice.activities.query.PhysicalField.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads the schemas of Parquet files as DuckDB sees them. */
final class PhysicalSchemas {

  private PhysicalSchemas() {}

  /** The root of each file's schema, by path; a struct of the file's columns. */
  static Map<String, PhysicalField> read(Connection connection, Collection<String> paths)
      throws SQLException {
    Map<String, List<Element>> elements = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT file_name, name, type, repetition_type, num_children, converted_type,"
                    + " logical_type, field_id, precision, scale FROM parquet_schema("
                    + Sql.literals(paths)
                    + ") ORDER BY file_name, column_id")) {
      while (rows.next()) {
        elements.computeIfAbsent(rows.getString(1), path -> new ArrayList<>()).add(element(rows));
      }
    }
    Map<String, PhysicalField> roots = new HashMap<>();
    elements.forEach((path, ofFile) -> roots.put(path, new Reader(ofFile).root()));
    return roots;
  }

  private static Element element(ResultSet rows) throws SQLException {
    long fieldId = rows.getLong(8);
    OptionalLong id = rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(fieldId);
    String converted = text(rows.getString(6));
    String type =
        String.join(
            "/",
            text(rows.getString(3)),
            converted,
            text(rows.getString(7)),
            text(rows.getString(9)),
            text(rows.getString(10)));
    return new Element(
        rows.getString(2),
        type,
        "REPEATED".equals(rows.getString(4)),
        rows.getInt(5),
        converted.toUpperCase(Locale.ROOT),
        id);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  private record Element(
      String name,
      String type,
      boolean repeated,
      int children,
      String converted,
      OptionalLong fieldId) {}

  /** Walks the flat list, in which every group is followed by its children. */
  private static final class Reader {

    private final List<Element> elements;
    private int next;

    Reader(List<Element> elements) {
      this.elements = elements;
    }

    PhysicalField root() {
      Element root = elements.get(next++);
      return new PhysicalField(
          root.name(), OptionalLong.empty(), Kind.STRUCT, "", children(root.children()));
    }

    private List<PhysicalField> children(int count) {
      List<PhysicalField> children = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        children.add(field());
      }
      return children;
    }

    /** A repeated field outside a LIST or MAP group is a list of what it is. */
    private PhysicalField field() {
      boolean repeated = elements.get(next).repeated();
      PhysicalField single = single();
      return repeated
          ? new PhysicalField(single.name(), single.fieldId(), Kind.LIST, "", List.of(single))
          : single;
    }

    private PhysicalField single() {
      Element element = elements.get(next++);
      if (element.children() == 0) {
        return new PhysicalField(
            element.name(), element.fieldId(), Kind.SCALAR, element.type(), List.of());
      }
      return switch (element.converted()) {
        case "LIST" -> group(element, Kind.LIST, List.of(listElement()));
        case "MAP", "MAP_KEY_VALUE" -> group(element, Kind.MAP, keyAndValue());
        default -> group(element, Kind.STRUCT, children(element.children()));
      };
    }

    /** A repeated group of one field only wraps the element; any other is the element itself. */
    private PhysicalField listElement() {
      Element repeated = elements.get(next);
      if (repeated.children() == 1) {
        next++;
        return field();
      }
      return single();
    }

    private List<PhysicalField> keyAndValue() {
      Element repeated = elements.get(next++);
      return children(repeated.children());
    }

    private static PhysicalField group(Element element, Kind kind, List<PhysicalField> children) {
      return new PhysicalField(element.name(), element.fieldId(), kind, "", children);
    }
  }
}
