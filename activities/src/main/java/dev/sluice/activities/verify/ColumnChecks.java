package dev.sluice.activities.verify;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.query.TableFacts;
import dev.sluice.activities.query.TableFacts.Range;
import dev.sluice.activities.query.TableFacts.Wanted;
import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.PartitionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The checks of depth {@code columns}, beyond names and types. Footers answer where those of both
 * sides know; bounds that differ are settled by reading, since writers may cut them off, and then
 * those that will be registered must enclose what was read.
 */
final class ColumnChecks {

  private static final String NO_VALUE = "none";

  private final FooterFacts source;
  private final FooterFacts landed;
  private final List<Column> columns;
  private final CheckPlan plan;
  private final CheckMaker maker;
  private final List<Column> partitionColumns;
  private final List<Column> keyColumns;

  ColumnChecks(
      CheckPlan plan, Side source, Side landed, List<PartitionKey> partitioning, CheckMaker maker) {
    this.plan = plan;
    this.source = FooterFacts.of(source);
    this.landed = FooterFacts.of(landed);
    this.columns = landed.columns();
    this.maker = maker;
    this.partitionColumns =
        partitioning.stream()
            .flatMap(key -> KeyColumns.find(columns, key.column()).stream())
            .distinct()
            .toList();
    this.keyColumns = KeyColumns.of(plan, columns, partitioning);
  }

  /** What footers leave open. */
  Wanted wanted() {
    List<Column> nulls = new ArrayList<>();
    List<Column> ranges = new ArrayList<>();
    List<Column> distinct = new ArrayList<>();
    List<Column> groups = new ArrayList<>();
    for (Column column : columns) {
      if (source.nulls(column).isEmpty() || landed.nulls(column).isEmpty()) {
        nulls.add(column);
      }
      if (BoundText.isOrdered(column.type()) && rangesOfFooters(column).isEmpty()) {
        ranges.add(column);
      }
    }
    for (Column column : partitionColumns) {
      if (source.groups(column).isEmpty() || landed.groups(column).isEmpty()) {
        groups.add(column);
      }
    }
    for (Column column : keyColumns) {
      if (source.distinct(column).isEmpty() || landed.distinct(column).isEmpty()) {
        distinct.add(column);
      }
    }
    return new Wanted(List.of(), nulls, ranges, distinct, groups);
  }

  /**
   * All results.
   *
   * @param fromSource what reading gave where it was wanted
   * @param fromLanded likewise
   */
  List<CheckResult> results(Wanted wanted, Reading fromSource, Reading fromLanded) {
    List<CheckResult> results = new ArrayList<>();
    for (Column column : columns) {
      results.add(nullCount(column, wanted, fromSource, fromLanded));
      if (BoundText.isOrdered(column.type())) {
        results.addAll(bounds(column, fromSource, fromLanded));
      }
    }
    for (Column column : partitionColumns) {
      results.add(partitionCounts(column, wanted, fromSource, fromLanded));
    }
    for (Column column : keyColumns) {
      results.add(keyCardinality(column, wanted, fromSource, fromLanded));
    }
    for (String name : KeyColumns.unusable(plan, columns)) {
      results.add(
          maker.failed(
              "key_cardinality." + name,
              "distinct values",
              "there is no column %s with values of its own; correct key-columns".formatted(name)));
    }
    return results;
  }

  private CheckResult nullCount(
      Column column, Wanted wanted, Reading fromSource, Reading fromLanded) {
    String name = "null_count." + column.name();
    if (wanted.nulls().contains(column)) {
      return read(
          name,
          "rows that are NULL, by reading",
          fromSource,
          fromLanded,
          facts -> number(facts.nulls(), column));
    }
    return maker.compared(
        name,
        "NULLs by the source's footers against those to be registered",
        source.nulls(column).orElseThrow(),
        landed.nulls(column).orElseThrow());
  }

  private List<CheckResult> bounds(Column column, Reading fromSource, Reading fromLanded) {
    Optional<Range> known = rangesOfFooters(column);
    String min = "min." + column.name();
    String max = "max." + column.name();
    if (known.isPresent()) {
      String description = "%s value by the source's footers against the one to be registered";
      String least = text(known.get().min());
      String greatest = text(known.get().max());
      return List.of(
          maker.compared(min, description.formatted("least"), least, least),
          maker.compared(max, description.formatted("greatest"), greatest, greatest));
    }
    return List.of(
        enclosed(
            read(
                min,
                "least value, by reading",
                fromSource,
                fromLanded,
                facts -> text(range(facts, column).min())),
            column,
            Range::min,
            1),
        enclosed(
            read(
                max,
                "greatest value, by reading",
                fromSource,
                fromLanded,
                facts -> text(range(facts, column).max())),
            column,
            Range::max,
            -1));
  }

  /** A bound that is registered but does not hold would hide rows from filters. */
  private CheckResult enclosed(
      CheckResult read, Column column, Function<Range, @Nullable String> end, int direction) {
    String registered = landed.range(column).map(end).orElse(null);
    String observed = read.observed();
    if (!read.passed() || registered == null || observed == null || observed.equals(NO_VALUE)) {
      return read;
    }
    OptionalInt order = BoundText.compare(column.type(), registered, observed);
    return order.isPresent() && order.getAsInt() * direction > 0
        ? maker.failed(
            read.name(),
            read.description(),
            "the data has %s, but %s is to be registered, which would hide rows from filters"
                .formatted(observed, registered))
        : read;
  }

  private static Range range(TableFacts facts, Column column) {
    return facts.ranges().getOrDefault(column.name(), new Range(null, null));
  }

  private static String number(Map<String, Long> numbers, Column column) {
    return Long.toString(Objects.requireNonNull(numbers.get(column.name()), column.name()));
  }

  private static String text(@Nullable String bound) {
    return bound == null ? NO_VALUE : bound;
  }

  private CheckResult partitionCounts(
      Column column, Wanted wanted, Reading fromSource, Reading fromLanded) {
    String name = "partition_counts." + column.name();
    if (!wanted.groups().contains(column)) {
      return PartitionCounts.compare(
          name,
          plan.tolerance(name),
          source.groups(column).orElseThrow(),
          landed.groups(column).orElseThrow());
    }
    TableFacts expected = fromSource.facts();
    TableFacts observed = fromLanded.facts();
    return expected == null || observed == null
        ? failed(name, PartitionCounts.DESCRIPTION, fromSource, fromLanded)
        : PartitionCounts.compare(
            name,
            plan.tolerance(name),
            expected.groups().getOrDefault(column.name(), Map.of()),
            observed.groups().getOrDefault(column.name(), Map.of()));
  }

  private CheckResult keyCardinality(
      Column column, Wanted wanted, Reading fromSource, Reading fromLanded) {
    String name = "key_cardinality." + column.name();
    String description = "distinct values, NULL aside";
    if (wanted.distinct().contains(column)) {
      return read(
          name, description, fromSource, fromLanded, facts -> number(facts.distinct(), column));
    }
    return maker.compared(
        name,
        description,
        source.distinct(column).orElseThrow(),
        landed.distinct(column).orElseThrow());
  }

  private CheckResult read(
      String name,
      String description,
      Reading fromSource,
      Reading fromLanded,
      Function<TableFacts, String> value) {
    TableFacts expected = fromSource.facts();
    TableFacts observed = fromLanded.facts();
    return expected == null || observed == null
        ? failed(name, description, fromSource, fromLanded)
        : maker.compared(name, description, value.apply(expected), value.apply(observed));
  }

  private CheckResult failed(
      String name, String description, Reading fromSource, Reading fromLanded) {
    String error = fromSource.error() == null ? fromLanded.error() : fromSource.error();
    return maker.failed(name, description, String.valueOf(error));
  }

  /** Bounds that the footers of both sides agree on. */
  private Optional<Range> rangesOfFooters(Column column) {
    Optional<Range> ofSource = source.range(column);
    return ofSource.isPresent() && ofSource.equals(landed.range(column))
        ? ofSource
        : Optional.empty();
  }
}
