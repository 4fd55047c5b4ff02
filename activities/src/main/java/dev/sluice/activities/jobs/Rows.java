package dev.sluice.activities.jobs;

import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.Locale;
import org.jooq.DSLContext;
import org.jooq.Record;

/** What several stores read or lock in the same way. */
final class Rows {
  private Rows() {}

  static ProducerOrder order(Record row) {
    return new ProducerOrder(
        ProducerOrder.Kind.valueOf(row.get("order_kind", String.class).toUpperCase(Locale.ROOT)),
        row.get("order_value", Long.class));
  }

  static WorkflowPath path(Record row, String column) {
    return WorkflowPath.valueOf(row.get(column, String.class).toUpperCase(Locale.ROOT));
  }

  /** Makes the writers of one thing queue up until the transaction ends. */
  static void lock(DSLContext dsl, String what, WorkflowPath path, SourceRef source) {
    dsl.fetch(
        "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))",
        "sluice/" + what + "/" + path.word() + "/" + source.team() + "/" + source.schemaId());
  }
}
