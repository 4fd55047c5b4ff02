package dev.sluice.worker.cli;

import dev.sluice.catalog.Partitioning;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanPlan;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.workflows.naming.ByteText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the files that a table consists of. */
@Command(
    name = "files",
    mixinStandardHelpOptions = true,
    description = {
      "List a table's data files with their delete files, and the rows that the catalog holds.",
      "DELETES are the positions listed against a file; one listed twice is deleted once."
    },
    footer = {
      "",
      "Examples:",
      "  ./sluice files SCHEMA TABLE",
      "  ./sluice files SCHEMA.TABLE at 3 --json"
    })
final class FilesCommand extends LakeReadingCommand {

  @Mixin private TableWords words = new TableWords();

  @Override
  Answer answer(Connections connections, String lake) {
    WordArguments arguments = words.read("files");
    CatalogReader reader = connections.require(lake).catalog().reader();
    TableAtSnapshot found = TableAtSnapshot.of(reader, arguments.table(), words.at(arguments));
    ScanPlan plan = reader.plan(found.snapshot(), found.table(), Predicate.all());
    Map<Long, Partitioning> specs = reader.partitionings(found.table());
    FileTotals totals = FileTotals.of(plan);

    TextTable text =
        new TextTable("FILE", "KIND", "ROWS", "DELETES", "SIZE", "SINCE", "PARTITION", "PATH");
    List<Object> trees = new ArrayList<>();
    for (ScanFile file : plan.files()) {
      text.row(
          file.dataFileId(),
          "data",
          file.recordCount(),
          deletes(file),
          ByteText.of(file.fileSizeBytes()),
          file.beginSnapshot(),
          PartitionText.line(file, specs),
          file.path());
      for (ScanFile.DeleteFile delete : file.deleteFiles()) {
        text.row(
            delete.deleteFileId(),
            "delete",
            null,
            delete.deleteCount(),
            ByteText.of(delete.fileSizeBytes()),
            null,
            null,
            delete.path());
      }
      trees.add(tree(file, specs));
    }
    List<String> lines = new ArrayList<>(text.isEmpty() ? List.of() : text.lines());
    lines.addAll(totals.lines());
    Map<String, @Nullable Object> tree = found.tree();
    totals.into(tree);
    tree.put("files", trees);
    return new Answer(tree, lines);
  }

  private static long deletes(ScanFile file) {
    return file.deleteFiles().stream().mapToLong(ScanFile.DeleteFile::deleteCount).sum()
        + file.inlinedDeletes().size();
  }

  private static Map<String, @Nullable Object> tree(ScanFile file, Map<Long, Partitioning> specs) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("file", file.dataFileId());
    tree.put("path", file.path());
    tree.put("rows", file.recordCount());
    tree.put("bytes", file.fileSizeBytes());
    tree.put("since", file.beginSnapshot());
    tree.put("firstRowId", file.rowIdStart());
    tree.put("partition", PartitionText.values(file, specs));
    tree.put("inlinedDeletes", file.inlinedDeletes().size());
    List<Object> deleteFiles = new ArrayList<>();
    for (ScanFile.DeleteFile delete : file.deleteFiles()) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("file", delete.deleteFileId());
      each.put("path", delete.path());
      each.put("deletes", delete.deleteCount());
      each.put("bytes", delete.fileSizeBytes());
      deleteFiles.add(each);
    }
    tree.put("deleteFiles", deleteFiles);
    return tree;
  }
}
