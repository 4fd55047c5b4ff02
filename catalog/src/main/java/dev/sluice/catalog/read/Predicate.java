package dev.sluice.catalog.read;

import java.util.List;

/**
 * A condition on rows, with SQL's three-valued meaning: a row matches when it is true, not when it
 * is NULL. Columns are paths of names from the top-level column down through structs, matched
 * without regard to case. NaN is greater than every other float and equal to itself, as in DuckDB.
 */
public sealed interface Predicate {

  /** Matches every row. */
  static Predicate all() {
    return new And(List.of());
  }

  /** {@code column operator literal}. */
  static Predicate compare(String column, Operator operator, Literal literal) {
    return new Comparison(List.of(column), operator, literal);
  }

  /** Both ends included. */
  static Predicate between(List<String> column, Literal low, Literal high) {
    return new And(
        List.of(
            new Comparison(column, Operator.GREATER_OR_EQUAL, low),
            new Comparison(column, Operator.LESS_OR_EQUAL, high)));
  }

  /** Compares a column with a constant. */
  record Comparison(List<String> column, Operator operator, Literal literal) implements Predicate {
    /** Copies the path. */
    public Comparison {
      column = List.copyOf(column);
    }
  }

  /** The column equals one of the constants; no constants match nothing. */
  record In(List<String> column, List<Literal> literals) implements Predicate {
    /** Copies the lists. */
    public In {
      column = List.copyOf(column);
      literals = List.copyOf(literals);
    }
  }

  /** The column is NULL. */
  record IsNull(List<String> column) implements Predicate {
    /** Copies the path. */
    public IsNull {
      column = List.copyOf(column);
    }
  }

  /** The column is not NULL. */
  record IsNotNull(List<String> column) implements Predicate {
    /** Copies the path. */
    public IsNotNull {
      column = List.copyOf(column);
    }
  }

  /** All hold; no parts match everything. */
  record And(List<Predicate> parts) implements Predicate {
    /** Copies the parts. */
    public And {
      parts = List.copyOf(parts);
    }
  }

  /** At least one holds; no parts match nothing. */
  record Or(List<Predicate> parts) implements Predicate {
    /** Copies the parts. */
    public Or {
      parts = List.copyOf(parts);
    }
  }

  /** The part is false (not merely not true). */
  record Not(Predicate part) implements Predicate {}

  /** The six comparisons. */
  enum Operator {
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">=");

    private final String sql;

    Operator(String sql) {
      this.sql = sql;
    }

    /** The SQL spelling. */
    public String sql() {
      return sql;
    }

    /** The operator that holds exactly when this one is false. */
    Operator negated() {
      return switch (this) {
        case EQUAL -> NOT_EQUAL;
        case NOT_EQUAL -> EQUAL;
        case LESS -> GREATER_OR_EQUAL;
        case LESS_OR_EQUAL -> GREATER;
        case GREATER -> LESS_OR_EQUAL;
        case GREATER_OR_EQUAL -> LESS;
      };
    }
  }
}
