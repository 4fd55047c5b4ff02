package dev.sluice.activities.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.Predicate.Comparison;
import dev.sluice.catalog.read.Predicate.Operator;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a SELECT's WHERE says of one of the tables it reads from, as far as it can leave files out:
 * comparisons of a column with a constant, joined by AND and OR. All of these are not true of NULL,
 * so it makes no difference whether an outer join fills the row up or finds it.
 *
 * @param name how the SELECT calls the table
 * @param alone whether it reads from nothing else, so that a bare name is a column of the table
 * @param where the condition as DuckDB's parser gives it
 */
record TableCondition(String name, boolean alone, JsonNode where) {

  private static final Map<String, Operator> OPERATORS =
      Map.of(
          "COMPARE_EQUAL", Operator.EQUAL,
          "COMPARE_LESSTHAN", Operator.LESS,
          "COMPARE_LESSTHANOREQUALTO", Operator.LESS_OR_EQUAL,
          "COMPARE_GREATERTHAN", Operator.GREATER,
          "COMPARE_GREATERTHANOREQUALTO", Operator.GREATER_OR_EQUAL);

  private static final Map<Operator, Operator> TURNED_ROUND =
      Map.of(
          Operator.EQUAL, Operator.EQUAL,
          Operator.LESS, Operator.GREATER,
          Operator.LESS_OR_EQUAL, Operator.GREATER_OR_EQUAL,
          Operator.GREATER, Operator.LESS,
          Operator.GREATER_OR_EQUAL, Operator.LESS_OR_EQUAL);

  /**
   * Of more digits DuckDB's way from a decimal to a double may differ from ours in the last bit.
   */
  private static final int DIGITS_OF_DOUBLE = 15;

  /**
   * What rows of the table must fulfil to matter to the SELECT; everything when that is unknown.
   */
  Predicate of(Table table) {
    return predicate(where, table).orElse(Predicate.all());
  }

  private Optional<Predicate> predicate(JsonNode node, Table table) {
    return switch (node.path("type").asText()) {
      case "CONJUNCTION_AND" -> {
        List<Predicate> parts = new ArrayList<>();
        node.path("children").forEach(child -> predicate(child, table).ifPresent(parts::add));
        yield parts.isEmpty() ? Optional.empty() : Optional.of(new Predicate.And(parts));
      }
      case "CONJUNCTION_OR" -> all(node.path("children"), table).map(Predicate.Or::new);
      case "COMPARE_EQUAL",
          "COMPARE_LESSTHAN",
          "COMPARE_LESSTHANOREQUALTO",
          "COMPARE_GREATERTHAN",
          "COMPARE_GREATERTHANOREQUALTO" ->
          comparison(node, table);
      case "COMPARE_BETWEEN" -> between(node, table);
      case "COMPARE_IN" -> in(node.path("children"), table);
      default -> Optional.empty();
    };
  }

  /** Of an OR every part has to be known. */
  private Optional<List<Predicate>> all(JsonNode children, Table table) {
    List<Predicate> parts = new ArrayList<>();
    for (JsonNode child : children) {
      Optional<Predicate> part = predicate(child, table);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      parts.add(part.get());
    }
    return Optional.of(parts);
  }

  private Optional<Predicate> comparison(JsonNode node, Table table) {
    Operator operator = OPERATORS.get(node.path("type").asText());
    return operator == null
        ? Optional.empty()
        : comparison(node.path("left"), operator, node.path("right"), table)
            .or(
                () ->
                    comparison(
                        node.path("right"),
                        TURNED_ROUND.getOrDefault(operator, operator),
                        node.path("left"),
                        table));
  }

  private Optional<Predicate> comparison(
      JsonNode left, Operator operator, JsonNode right, Table table) {
    return column(left, table)
        .flatMap(
            column ->
                literal(right, column)
                    .map(literal -> new Comparison(List.of(column.name()), operator, literal)));
  }

  private Optional<Predicate> between(JsonNode node, Table table) {
    Optional<Predicate> low =
        comparison(node.path("input"), Operator.GREATER_OR_EQUAL, node.path("lower"), table);
    Optional<Predicate> high =
        comparison(node.path("input"), Operator.LESS_OR_EQUAL, node.path("upper"), table);
    return low.isPresent() && high.isPresent()
        ? Optional.of(new Predicate.And(List.of(low.get(), high.get())))
        : low.or(() -> high);
  }

  /** The first child is what is looked for among the others. */
  private Optional<Predicate> in(JsonNode children, Table table) {
    Optional<Column> column = column(children.path(0), table);
    if (column.isEmpty()) {
      return Optional.empty();
    }
    List<Literal> literals = new ArrayList<>();
    for (int i = 1; i < children.size(); i++) {
      Optional<Literal> literal = literal(children.path(i), column.get());
      if (literal.isEmpty()) {
        return Optional.empty();
      }
      literals.add(literal.get());
    }
    return Optional.of(new Predicate.In(List.of(column.get().name()), literals));
  }

  private Optional<Column> column(JsonNode node, Table table) {
    JsonNode names = node.path("column_names");
    boolean ours =
        node.path("type").asText().equals("COLUMN_REF")
            && (names.size() == 1
                ? alone
                : names.size() == 2 && names.path(0).asText().equalsIgnoreCase(name));
    return ours
        ? table.columns().stream()
            .filter(column -> column.name().equalsIgnoreCase(names.path(names.size() - 1).asText()))
            .findFirst()
        : Optional.empty();
  }

  /** The constant in the type that DuckDB gives it beside the column, where that is sure. */
  private static Optional<Literal> literal(JsonNode node, Column column) {
    ColumnType type = column.type();
    if (type instanceof Nested) {
      return Optional.empty();
    }
    JsonNode cast = node.path("cast_type").path("id");
    if (node.path("type").asText().equals("OPERATOR_CAST")) {
      JsonNode text = node.path("child");
      return switch (cast.asText()) {
        case "DATE" -> text(text).map(value -> new Literal(Scalar.DATE, value));
        case "TIMESTAMP" -> text(text).map(value -> new Literal(Scalar.TIMESTAMP, value));
        default -> Optional.empty();
      };
    }
    if (!node.path("type").asText().equals("VALUE_CONSTANT")) {
      return Optional.empty();
    }
    // a text takes the column's type
    return text(node)
        .map(value -> new Literal(type, value))
        .or(() -> type == Scalar.FLOAT32 ? Optional.empty() : number(node.path("value"), type));
  }

  private static Optional<String> text(JsonNode node) {
    JsonNode value = node.path("value");
    return node.path("type").asText().equals("VALUE_CONSTANT")
            && value.path("type").path("id").asText().equals("VARCHAR")
            && value.path("value").isTextual()
        ? Optional.of(value.path("value").asText())
        : Optional.empty();
  }

  private static Optional<Literal> number(JsonNode value, ColumnType column) {
    JsonNode number = value.path("value");
    JsonNode info = value.path("type").path("type_info");
    return switch (value.path("type").path("id").asText()) {
      case "INTEGER", "BIGINT" ->
          number.canConvertToLong()
              ? Optional.of(new Literal(Scalar.INT64, number.asText()))
              : Optional.empty();
      case "DECIMAL" -> {
        int width = info.path("width").asInt();
        int scale = info.path("scale").asInt();
        boolean exact =
            number.canConvertToLong() && (column != Scalar.FLOAT64 || width <= DIGITS_OF_DOUBLE);
        yield exact
            ? Optional.of(
                new Literal(
                    new Decimal(width, scale),
                    BigDecimal.valueOf(number.asLong(), scale).toPlainString()))
            : Optional.empty();
      }
      case "DOUBLE" ->
          number.isNumber()
              ? Optional.of(new Literal(Scalar.FLOAT64, Double.toString(number.asDouble())))
              : Optional.empty();
      default -> Optional.empty();
    };
  }
}
