package dev.sluice.worker.cli;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads a condition as a person types it: comparisons, {@code between}, {@code in}, {@code is
 * null}, {@code and}, {@code or}, {@code not}, parentheses. A constant takes the type of the column
 * it is compared with. Not thread-safe; one object per condition.
 */
final class ConditionParser {

  private static final Map<String, Predicate.Operator> OPERATORS =
      Map.of(
          "=", Predicate.Operator.EQUAL,
          "==", Predicate.Operator.EQUAL,
          "<>", Predicate.Operator.NOT_EQUAL,
          "!=", Predicate.Operator.NOT_EQUAL,
          "<", Predicate.Operator.LESS,
          "<=", Predicate.Operator.LESS_OR_EQUAL,
          ">", Predicate.Operator.GREATER,
          ">=", Predicate.Operator.GREATER_OR_EQUAL);

  private final String text;
  private final Table table;
  private final List<ConditionToken> tokens;
  private int at;

  private ConditionParser(String text, Table table) {
    this.text = text;
    this.table = table;
    this.tokens = ConditionToken.split(text);
  }

  /**
   * Parses a condition on a table's rows.
   *
   * @throws CommandException for text that is no condition
   */
  static Predicate parse(String text, Table table) {
    ConditionParser parser = new ConditionParser(text, table);
    Predicate whole = parser.either();
    if (parser.peek().kind() != ConditionToken.Kind.END) {
      throw parser.refused("an operator or the end is required");
    }
    return whole;
  }

  private Predicate either() {
    List<Predicate> parts = new ArrayList<>(List.of(both()));
    while (takeWord("or")) {
      parts.add(both());
    }
    return parts.size() == 1 ? parts.get(0) : new Predicate.Or(parts);
  }

  private Predicate both() {
    List<Predicate> parts = new ArrayList<>(List.of(single()));
    while (takeWord("and")) {
      parts.add(single());
    }
    return parts.size() == 1 ? parts.get(0) : new Predicate.And(parts);
  }

  private Predicate single() {
    if (takeWord("not")) {
      return new Predicate.Not(single());
    }
    if (takeSymbol("(")) {
      Predicate inner = either();
      requireSymbol(")");
      return inner;
    }
    List<String> column = path();
    if (takeWord("is")) {
      boolean negated = takeWord("not");
      requireWord("null");
      return negated ? new Predicate.IsNotNull(column) : new Predicate.IsNull(column);
    }
    boolean negated = takeWord("not");
    if (takeWord("in")) {
      return negated(negated, new Predicate.In(column, constants(column)));
    }
    if (takeWord("between")) {
      Literal low = constant(column);
      requireWord("and");
      return negated(negated, Predicate.between(column, low, constant(column)));
    }
    if (negated) {
      throw refused("'in' or 'between' is required after 'not'");
    }
    Predicate.Operator operator = OPERATORS.get(peek().text());
    if (operator == null || peek().kind() != ConditionToken.Kind.SYMBOL) {
      throw refused("a comparison is required");
    }
    at++;
    return new Predicate.Comparison(column, operator, constant(column));
  }

  private static Predicate negated(boolean negated, Predicate predicate) {
    return negated ? new Predicate.Not(predicate) : predicate;
  }

  private List<String> path() {
    List<String> names = new ArrayList<>();
    do {
      ConditionToken token = peek();
      if (token.kind() != ConditionToken.Kind.WORD && token.kind() != ConditionToken.Kind.NAME) {
        throw refused("a column is required");
      }
      names.add(token.text());
      at++;
    } while (takeSymbol("."));
    return List.copyOf(names);
  }

  private List<Literal> constants(List<String> column) {
    requireSymbol("(");
    List<Literal> constants = new ArrayList<>(List.of(constant(column)));
    while (takeSymbol(",")) {
      constants.add(constant(column));
    }
    requireSymbol(")");
    return constants;
  }

  private Literal constant(List<String> column) {
    ConditionToken token = peek();
    boolean word =
        token.kind() == ConditionToken.Kind.WORD
            && List.of("true", "false").contains(token.text().toLowerCase(Locale.ROOT));
    if (!word
        && token.kind() != ConditionToken.Kind.NUMBER
        && token.kind() != ConditionToken.Kind.TEXT) {
      throw refused("a number, true, false or a text in single quotes is required");
    }
    at++;
    return new Literal(type(column), token.text());
  }

  /** An unknown or nested column is left to the scan, which names the columns that there are. */
  private ColumnType type(List<String> path) {
    List<Column> level = table.columns();
    ColumnType type = ColumnType.Scalar.VARCHAR;
    for (String name : path) {
      Column found =
          level.stream()
              .filter(each -> each.name().equalsIgnoreCase(name))
              .findFirst()
              .orElse(null);
      if (found == null) {
        return ColumnType.Scalar.VARCHAR;
      }
      type = found.type();
      level = found.children();
    }
    return type instanceof ColumnType.Nested ? ColumnType.Scalar.VARCHAR : type;
  }

  private ConditionToken peek() {
    return tokens.get(at);
  }

  private boolean takeWord(String word) {
    ConditionToken token = peek();
    boolean found = token.kind() == ConditionToken.Kind.WORD && token.text().equalsIgnoreCase(word);
    at += found ? 1 : 0;
    return found;
  }

  private boolean takeSymbol(String symbol) {
    ConditionToken token = peek();
    boolean found = token.kind() == ConditionToken.Kind.SYMBOL && token.text().equals(symbol);
    at += found ? 1 : 0;
    return found;
  }

  private void requireWord(String word) {
    if (!takeWord(word)) {
      throw refused("'" + word + "' is required");
    }
  }

  private void requireSymbol(String symbol) {
    if (!takeSymbol(symbol)) {
      throw refused("'" + symbol + "' is required");
    }
  }

  private CommandException refused(String problem) {
    return CommandErrors.badCondition(text, peek().position(), problem);
  }
}
