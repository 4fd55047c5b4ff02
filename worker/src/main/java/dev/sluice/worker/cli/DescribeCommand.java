package dev.sluice.worker.cli;

import dev.sluice.activities.query.ScanRequest;
import dev.sluice.activities.query.SqlType;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanPlan;
import dev.sluice.worker.wiring.Connections;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Describes a table: its columns, its layout and how much it holds. */
@Command(
    name = "describe",
    mixinStandardHelpOptions = true,
    description = {
      "Describe a table, as it is now or was at a snapshot: columns, partitioning, order, size.",
      "Files that lost rows are opened to count the rest; the others count as the catalog says."
    },
    footer = {
      "",
      "Examples:",
      "  ./sluice describe SCHEMA TABLE",
      "  ./sluice describe SCHEMA.TABLE at 3 --json"
    })
final class DescribeCommand extends LakeReadingCommand {

  @Mixin private TableWords words = new TableWords();

  @Override
  Answer answer(Connections connections, String lake) {
    WordArguments arguments = words.read("describe");
    CatalogReader reader = connections.require(lake).catalog().reader();
    TableAtSnapshot found = TableAtSnapshot.of(reader, arguments.table(), words.at(arguments));
    Table table = found.table();
    ScanPlan plan = reader.plan(found.snapshot(), table, Predicate.all());
    long rows = connections.scanner(lake).count(ScanRequest.all(table.name(), found.snapshot()));
    FileTotals totals = FileTotals.of(plan);
    List<String> sorted = found.view().sortKeys(table).stream().map(SortKey::sql).toList();
    List<String> keys = PartitionText.keys(table.partitioning());
    String comment = found.view().comment(table).orElse(null);

    Map<String, @Nullable Object> tree = found.tree();
    tree.put("path", table.path());
    tree.put("comment", comment);
    tree.put("columns", table.columns().stream().map(each -> tree(found, each)).toList());
    tree.put("partitionedBy", keys);
    tree.put("sortedBy", sorted);
    tree.put("rows", rows);
    totals.into(tree);
    return new Answer(tree, lines(found, comment, keys, sorted, rows, totals));
  }

  private static List<String> lines(
      TableAtSnapshot found,
      @Nullable String comment,
      List<String> keys,
      List<String> sorted,
      long rows,
      FileTotals totals) {
    List<String> lines = new ArrayList<>();
    lines.add("%s at snapshot %d".formatted(found.table().name(), found.snapshot().id()));
    if (comment != null) {
      lines.add(comment);
    }
    lines.add("rows            " + rows);
    lines.addAll(totals.lines());
    lines.add("partitioned by  " + (keys.isEmpty() ? "-" : String.join(", ", keys)));
    lines.add("sorted by       " + (sorted.isEmpty() ? "-" : String.join(", ", sorted)));
    lines.add("");
    TextTable columns = new TextTable("COLUMN", "TYPE", "NULL", "DEFAULT", "COMMENT");
    for (Column column : found.table().columns()) {
      columns.row(
          column.name(),
          SqlType.of(column),
          column.nulls() == Nulls.ALLOWED ? "yes" : "no",
          column.defaultValue(),
          found.view().columnComment(found.table(), column.id()).orElse(null));
    }
    lines.addAll(columns.lines());
    return lines;
  }

  private static Map<String, @Nullable Object> tree(TableAtSnapshot found, Column column) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("id", column.id());
    tree.put("name", column.name());
    tree.put("type", SqlType.of(column));
    tree.put("nullable", column.nulls() == Nulls.ALLOWED);
    tree.put("default", column.defaultValue());
    tree.put("defaultOfOlderRows", column.initialDefault());
    tree.put("comment", found.view().columnComment(found.table(), column.id()).orElse(null));
    if (column.type() instanceof Nested) {
      tree.put(
          "children",
          column.children().stream().map(child -> tree(found, child)).collect(Collectors.toList()));
    }
    return tree;
  }
}
