package dev.sluice.worker.repl;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.Schema;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogView;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes commands, then schemas and tables of the lake, then the table's columns and the words
 * that may follow it.
 */
final class ReplCompleter implements Completer {

  private static final Logger log = LoggerFactory.getLogger(ReplCompleter.class);
  private static final List<String> KEYWORDS = List.of("at", "where", "columns", "limit", "set");

  private final List<String> commands;
  private final Supplier<CatalogView> lake;

  /**
   * Completes names of a lake.
   *
   * @param lake the lake as it is when asked
   */
  ReplCompleter(List<String> commands, Supplier<CatalogView> lake) {
    this.commands = List.copyOf(commands);
    this.lake = lake;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    candidates(line).map(Candidate::new).forEach(candidates::add);
  }

  private Stream<String> candidates(ParsedLine line) {
    if (line.wordIndex() == 0) {
      return commands.stream();
    }
    try {
      return names(line, lake.get());
    } catch (RuntimeException unreachable) {
      // a key was pressed, nothing was asked for: the next command says what is wrong
      log.debug("no completion", unreachable);
      return Stream.empty();
    }
  }

  private static Stream<String> names(ParsedLine line, CatalogView view) {
    List<String> words = line.words();
    if (line.wordIndex() == 1) {
      return Stream.concat(
          view.schemas().stream().map(Schema::name),
          view.tables().stream().map(table -> table.name().toString()));
    }
    Optional<Table> inOneWord = named(view, words.get(1));
    if (inOneWord.isEmpty() && line.wordIndex() == 2) {
      return view.tables().stream()
          .map(Table::name)
          .filter(name -> name.schema().equalsIgnoreCase(words.get(1)))
          .map(TableName::table);
    }
    return inOneWord.or(() -> view.findTable(new TableName(words.get(1), words.get(2)))).stream()
        .flatMap(table -> Stream.concat(columns(table), KEYWORDS.stream()));
  }

  private static Optional<Table> named(CatalogView view, String word) {
    return view.tables().stream()
        .filter(table -> table.name().toString().equalsIgnoreCase(word))
        .findFirst();
  }

  private static Stream<String> columns(Table table) {
    return table.columns().stream().map(Column::name);
  }
}
