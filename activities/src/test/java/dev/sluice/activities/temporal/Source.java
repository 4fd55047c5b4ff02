package dev.sluice.activities.temporal;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.ProducerOrder;

/**
 * One upstream table of a test.
 *
 * @param team its team
 * @param schemaId the source table's id upstream
 * @param table its normalized name
 */
record Source(long team, String schemaId, String table) {

  /** Name of the prepared folder of a generation. */
  String folder(long epoch) {
    return table + "__query_" + epoch;
  }

  /** Asks for the generation of that epoch. */
  RegisterTrigger trigger(long epoch) {
    return trigger(epoch, folder(epoch));
  }

  /** Asks for a generation whose folder has any name. */
  RegisterTrigger trigger(long epoch, String folder) {
    return new RegisterTrigger(
        team,
        "job-" + epoch,
        schemaId,
        "Stripe",
        null,
        table,
        folder,
        new ProducerOrder(ProducerOrder.Kind.FOLDER_EPOCH, epoch),
        null,
        null);
  }

  String schema() {
    return "insights_data_imports_team_" + team;
  }

  /** Name of the published table. */
  String published() {
    return "stripe_" + table;
  }

  /** The published table as DuckDB is asked for it. */
  String sql() {
    return "lake." + schema() + "." + published();
  }
}
