package dev.sluice.worker.cli;

import dev.sluice.catalog.Schema;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.View;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.CatalogView;
import dev.sluice.catalog.read.TableTotals;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.workflows.naming.ByteText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists schemas with their tables and views. */
@Command(
    name = "tables",
    mixinStandardHelpOptions = true,
    description = "List schemas, tables and views, as they are now or were at a snapshot.",
    footer = {
      "",
      "Examples:",
      "  ./sluice tables",
      "  ./sluice tables insights_data_imports_team_1 --at 3 --json"
    })
final class TablesCommand extends LakeReadingCommand {

  @Parameters(arity = "0..1", paramLabel = "SCHEMA", description = "Only this schema.")
  private @Nullable String only;

  @Option(
      names = "--at",
      paramLabel = "SNAPSHOT",
      description = "A snapshot's number, or a time such as 2026-07-01T12:00:00Z.")
  private @Nullable String at;

  @Override
  Answer answer(Connections connections, String lake) {
    CatalogReader reader = connections.require(lake).catalog().reader();
    Snapshot snapshot = SnapshotArgument.resolve(reader, at);
    CatalogView view = reader.view(snapshot);
    if (only != null && view.findSchema(only).isEmpty()) {
      throw CommandErrors.noSchema(only, snapshot, view.schemas());
    }
    Map<Long, TableTotals> totals = reader.totals(snapshot);
    TextTable text = new TextTable("SCHEMA", "NAME", "KIND", "COLUMNS", "FILES", "SIZE", "COMMENT");
    List<Object> trees = new ArrayList<>();
    for (Schema schema : view.schemas()) {
      if (only == null || schema.name().equalsIgnoreCase(only)) {
        List<Map<String, @Nullable Object>> relations = relations(view, schema, totals);
        relations.forEach(relation -> row(text, schema, relation));
        if (relations.isEmpty()) {
          text.row(schema.name(), null, null, null, null, null, null);
        }
        trees.add(Map.of("schema", schema.name(), "relations", relations));
      }
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("lake", lake);
    tree.put("snapshot", snapshot.id());
    tree.put("schemas", trees);
    return new Answer(tree, text.lines());
  }

  private static List<Map<String, @Nullable Object>> relations(
      CatalogView view, Schema schema, Map<Long, TableTotals> totals) {
    List<Map<String, @Nullable Object>> relations = new ArrayList<>();
    for (Table table : view.tables()) {
      if (table.name().schema().equals(schema.name())) {
        TableTotals total = totals.getOrDefault(table.id(), TableTotals.none());
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("name", table.name().table());
        tree.put("kind", "table");
        tree.put("columns", table.columns().size());
        tree.put("files", total.files());
        tree.put("rowsInFiles", total.rows());
        tree.put("bytes", total.bytes());
        tree.put("comment", view.comment(table).orElse(null));
        relations.add(tree);
      }
    }
    for (View each : view.views()) {
      if (each.name().schema().equals(schema.name())) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("name", each.name().table());
        tree.put("kind", "view");
        tree.put("comment", view.comment(each).orElse(null));
        relations.add(tree);
      }
    }
    return relations;
  }

  private static void row(TextTable text, Schema schema, Map<String, @Nullable Object> relation) {
    Object bytes = relation.get("bytes");
    text.row(
        schema.name(),
        relation.get("name"),
        relation.get("kind"),
        relation.get("columns"),
        relation.get("files"),
        bytes == null ? null : ByteText.of((Long) bytes),
        relation.get("comment"));
  }
}
