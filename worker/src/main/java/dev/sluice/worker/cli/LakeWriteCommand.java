package dev.sluice.worker.cli;

import dev.sluice.activities.lake.CommitNote;
import dev.sluice.activities.lake.LakeTables;
import dev.sluice.activities.lake.WriteResult;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.workflows.naming.ByteText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that writes rows of one table, in one snapshot or none. */
abstract class LakeWriteCommand extends ReadingCommand {

  @Parameters(
      arity = "1..*",
      paramLabel = "WORD",
      description = "SCHEMA TABLE (or SCHEMA.TABLE), then what the command needs; see above.")
  private List<String> words = new ArrayList<>();

  @Mixin private PublishedOption published = new PublishedOption();

  @Option(names = "--message", paramLabel = "TEXT", description = "Why; kept with the snapshot.")
  private @Nullable String message;

  @Mixin private LakeOption lake = new LakeOption();

  @Mixin private ConfigOption config = new ConfigOption();

  /** Checks the words that follow the table before anything is connected to. */
  abstract void read(List<String> rest);

  /** Writes; {@code table} is as it was when the command began. */
  abstract WriteResult write(LakeTables tables, Table table);

  TableName name() {
    return TableArguments.first(words);
  }

  CommitNote note() {
    return new CommitNote(null, message);
  }

  @Override
  final Answer answer() {
    TableName name = name();
    read(words.subList(TableArguments.length(words), words.size()));
    try (Connections connections = config.connect()) {
      String of = lake.name(connections);
      published.requireAllowed(connections, name);
      CatalogReader reader = connections.require(of).catalog().reader();
      Table table = reader.view(reader.latest()).table(name);
      return answer(of, table.name(), write(connections.tables(of), table));
    }
  }

  private static Answer answer(String lake, TableName table, WriteResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("lake", lake);
    tree.put("schema", table.schema());
    tree.put("table", table.table());
    tree.put("outcome", result.outcome().name().toLowerCase(Locale.ROOT));
    tree.put("snapshot", result.snapshotId());
    tree.put("inserted", result.inserted());
    tree.put("updated", result.updated());
    tree.put("deleted", result.deleted());
    tree.put("files", result.files());
    tree.put("bytes", result.bytes());
    return new Answer(tree, List.of(line(table, result)));
  }

  private static String line(TableName table, WriteResult result) {
    return switch (result.outcome()) {
      case COMMITTED ->
          "%s: %d rows inserted, %d updated, %d deleted, %d files written (%s) at snapshot %d"
              .formatted(
                  table,
                  result.inserted(),
                  result.updated(),
                  result.deleted(),
                  result.files(),
                  ByteText.of(result.bytes()),
                  result.snapshotId());
      case ALREADY_COMMITTED ->
          "%s: this batch is there already, since snapshot %d"
              .formatted(table, result.snapshotId());
      case NOTHING_TO_DO ->
          "%s: no row was concerned; nothing was written, the newest snapshot is %d"
              .formatted(table, result.snapshotId());
    };
  }
}
