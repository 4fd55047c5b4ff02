package dev.sluice.catalog.read;

import dev.sluice.catalog.read.Predicate.And;
import dev.sluice.catalog.read.Predicate.Comparison;
import dev.sluice.catalog.read.Predicate.In;
import dev.sluice.catalog.read.Predicate.IsNotNull;
import dev.sluice.catalog.read.Predicate.IsNull;
import dev.sluice.catalog.read.Predicate.Not;
import dev.sluice.catalog.read.Predicate.Operator;
import dev.sluice.catalog.read.Predicate.Or;
import java.util.List;

/**
 * Moves every NOT down to the comparisons, where it becomes the opposite operator. This keeps SQL's
 * meaning: where the comparison is NULL, its opposite is NULL too.
 */
final class NegationNormalForm {

  private NegationNormalForm() {}

  static Predicate of(Predicate predicate) {
    return switch (predicate) {
      case And and -> new And(and.parts().stream().map(NegationNormalForm::of).toList());
      case Or or -> new Or(or.parts().stream().map(NegationNormalForm::of).toList());
      case Not not -> negated(not.part());
      case Comparison comparison -> comparison;
      case In in -> in;
      case IsNull isNull -> isNull;
      case IsNotNull isNotNull -> isNotNull;
    };
  }

  private static Predicate negated(Predicate predicate) {
    return switch (predicate) {
      case And and -> new Or(and.parts().stream().map(NegationNormalForm::negated).toList());
      case Or or -> new And(or.parts().stream().map(NegationNormalForm::negated).toList());
      case Not not -> of(not.part());
      case Comparison comparison ->
          new Comparison(
              comparison.column(), comparison.operator().negated(), comparison.literal());
      case In in -> new And(notEqual(in));
      case IsNull isNull -> new IsNotNull(isNull.column());
      case IsNotNull isNotNull -> new IsNull(isNotNull.column());
    };
  }

  private static List<Predicate> notEqual(In in) {
    return in.literals().stream()
        .<Predicate>map(literal -> new Comparison(in.column(), Operator.NOT_EQUAL, literal))
        .toList();
  }
}
