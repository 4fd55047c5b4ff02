package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_FILE_COLUMN_STATS;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.or;
import static org.jooq.impl.DSL.val;

import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.BoundValue;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.Predicate.And;
import dev.sluice.catalog.read.Predicate.Comparison;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.Select;

/**
 * Leaves most files of a large table out inside the database, so that a query for few of them does
 * not fetch all of them. Never leaves out what {@link FilePruner} would keep: it looks at fewer
 * types and operators, and whatever it cannot read keeps the file.
 */
final class CandidateFiles {

  /** Below, fetching all of them is as fast. */
  static final int WORTH_IT = 1_000;

  /** Above, the ids alone are as much as the files. */
  private static final int MOST = 10_000;

  private static final String LOW = "low";
  private static final String HIGH = "high";
  private static final Field<Long> FILE = field(name("data_file_id"), Long.class);
  private static final String NUMBER = "^-?[0-9]{1,38}(\\.[0-9]{1,38})?$";
  private static final String DATE = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";
  private static final String TIMESTAMP =
      "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6})?$";

  private final Table table;
  private final Map<Long, Set<ColumnType>> typeHistory;
  private final int fewest;

  /**
   * Candidates of a table.
   *
   * @param typeHistory every type that a column of the predicate ever had, by column id
   * @param fewest files that must be live for it to be worth it
   */
  CandidateFiles(Table table, Map<Long, Set<ColumnType>> typeHistory, int fewest) {
    this.table = table;
    this.fewest = fewest;
    this.typeHistory = Map.copyOf(typeHistory);
  }

  /**
   * Finds the files that may hold a matching row.
   *
   * @param live files that the snapshot sees
   * @param isLive which those are
   * @return their ids; empty when leaving files out here is not worth it, or cannot be done
   */
  Optional<List<Long>> find(DSLContext dsl, int live, Condition isLive, Predicate predicate) {
    Map<Long, List<RuledOut>> ruledOut = new LinkedHashMap<>();
    conjuncts(NegationNormalForm.of(predicate))
        .forEach(
            part -> {
              Column column = ResolvedColumn.of(table, part.column()).column();
              ruledOut(column, part)
                  .ifPresent(
                      found ->
                          ruledOut
                              .computeIfAbsent(column.id(), id -> new ArrayList<>())
                              .add(found));
            });
    if (live < fewest || ruledOut.isEmpty()) {
      return Optional.empty();
    }
    Select<Record1<Long>> left =
        dsl.select(DUCKLAKE_DATA_FILE.DATA_FILE_ID).from(DUCKLAKE_DATA_FILE).where(isLive);
    for (Map.Entry<Long, List<RuledOut>> ofColumn : ruledOut.entrySet()) {
      // EXCEPT is one pass by hash, whatever the database knows or does not know of the tables
      left = left.except(ruledOut(dsl, ofColumn.getKey(), ofColumn.getValue()));
    }
    List<Long> ids =
        dsl.select(FILE).from(left.asTable("left_over")).limit(MOST + 1).fetch(Record1::value1);
    return ids.size() > MOST ? Optional.empty() : Optional.of(ids);
  }

  private Select<Record1<Long>> ruledOut(DSLContext dsl, long columnId, List<RuledOut> parts) {
    // of one column and thus of one reading; OFFSET keeps it from being read for each mention
    Reading reading = parts.get(0).reading();
    return dsl.select(FILE)
        .from(
            dsl.select(
                    DUCKLAKE_FILE_COLUMN_STATS.DATA_FILE_ID,
                    reading.of(DUCKLAKE_FILE_COLUMN_STATS.MIN_VALUE).as(LOW),
                    reading.of(DUCKLAKE_FILE_COLUMN_STATS.MAX_VALUE).as(HIGH))
                .from(DUCKLAKE_FILE_COLUMN_STATS)
                .where(DUCKLAKE_FILE_COLUMN_STATS.TABLE_ID.eq(table.id()))
                .and(DUCKLAKE_FILE_COLUMN_STATS.COLUMN_ID.eq(columnId))
                .offset(0)
                .asTable("bounds"))
        // one bound alone is none, as the pruner has it: a writer that got one wrong got both
        .where(field(name(LOW)).isNotNull())
        .and(field(name(HIGH)).isNotNull())
        .and(or(parts.stream().map(RuledOut::outside).toList()));
  }

  /** What a comparison rules out, given both bounds as they are read. */
  private record RuledOut(Reading reading, Condition outside) {}

  private static Stream<Comparison> conjuncts(Predicate predicate) {
    return switch (predicate) {
      case And and -> and.parts().stream().flatMap(CandidateFiles::conjuncts);
      case Comparison comparison -> Stream.of(comparison);
      case Predicate.In in -> Stream.empty();
      case Predicate.IsNull isNull -> Stream.empty();
      case Predicate.IsNotNull isNotNull -> Stream.empty();
      case Predicate.Or or -> Stream.empty();
      case Predicate.Not not -> Stream.empty();
    };
  }

  /** When a file's bounds say that none of its rows is in that relation. */
  private Optional<RuledOut> ruledOut(Column column, Comparison comparison) {
    ColumnType type = column.type();
    Literal literal = comparison.literal();
    Set<ColumnType> history = typeHistory.getOrDefault(column.id(), Set.of());
    boolean comparable =
        BoundText.isOrdered(type)
            && history.stream().allMatch(before -> ComparisonDomain.survivesRetype(before, type));
    if (!comparable) {
      return Optional.empty();
    }
    ComparisonDomain domain = ComparisonDomain.of(type, literal.type());
    boolean exact = domain == ComparisonDomain.SAME || domain == ComparisonDomain.EXACT;
    Optional<BoundValue> value = BoundText.parse(literal.type(), literal.text());
    if (exact
        && isNumber(type)
        && value.isPresent()
        && value.get() instanceof BoundValue.Exact number) {
      return outside(comparison.operator(), inline(number.number()))
          .map(outside -> new RuledOut(CandidateFiles::number, outside));
    }
    // of one type all along: texts written as another would be spelled otherwise
    boolean oneType = domain == ComparisonDomain.SAME && Set.of(type).containsAll(history);
    return oneType ? form(type).flatMap(form -> inForm(comparison, form)) : Optional.empty();
  }

  /** Which texts of the type are in order as texts. */
  private static Optional<String> form(ColumnType type) {
    if (type == Scalar.DATE) {
      return Optional.of(DATE);
    }
    return type == Scalar.TIMESTAMP ? Optional.of(TIMESTAMP) : Optional.empty();
  }

  private static Optional<RuledOut> inForm(Comparison comparison, String form) {
    String text = comparison.literal().text();
    return text.matches(form)
        ? outside(comparison.operator(), val(text))
            .map(outside -> new RuledOut(bound -> text(bound, form), outside))
        : Optional.empty();
  }

  /** How a bound's text is read in the database; NULL where it cannot be. */
  private interface Reading {
    Field<?> of(Field<String> bound);
  }

  private static <T> Optional<Condition> outside(Predicate.Operator operator, Field<T> value) {
    Field<T> low = field(name(LOW), value.getType());
    Field<T> high = field(name(HIGH), value.getType());
    return switch (operator) {
      case EQUAL -> Optional.of(low.gt(value).or(high.lt(value)));
      case LESS -> Optional.of(low.ge(value));
      case LESS_OR_EQUAL -> Optional.of(low.gt(value));
      case GREATER -> Optional.of(high.le(value));
      case GREATER_OR_EQUAL -> Optional.of(high.lt(value));
      case NOT_EQUAL -> Optional.empty();
    };
  }

  /** NULL where the text is none, which rules nothing out. */
  private static Field<BigDecimal> number(Field<String> bound) {
    return field(
        "CASE WHEN {0} ~ {1} THEN {0}::numeric END", BigDecimal.class, bound, inline(NUMBER));
  }

  private static Field<String> text(Field<String> bound, String form) {
    return field(
        "CASE WHEN {0} ~ {1} THEN {0} END COLLATE \"C\"", String.class, bound, inline(form));
  }

  private static boolean isNumber(ColumnType type) {
    return switch (type) {
      case Decimal decimal -> true;
      case ColumnType.Nested nested -> false;
      case Scalar scalar ->
          switch (scalar) {
            case INT8, INT16, INT32, INT64, INT128, UINT8, UINT16, UINT32, UINT64, UINT128 -> true;
            default -> false;
          };
    };
  }
}
