package dev.sluice.activities.verify;

import dev.sluice.activities.query.TableFacts.Range;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.LeafStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is known of a side without reading its rows; unknown as soon as one file does not say it.
 * Goes over the files once for all columns.
 */
final class FooterFacts {

  private final Side side;
  private final Map<String, FooterColumn> columns = new HashMap<>();

  private FooterFacts(Side side) {
    this.side = side;
  }

  static FooterFacts of(Side side) {
    FooterFacts facts = new FooterFacts(side);
    side.columns()
        .forEach(column -> facts.columns.put(column.name(), new FooterColumn(column.type())));
    side.files().forEach(facts::add);
    return facts;
  }

  private void add(Side.Part part) {
    Map<String, List<LeafStatistics>> leaves =
        part.statistics().stream().collect(Collectors.groupingBy(leaf -> leaf.column().get(0)));
    for (Column column : side.columns()) {
      FooterColumn known = known(column);
      List<LeafStatistics> ofColumn = leaves.getOrDefault(column.name(), List.of());
      Optional<Optional<String>> constant = constant(part, column);
      if (!part.file().isWhole()) {
        known.addUnknown();
      } else if (!ofColumn.isEmpty()) {
        known.addLeaves(ofColumn);
      } else if (constant.isPresent()) {
        known.addConstant(constant.get().orElse(null), part.file().rows());
      } else {
        known.addUnknown();
      }
    }
  }

  private FooterColumn known(Column column) {
    return Objects.requireNonNull(columns.get(column.name()), column.name());
  }

  /**
   * How many NULLs the column's leaves have: of a scalar, the rows that are NULL; of a nested
   * column, whatever makes a NULL in one of its leaves.
   */
  OptionalLong nulls(Column column) {
    return known(column).nulls();
  }

  /** Bounds of a scalar column. */
  Optional<Range> range(Column column) {
    return known(column).range();
  }

  /** Rows per value, when every file has one value; days for dates and times. */
  Optional<Map<Optional<String>, Long>> groups(Column column) {
    Map<Optional<String>, Long> groups = new HashMap<>();
    for (Side.Part part : side.files()) {
      Optional<String> value = part.partition().get(column.name());
      if (value == null || !part.file().isWhole()) {
        return Optional.empty();
      }
      groups.merge(
          value.map(text -> Days.dayOf(column.type(), text)), part.file().rows(), Math::addExact);
    }
    return Optional.of(groups);
  }

  /** How many different values there are, NULL aside, when every file has one value. */
  OptionalLong distinct(Column column) {
    Set<String> values = new HashSet<>();
    for (Side.Part part : side.files()) {
      Optional<String> value = part.partition().get(column.name());
      if (value == null || !part.file().isWhole()) {
        return OptionalLong.empty();
      }
      value.ifPresent(values::add);
    }
    return OptionalLong.of(values.size());
  }

  /** The value of all rows of a file that does not hold the column; empty when it may hold it. */
  private static Optional<Optional<String>> constant(Side.Part part, Column column) {
    Optional<String> value = part.partition().get(column.name());
    if (value != null) {
      return Optional.of(value);
    }
    return isMissing(part, column) && column.initialDefault() == null
        ? Optional.of(Optional.empty())
        : Optional.empty();
  }

  private static boolean isMissing(Side.Part part, Column column) {
    return !part.file().values().containsKey(column.name())
        && switch (part.file().mapping()) {
          case FileMapping.ByFieldId byId -> false;
          case FileMapping.ByName(List<FileMapping.MappedField> fields) ->
              fields.stream().noneMatch(field -> field.targetName().equals(column.name()));
        };
  }
}
