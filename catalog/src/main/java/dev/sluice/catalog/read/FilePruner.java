package dev.sluice.catalog.read;

import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.BoundValue;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.FileFacts.PartitionFact;
import dev.sluice.catalog.read.FileFacts.Statistics;
import dev.sluice.catalog.read.Predicate.And;
import dev.sluice.catalog.read.Predicate.Comparison;
import dev.sluice.catalog.read.Predicate.In;
import dev.sluice.catalog.read.Predicate.IsNotNull;
import dev.sluice.catalog.read.Predicate.IsNull;
import dev.sluice.catalog.read.Predicate.Not;
import dev.sluice.catalog.read.Predicate.Operator;
import dev.sluice.catalog.read.Predicate.Or;
import dev.sluice.catalog.read.SkipReason.Bounds;
import dev.sluice.catalog.read.SkipReason.Evidence;
import dev.sluice.catalog.read.SkipReason.NoNulls;
import dev.sluice.catalog.read.SkipReason.NothingMatches;
import dev.sluice.catalog.read.SkipReason.OnlyNulls;
import dev.sluice.catalog.read.SkipReason.PartitionValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides which files may hold a matching row (ducklake-format 12). Whatever is unknown keeps the
 * file.
 */
final class FilePruner {

  private final Table table;
  private final Predicate predicate;
  private final Map<Long, Set<ColumnType>> typeHistory;

  /**
   * A pruner.
   *
   * @param typeHistory every type that a column of the predicate ever had, by column id
   */
  FilePruner(Table table, Predicate predicate, Map<Long, Set<ColumnType>> typeHistory) {
    this.table = table;
    this.predicate = NegationNormalForm.of(predicate);
    this.typeHistory = Map.copyOf(typeHistory);
  }

  /** The columns that a predicate names; refuses those that the table does not have. */
  static Set<Long> columnIds(Table table, Predicate predicate) {
    Set<Long> ids = new LinkedHashSet<>();
    resolve(table, predicate).forEach(resolved -> ids.add(resolved.column().id()));
    return ids;
  }

  private static Stream<ResolvedColumn> resolve(Table table, Predicate predicate) {
    return switch (predicate) {
      case And and -> and.parts().stream().flatMap(part -> resolve(table, part));
      case Or or -> or.parts().stream().flatMap(part -> resolve(table, part));
      case Not not -> resolve(table, not.part());
      case Comparison comparison ->
          Stream.of(ResolvedColumn.comparable(table, comparison.column()));
      case In in -> Stream.of(ResolvedColumn.comparable(table, in.column()));
      case IsNull isNull -> Stream.of(ResolvedColumn.of(table, isNull.column()));
      case IsNotNull isNotNull -> Stream.of(ResolvedColumn.of(table, isNotNull.column()));
    };
  }

  /** Why surely no row of the file makes the predicate true; empty when one may. */
  List<SkipReason> ruledOut(FileFacts file) {
    return ruledOut(predicate, file);
  }

  private List<SkipReason> ruledOut(Predicate part, FileFacts file) {
    return switch (part) {
      case And and -> firstRuledOut(and, file);
      case Or or -> allRuledOut(or, file);
      case Not not -> List.of();
      case Comparison comparison ->
          reasons(
              part,
              againstComparison(
                  ResolvedColumn.of(table, comparison.column()),
                  comparison.operator(),
                  comparison.literal(),
                  file));
      case In in -> reasons(part, againstIn(in, file));
      case IsNull isNull ->
          reasons(part, againstNull(ResolvedColumn.of(table, isNull.column()), file));
      case IsNotNull isNotNull ->
          reasons(part, againstValue(ResolvedColumn.of(table, isNotNull.column()), file));
    };
  }

  private static List<SkipReason> reasons(Predicate part, Optional<Evidence> evidence) {
    return evidence.isPresent() ? List.of(new SkipReason(part, evidence.get())) : List.of();
  }

  private List<SkipReason> firstRuledOut(And and, FileFacts file) {
    for (Predicate part : and.parts()) {
      List<SkipReason> reasons = ruledOut(part, file);
      if (!reasons.isEmpty()) {
        return reasons;
      }
    }
    return List.of();
  }

  private List<SkipReason> allRuledOut(Or or, FileFacts file) {
    List<SkipReason> all = new ArrayList<>();
    for (Predicate part : or.parts()) {
      List<SkipReason> reasons = ruledOut(part, file);
      if (reasons.isEmpty()) {
        return List.of();
      }
      all.addAll(reasons);
    }
    return all.isEmpty() ? List.of(new SkipReason(or, new NothingMatches())) : all;
  }

  /** What speaks against the first constant stands for all of them. */
  private Optional<Evidence> againstIn(In in, FileFacts file) {
    ResolvedColumn column = ResolvedColumn.of(table, in.column());
    Optional<Evidence> first = Optional.empty();
    for (Literal literal : in.literals()) {
      Optional<Evidence> evidence = againstComparison(column, Operator.EQUAL, literal, file);
      if (evidence.isEmpty()) {
        return evidence;
      }
      first = first.isEmpty() ? evidence : first;
    }
    return first.isEmpty() ? Optional.of(new NothingMatches()) : first;
  }

  private static Optional<Evidence> againstNull(ResolvedColumn column, FileFacts file) {
    return topLevelStatistics(column, file)
        .filter(statistics -> statistics.isNullFree(file.recordCount()))
        .map(statistics -> new NoNulls());
  }

  private static Optional<Evidence> againstValue(ResolvedColumn column, FileFacts file) {
    return topLevelStatistics(column, file)
        .filter(statistics -> statistics.isAllNull(file.recordCount()))
        .map(statistics -> new OnlyNulls());
  }

  /** Where counts of NULLs can be trusted. */
  private static Optional<Statistics> topLevelStatistics(ResolvedColumn column, FileFacts file) {
    return column.topLevel() && BoundText.isOrdered(column.column().type())
        ? Optional.ofNullable(file.statistics().get(column.column().id()))
        : Optional.empty();
  }

  private Optional<Evidence> againstComparison(
      ResolvedColumn column, Operator operator, Literal literal, FileFacts file) {
    ColumnType type = column.column().type();
    Set<ColumnType> history = typeHistory.getOrDefault(column.column().id(), Set.of());
    if (!BoundText.isOrdered(type)
        || !history.stream().allMatch(before -> ComparisonDomain.survivesRetype(before, type))) {
      return Optional.empty();
    }
    Statistics statistics = file.statistics().get(column.column().id());
    Optional<Evidence> byStatistics =
        statistics == null
            ? Optional.empty()
            : againstStatistics(type, operator, literal, file, statistics);
    if (byStatistics.isPresent()) {
      return byStatistics;
    }
    return file.partitions().stream()
        .filter(fact -> fact.columnId() == column.column().id())
        .filter(fact -> !partitionAllows(type, history.size(), operator, literal, fact))
        .findFirst()
        .map(fact -> new PartitionValue(fact.transform(), fact.value()));
  }

  private static Optional<Evidence> againstStatistics(
      ColumnType type, Operator operator, Literal literal, FileFacts file, Statistics statistics) {
    if (statistics.isAllNull(file.recordCount())) {
      return Optional.of(new OnlyNulls());
    }
    String min = statistics.min();
    String max = statistics.max();
    boolean mayHoldNan =
        ComparisonDomain.isFloat(type) && !Boolean.FALSE.equals(statistics.containsNan());
    return min == null
            || max == null
            || rangeAllows(type, operator, literal, new Range(min, max, mayHoldNan))
        ? Optional.empty()
        : Optional.of(new Bounds(min, max));
  }

  private static boolean partitionAllows(
      ColumnType type, int typesEver, Operator operator, Literal literal, PartitionFact fact) {
    if (fact.value().isEmpty()) {
      // a NULL key of a calendar part may also stand for infinity
      return !fact.transform().text().equals("identity");
    }
    String value = fact.value().get();
    return switch (fact.transform()) {
      case PartitionTransform.Bucket bucket ->
          typesEver > 1
              || operator != Operator.EQUAL
              || PartitionValues.bucketAllows(type, bucket, literal, value);
      case PartitionTransform.Simple simple ->
          simpleAllows(type, typesEver, operator, literal, simple, value);
    };
  }

  private static boolean simpleAllows(
      ColumnType type,
      int typesEver,
      Operator operator,
      Literal literal,
      PartitionTransform.Simple transform,
      String value) {
    return switch (transform) {
      case IDENTITY ->
          PartitionValues.meansNullSomewhere(value)
              || BoundText.isNan(type, value)
              || rangeAllows(type, operator, literal, new Range(value, value, false));
      case YEAR, MONTH, DAY, HOUR ->
          typesEver > 1
              || PartitionValues.calendarAllows(type, transform, operator, literal, value);
    };
  }

  /** Whether a value within the range can stand in that relation to the literal. */
  private static boolean rangeAllows(
      ColumnType type, Operator operator, Literal literal, Range range) {
    if (BoundText.isNan(literal.type(), literal.text())) {
      return switch (operator) {
        case EQUAL, GREATER_OR_EQUAL -> !ComparisonDomain.isFloat(type) || range.mayHoldNan();
        case NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER -> true;
      };
    }
    ComparisonDomain domain = ComparisonDomain.of(type, literal.type());
    Optional<BoundValue> wanted = domain.value(literal.type(), literal.text());
    Optional<BoundValue> low = domain.value(type, range.min());
    Optional<BoundValue> high = domain.value(type, range.max());
    if (wanted.isEmpty() || low.isEmpty() || high.isEmpty()) {
      return true;
    }
    BoundValue value = wanted.get();
    boolean someAtLeast = widerHigh(type, range.max(), high.get()).compareTo(value) >= 0;
    boolean someAbove = widerHigh(type, range.max(), high.get()).compareTo(value) > 0;
    boolean someAtMost = widerLow(type, range.min(), low.get()).compareTo(value) <= 0;
    boolean someBelow = widerLow(type, range.min(), low.get()).compareTo(value) < 0;
    return switch (operator) {
      case EQUAL -> someAtMost && someAtLeast;
      case NOT_EQUAL -> true;
      case LESS -> someBelow;
      case LESS_OR_EQUAL -> someAtMost;
      case GREATER -> someAbove || range.mayHoldNan();
      case GREATER_OR_EQUAL -> someAtLeast || range.mayHoldNan();
    };
  }

  /**
   * The shortest text of a float means another double. Files written before the column was widened
   * carry such bounds, so a double's bound is read both ways and the wider one taken.
   */
  private static BoundValue widerLow(ColumnType type, String text, BoundValue asType) {
    Optional<BoundValue> asFloat = asFloat(type, text);
    return asFloat.isPresent() && asFloat.get().compareTo(asType) < 0 ? asFloat.get() : asType;
  }

  private static BoundValue widerHigh(ColumnType type, String text, BoundValue asType) {
    Optional<BoundValue> asFloat = asFloat(type, text);
    return asFloat.isPresent() && asFloat.get().compareTo(asType) > 0 ? asFloat.get() : asType;
  }

  private static Optional<BoundValue> asFloat(ColumnType type, String text) {
    return type == Scalar.FLOAT64 ? BoundText.parse(Scalar.FLOAT32, text) : Optional.empty();
  }

  private record Range(String min, String max, boolean mayHoldNan) {}
}
