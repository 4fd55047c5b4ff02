package dev.sluice.worker.cli;

import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.PredicateText;
import dev.sluice.catalog.read.ScanExplanation;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.SkipReason;
import dev.sluice.catalog.read.SkippedFile;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.workflows.naming.ByteText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows which files a scan would read, and what rules out the others. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Show the plan of a scan: the files that it reads, and why it leaves out the others.",
      "No file is opened. Rows in the catalog are always read."
    },
    footer = {
      "",
      "Examples:",
      "  ./sluice explain SCHEMA TABLE where \"amount > 100 and region = 'EU'\"",
      "  ./sluice explain SCHEMA.TABLE at 3 where \"id = 7\" --json"
    })
final class ExplainCommand extends LakeReadingCommand {

  @Mixin private TableWords words = new TableWords();

  @Option(
      names = "--where",
      paramLabel = "CONDITION",
      description = "Which rows: comparisons, between, in, is null, and, or, not.")
  private @Nullable String where;

  @Override
  Answer answer(Connections connections, String lake) {
    WordArguments arguments = words.read("explain", "where");
    CatalogReader reader = connections.require(lake).catalog().reader();
    TableAtSnapshot found = TableAtSnapshot.of(reader, arguments.table(), words.at(arguments));
    String condition = where == null ? arguments.values().get("where") : where;
    Predicate predicate =
        condition == null ? Predicate.all() : ConditionParser.parse(condition, found.table());
    ScanExplanation explained = reader.explain(found.snapshot(), found.table(), predicate);

    Map<String, @Nullable Object> tree = found.tree();
    tree.put("condition", PredicateText.of(predicate));
    tree.put("liveFiles", explained.plan().liveFiles());
    tree.put("inlinedRows", FileTotals.of(explained.plan()).inlinedRows());
    tree.put("read", explained.plan().files().stream().map(ExplainCommand::tree).toList());
    tree.put("skipped", explained.skipped().stream().map(ExplainCommand::skipped).toList());
    return new Answer(tree, lines(found, predicate, explained));
  }

  private static List<String> lines(
      TableAtSnapshot found, Predicate predicate, ScanExplanation explained) {
    List<String> lines = new ArrayList<>();
    FileTotals read = FileTotals.of(explained.plan());
    lines.add(
        "%s at snapshot %d where %s"
            .formatted(found.table().name(), found.snapshot().id(), PredicateText.of(predicate)));
    lines.add(
        "reads %d of %d files (%s) and %d rows from the catalog"
            .formatted(
                read.files(),
                explained.plan().liveFiles(),
                ByteText.of(read.bytes()),
                read.inlinedRows()));
    TextTable text = new TextTable("", "ROWS", "SIZE", "PATH", "WHY");
    for (ScanFile file : explained.plan().files()) {
      text.row("read", file.recordCount(), ByteText.of(file.fileSizeBytes()), file.path(), null);
    }
    for (SkippedFile each : explained.skipped()) {
      ScanFile file = each.file();
      text.row(
          "skip",
          file.recordCount(),
          ByteText.of(file.fileSizeBytes()),
          file.path(),
          String.join("; ", reasons(each)));
    }
    if (!text.isEmpty()) {
      lines.addAll(text.lines());
    }
    return lines;
  }

  private static List<String> reasons(SkippedFile skipped) {
    return skipped.reasons().stream().map(SkipReason::text).toList();
  }

  private static Map<String, @Nullable Object> tree(ScanFile file) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("file", file.dataFileId());
    tree.put("path", file.path());
    tree.put("rows", file.recordCount());
    tree.put("bytes", file.fileSizeBytes());
    return tree;
  }

  private static Map<String, @Nullable Object> skipped(SkippedFile skipped) {
    Map<String, @Nullable Object> tree = tree(skipped.file());
    tree.put("reasons", reasons(skipped));
    return tree;
  }
}
