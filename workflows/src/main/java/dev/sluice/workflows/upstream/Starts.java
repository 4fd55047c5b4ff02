package dev.sluice.workflows.upstream;

import dev.sluice.workflows.CopyInput;
import dev.sluice.workflows.ModelCopyInput;
import dev.sluice.workflows.RegisterInput;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.SummaryText;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What all starts of the workflow of a source have in common. */
final class Starts {
  /** Starts tried before giving up; each needs a run to close between two of our steps. */
  static final int MAX_TRIES = 5;

  /** The signal by which every such workflow takes further triggers. */
  static final String SUBMIT = "submit";

  private Starts() {}

  /** The input of a run that begins with the trigger. */
  static Object input(RegisterTrigger trigger) {
    return switch (trigger.path()) {
      case REGISTER -> RegisterInput.of(trigger);
      case COPY -> CopyInput.of(trigger);
      case MODEL -> ModelCopyInput.of(List.of(trigger));
    };
  }

  /** The line that the UI shows of a run; what may be long comes last. */
  static String summary(RegisterTrigger trigger) {
    String what =
        switch (trigger.path()) {
          case REGISTER -> "register " + trigger.sourceType();
          case COPY -> "copy " + trigger.sourceType();
          case MODEL -> "copy model";
        };
    return SummaryText.line(
        "%s of team %d, generation %s: %s"
            .formatted(what, trigger.team(), trigger.generation(), trigger.table()));
  }

  /** What the UI shows of a run that is opened, in Markdown. */
  static String details(RegisterTrigger trigger) {
    return Stream.of(
            new String[] {"team", Long.toString(trigger.team())},
            new String[] {"source", trigger.sourceType() + " " + trigger.table()},
            new String[] {"source schema id", trigger.sourceSchemaId()},
            new String[] {"job", trigger.jobId()},
            new String[] {"generation", trigger.generation().value()},
            new String[] {"order", trigger.order().toString()})
        .map(each -> "- **%s**: `%s`".formatted(each[0], code(each[1])))
        .collect(Collectors.joining("\n"));
  }

  private static String code(String text) {
    return SummaryText.line(text).replace('`', '\'');
  }
}
