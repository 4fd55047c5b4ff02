package dev.sluice.worker.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A table and the snapshot it is asked about, as words or with an option. */
final class TableWords {

  @Parameters(
      arity = "1..*",
      paramLabel = "WORD",
      description = "SCHEMA TABLE (or SCHEMA.TABLE), then what may follow as words.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--at",
      paramLabel = "SNAPSHOT",
      description =
          "A snapshot's number, or a time such as 2026-07-01T12:00:00Z (UTC without an offset).")
  private @Nullable String at;

  /** Reads the words, of which {@code at SNAPSHOT} always may be one. */
  WordArguments read(String command, String... further) {
    List<String> keywords = new ArrayList<>(List.of("at"));
    keywords.addAll(List.of(further));
    return WordArguments.of(command, words, keywords);
  }

  /** The snapshot's text; null for the newest. */
  @Nullable String at(WordArguments arguments) {
    return at == null ? arguments.values().get("at") : at;
  }
}
