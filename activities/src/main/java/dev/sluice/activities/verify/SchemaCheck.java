package dev.sluice.activities.verify;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.parquet.TypeRules;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Nested;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Compares names and types of the source's columns with those that will be published. A type that
 * holds every value of the source's one is no difference: a table keeps its wider types.
 */
final class SchemaCheck {

  static final String NAME = "schema_hash";

  private static final int MOST_IN_WORDS = 5;
  private static final String NONE = "no difference";
  private static final String DESCRIPTION =
      "names and types of the source's columns against those to be published";

  private SchemaCheck() {}

  static CheckResult compare(List<ColumnSpec> source, List<Column> landed, CheckMaker maker) {
    List<String> differences =
        differences(source, landed.stream().map(Column::spec).toList(), "column ");
    String observed =
        differences.isEmpty()
            ? NONE
            : differences.stream().limit(MOST_IN_WORDS).collect(Collectors.joining("; "))
                + (differences.size() > MOST_IN_WORDS
                    ? "; and %d more".formatted(differences.size() - MOST_IN_WORDS)
                    : "");
    return maker.compared(NAME, DESCRIPTION, NONE, observed);
  }

  private static List<String> differences(
      List<ColumnSpec> source, List<ColumnSpec> landed, String path) {
    Map<String, ColumnSpec> left = byName(source);
    Map<String, ColumnSpec> right = byName(landed);
    List<String> differences = new ArrayList<>();
    left.forEach(
        (key, column) -> {
          ColumnSpec other = right.get(key);
          if (other == null) {
            differences.add(path + column.name() + " is only in the source");
          } else {
            differences.addAll(typeDifferences(column, other, path + column.name()));
          }
        });
    right.forEach(
        (key, column) -> {
          if (!left.containsKey(key)) {
            differences.add(path + column.name() + " is only in what was landed");
          }
        });
    return differences;
  }

  private static List<String> typeDifferences(ColumnSpec source, ColumnSpec landed, String path) {
    if (source.type() instanceof Nested && source.type().equals(landed.type())) {
      return differences(source.children(), landed.children(), path + ".");
    }
    return isHeld(landed.type(), source.type())
        ? List.of()
        : List.of(
            "%s is %s in the source and %s in what was landed"
                .formatted(path, source.type().text(), landed.type().text()));
  }

  private static boolean isHeld(ColumnType landed, ColumnType source) {
    return landed.equals(source) || TypeRules.holds(landed, source);
  }

  private static Map<String, ColumnSpec> byName(List<ColumnSpec> columns) {
    Map<String, ColumnSpec> byName = new LinkedHashMap<>();
    columns.forEach(column -> byName.put(column.name().strip().toLowerCase(Locale.ROOT), column));
    return byName;
  }
}
