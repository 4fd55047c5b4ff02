package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_FILE_COLUMN_STATS;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.or;

import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.Predicate.And;
import dev.sluice.catalog.read.Predicate.Comparison;
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

  private static final Field<String> LOW = DUCKLAKE_FILE_COLUMN_STATS.MIN_VALUE;
  private static final Field<String> HIGH = DUCKLAKE_FILE_COLUMN_STATS.MAX_VALUE;
  private static final Field<Long> FILE = field(name("data_file_id"), Long.class);

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
      // EXCEPT is one pass by hash or order, whatever the database knows or not of the tables
      left = left.except(ruledOut(dsl, ofColumn.getKey(), ofColumn.getValue()));
    }
    List<Long> ids =
        dsl.select(FILE).from(left.asTable("left_over")).limit(MOST + 1).fetch(Record1::value1);
    return ids.size() > MOST ? Optional.empty() : Optional.of(ids);
  }

  private Select<Record1<Long>> ruledOut(DSLContext dsl, long columnId, List<RuledOut> parts) {
    // of one column and thus of one spelling
    BoundSpelling spelling = parts.get(0).spelling();
    return dsl.select(DUCKLAKE_FILE_COLUMN_STATS.DATA_FILE_ID)
        .from(DUCKLAKE_FILE_COLUMN_STATS)
        .where(DUCKLAKE_FILE_COLUMN_STATS.TABLE_ID.eq(table.id()))
        .and(DUCKLAKE_FILE_COLUMN_STATS.COLUMN_ID.eq(columnId))
        .and(
            // CASE alone keeps PostgreSQL from casting before it has looked
            condition(
                "CASE WHEN {0} THEN {1} END",
                // one bound alone is none, as the pruner has it: a writer that got one wrong got
                // both
                spelling.isReadable(LOW).and(spelling.isReadable(HIGH)),
                or(parts.stream().map(RuledOut::outside).toList())));
  }

  /** What a comparison rules out, given that both bounds are spelled so. */
  private record RuledOut(BoundSpelling spelling, Condition outside) {}

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
    // of one type all along: texts written as another would be spelled otherwise
    boolean oneType = domain == ComparisonDomain.SAME && Set.of(type).containsAll(history);
    return BoundSpelling.of(type)
        .filter(spelling -> spelling == BoundSpelling.NUMBER ? exact : oneType)
        .flatMap(
            spelling ->
                BoundText.parse(literal.type(), literal.text())
                    .flatMap(spelling::constant)
                    .flatMap(value -> outside(comparison.operator(), spelling, value))
                    .map(outside -> new RuledOut(spelling, outside)));
  }

  private static Optional<Condition> outside(
      Predicate.Operator operator, BoundSpelling spelling, Field<?> value) {
    Field<?> low = spelling.value(LOW);
    Field<?> high = spelling.value(HIGH);
    return switch (operator) {
      case EQUAL -> Optional.of(condition("{0} > {2} OR {1} < {2}", low, high, value));
      case LESS -> Optional.of(condition("{0} >= {1}", low, value));
      case LESS_OR_EQUAL -> Optional.of(condition("{0} > {1}", low, value));
      case GREATER -> Optional.of(condition("{0} <= {1}", high, value));
      case GREATER_OR_EQUAL -> Optional.of(condition("{0} < {1}", high, value));
      case NOT_EQUAL -> Optional.empty();
    };
  }
}
