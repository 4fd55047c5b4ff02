package dev.sluice.worker.cli;

import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.TableRef;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Parameters;

/** A change of one table, which the command's words begin with. */
abstract class TableChange extends LakeChangeCommand {

  @Parameters(
      arity = "1..*",
      paramLabel = "WORD",
      description = "SCHEMA TABLE (or SCHEMA.TABLE), then what the command needs; see above.")
  private List<String> words = new ArrayList<>();

  TableName table() {
    return TableArguments.first(words);
  }

  TableRef ref() {
    return new TableRef.ByName(table());
  }

  /** The words after the table. */
  List<String> rest() {
    return words.subList(TableArguments.length(words), words.size());
  }

  /** Exactly so many words after the table. */
  List<String> rest(int count, String form) {
    if (rest().size() != count) {
      throw CommandErrors.wrongWords(form);
    }
    return rest();
  }

  /** At least one word after the table. */
  List<String> some(String form) {
    if (rest().isEmpty()) {
      throw CommandErrors.wrongWords(form);
    }
    return rest();
  }
}
