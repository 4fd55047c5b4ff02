package dev.sluice.catalog.read;

import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.List;
import java.util.stream.Collectors;

/** A condition as a person would type it. */
public final class PredicateText {

  private PredicateText() {}

  /** The text of a condition; {@code true} for the one that every row matches. */
  public static String of(Predicate predicate) {
    return switch (predicate) {
      case Predicate.And and -> joined(and.parts(), " and ", "true");
      case Predicate.Or or -> joined(or.parts(), " or ", "false");
      case Predicate.Not not -> "not (" + of(not.part()) + ")";
      case Predicate.Comparison comparison ->
          String.join(
              " ",
              path(comparison.column()),
              comparison.operator().sql(),
              constant(comparison.literal()));
      case Predicate.In in ->
          in.literals().stream()
              .map(PredicateText::constant)
              .collect(Collectors.joining(", ", path(in.column()) + " in (", ")"));
      case Predicate.IsNull isNull -> path(isNull.column()) + " is null";
      case Predicate.IsNotNull isNotNull -> path(isNotNull.column()) + " is not null";
    };
  }

  private static String joined(List<Predicate> parts, String word, String none) {
    if (parts.isEmpty()) {
      return none;
    }
    return parts.stream()
        .map(part -> isSimple(part) || parts.size() == 1 ? of(part) : "(" + of(part) + ")")
        .collect(Collectors.joining(word));
  }

  private static boolean isSimple(Predicate part) {
    return !(part instanceof Predicate.And) && !(part instanceof Predicate.Or);
  }

  private static String path(List<String> column) {
    return String.join(".", column);
  }

  private static String constant(Literal literal) {
    boolean plain =
        switch (literal.type()) {
          case Decimal decimal -> true;
          case Nested nested -> false;
          case Scalar scalar -> ComparisonDomain.isNumber(scalar) || scalar == Scalar.BOOLEAN;
        };
    return plain ? literal.text() : "'" + literal.text().replace("'", "''") + "'";
  }
}
