package dev.sluice.worker.cli;

import dev.sluice.catalog.SnapshotChange;
import dev.sluice.catalog.read.SnapshotEntry;
import dev.sluice.catalog.read.SnapshotListing;
import dev.sluice.worker.wiring.Connections;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists a lake's newest snapshots and what each of them changed. */
@Command(
    name = "snapshots",
    mixinStandardHelpOptions = true,
    description = "List the newest snapshots of a lake: when, by whom, why, and what they changed.",
    footer = {"", "Examples:", "  ./sluice snapshots", "  ./sluice snapshots --limit 100 --json"})
final class SnapshotsCommand extends LakeReadingCommand {

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "So many at most (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  Answer answer(Connections connections, String lake) {
    if (limit < 1) {
      throw CommandErrors.notPositive("limit", limit);
    }
    SnapshotListing listing = connections.require(lake).catalog().reader().newestSnapshots(limit);
    TextTable text = new TextTable("SNAPSHOT", "TIME", "AUTHOR", "MESSAGE", "CHANGES");
    List<Object> trees = new ArrayList<>();
    for (SnapshotEntry entry : listing.entries()) {
      List<String> changes = changes(entry, listing);
      text.row(
          entry.snapshot().id(),
          entry.snapshot().time(),
          entry.author(),
          entry.message(),
          changes.isEmpty() ? null : String.join("; ", changes));
      trees.add(tree(entry, changes));
    }
    List<String> lines = new ArrayList<>(text.lines());
    if (listing.all() > listing.entries().size()) {
      lines.add(
          "The newest %d of %d; --limit shows more."
              .formatted(listing.entries().size(), listing.all()));
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("lake", lake);
    tree.put("all", listing.all());
    tree.put("snapshots", trees);
    return new Answer(tree, lines);
  }

  private static List<String> changes(SnapshotEntry entry, SnapshotListing listing) {
    long snapshot = entry.snapshot().id();
    return entry.changes().stream()
        .map(change -> ChangeWords.of(change, listing, snapshot))
        .toList();
  }

  private static Map<String, @Nullable Object> tree(SnapshotEntry entry, List<String> changes) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("snapshot", entry.snapshot().id());
    tree.put("time", entry.snapshot().time().toString());
    tree.put("schemaVersion", entry.snapshot().schemaVersion());
    tree.put("author", entry.author());
    tree.put("message", entry.message());
    tree.put("extraInfo", entry.extraInfo());
    tree.put("changes", changes);
    tree.put("recorded", entry.changes().stream().map(SnapshotChange::text).toList());
    return tree;
  }
}
