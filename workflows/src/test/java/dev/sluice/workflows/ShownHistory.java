package dev.sluice.workflows;

import io.temporal.api.common.v1.Payload;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.sdk.v1.WorkflowMetadata;
import io.temporal.client.WorkflowStub;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.converter.DefaultDataConverter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A history as somebody sees it who opens no payload: the kinds and summaries of what was
 * scheduled, and nothing of inputs or results.
 */
final class ShownHistory {

  private ShownHistory() {}

  /**
   * One line for each activity and timer, {@code <what>: <summary>}; an absent summary is empty.
   */
  static List<String> lines(WorkflowExecutionHistory history) {
    List<String> lines = new ArrayList<>();
    for (HistoryEvent event : history.getEvents()) {
      switch (event.getEventType()) {
        case EVENT_TYPE_ACTIVITY_TASK_SCHEDULED ->
            lines.add(
                line(
                    event,
                    event.getActivityTaskScheduledEventAttributes().getActivityType().getName()));
        case EVENT_TYPE_TIMER_STARTED -> lines.add(line(event, "timer"));
        default -> {
          // carries nothing to read
        }
      }
    }
    return lines;
  }

  /** The line that stands beside the run in a list of runs. */
  static String summary(WorkflowExecutionHistory history) {
    return text(history.getEvents().getFirst().getUserMetadata().getSummary());
  }

  /** What was known of the run when it was started. */
  static String details(WorkflowExecutionHistory history) {
    return text(history.getEvents().getFirst().getUserMetadata().getDetails());
  }

  /** Search attributes that the run set, by name, each with its last value. */
  static Map<String, String> searchAttributes(WorkflowExecutionHistory history) {
    Map<String, String> values = new TreeMap<>();
    for (HistoryEvent event : history.getEvents()) {
      event
          .getUpsertWorkflowSearchAttributesEventAttributes()
          .getSearchAttributes()
          .getIndexedFieldsMap()
          .forEach((name, value) -> values.put(name, shown(value)));
    }
    return values;
  }

  /** What the run shows of itself now. */
  static String currentDetails(WorkflowStub run) {
    return run.query("__temporal_workflow_metadata", WorkflowMetadata.class).getCurrentDetails();
  }

  private static String line(HistoryEvent event, String what) {
    return what + ": " + text(event.getUserMetadata().getSummary());
  }

  private static String text(Payload payload) {
    return payload.equals(Payload.getDefaultInstance())
        ? ""
        : String.valueOf(
            DefaultDataConverter.STANDARD_INSTANCE.fromPayload(
                payload, String.class, String.class));
  }

  private static String shown(Payload value) {
    return String.valueOf(
        DefaultDataConverter.STANDARD_INSTANCE.fromPayload(value, Object.class, Object.class));
  }
}
