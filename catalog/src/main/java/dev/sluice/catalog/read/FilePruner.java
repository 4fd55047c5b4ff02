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
import java.util.LinkedHashSet;
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

  /** False only when surely no row of the file makes the predicate true. */
  boolean mayMatch(FileFacts file) {
    return mayMatch(predicate, file);
  }

  private boolean mayMatch(Predicate part, FileFacts file) {
    return switch (part) {
      case And and -> and.parts().stream().allMatch(each -> mayMatch(each, file));
      case Or or -> or.parts().stream().anyMatch(each -> mayMatch(each, file));
      case Not not -> true;
      case Comparison comparison ->
          mayCompare(
              ResolvedColumn.of(table, comparison.column()),
              comparison.operator(),
              comparison.literal(),
              file);
      case In in -> {
        ResolvedColumn column = ResolvedColumn.of(table, in.column());
        yield in.literals().stream()
            .anyMatch(literal -> mayCompare(column, Operator.EQUAL, literal, file));
      }
      case IsNull isNull -> mayBeNull(ResolvedColumn.of(table, isNull.column()), file);
      case IsNotNull isNotNull -> mayBeValue(ResolvedColumn.of(table, isNotNull.column()), file);
    };
  }

  private boolean mayBeNull(ResolvedColumn column, FileFacts file) {
    Statistics statistics = file.statistics().get(column.column().id());
    return !column.topLevel()
        || !BoundText.isOrdered(column.column().type())
        || statistics == null
        || !statistics.isNullFree(file.recordCount());
  }

  private boolean mayBeValue(ResolvedColumn column, FileFacts file) {
    Statistics statistics = file.statistics().get(column.column().id());
    return !column.topLevel()
        || !BoundText.isOrdered(column.column().type())
        || statistics == null
        || !statistics.isAllNull(file.recordCount());
  }

  private boolean mayCompare(
      ResolvedColumn column, Operator operator, Literal literal, FileFacts file) {
    ColumnType type = column.column().type();
    Set<ColumnType> history = typeHistory.getOrDefault(column.column().id(), Set.of());
    if (!BoundText.isOrdered(type)
        || !history.stream().allMatch(before -> ComparisonDomain.survivesRetype(before, type))) {
      return true;
    }
    Statistics statistics = file.statistics().get(column.column().id());
    if (statistics != null && !statisticsAllow(type, operator, literal, file, statistics)) {
      return false;
    }
    return file.partitions().stream()
        .filter(fact -> fact.columnId() == column.column().id())
        .allMatch(fact -> partitionAllows(type, history.size(), operator, literal, fact));
  }

  private static boolean statisticsAllow(
      ColumnType type, Operator operator, Literal literal, FileFacts file, Statistics statistics) {
    if (statistics.isAllNull(file.recordCount())) {
      return false;
    }
    String min = statistics.min();
    String max = statistics.max();
    boolean mayHoldNan =
        ComparisonDomain.isFloat(type) && !Boolean.FALSE.equals(statistics.containsNan());
    return min == null
        || max == null
        || rangeAllows(type, operator, literal, new Range(min, max, mayHoldNan));
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
