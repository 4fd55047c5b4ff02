package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.upstream.ChildStart;
import io.temporal.workflow.Workflow;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a sample upstream shows of itself in the Temporal UI: what it made, and where that went. */
final class HandedOn {
  private final String verb;
  private final int all;
  private final Map<RegisterTrigger, String> made = new LinkedHashMap<>();

  /**
   * Shows nothing yet.
   *
   * @param verb what was done with a table, as the beginning of a sentence
   * @param all how many tables there are
   */
  HandedOn(String verb, int all) {
    this.verb = verb;
    this.all = all;
  }

  void made(RegisterTrigger trigger) {
    note(trigger, "waits until it is handed on");
  }

  void sent(RegisterTrigger trigger, ChildStart start) {
    note(trigger, start.outcome().word() + " `" + start.workflowId() + "`");
  }

  void notSent(RegisterTrigger trigger, String reason) {
    note(trigger, "**not started**: " + Texts.oneLine(reason));
  }

  private void note(RegisterTrigger trigger, String text) {
    made.put(trigger, text);
    StringBuilder details =
        new StringBuilder("%s %d of %d tables\n\n".formatted(verb, made.size(), all));
    made.forEach(
        (each, state) ->
            details.append(
                "- `%s` generation `%s`: %s\n"
                    .formatted(Texts.oneLine(each.table()), each.generation(), state)));
    Workflow.setCurrentDetails(details.toString());
  }
}
