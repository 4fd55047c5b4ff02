package dev.sluice.workflows;

import dev.sluice.workflows.naming.AttemptId;
import dev.sluice.workflows.naming.GenerationToken;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks for one prepared generation of one source to become the content of its table. Immutable.
 *
 * <p>Nothing is validated here: what {@link dev.sluice.workflows.naming.TriggerRules} do not allow
 * is refused when the trigger is written down, with an event, instead of blocking the workflow.
 *
 * @param team the team that owns the source
 * @param jobId the upstream import job that produced the data
 * @param sourceSchemaId the source table upstream, normally a UUID
 * @param sourceType the source's kind as its enumeration spells it, such as {@code Stripe}
 * @param prefix the team's prefix for this source; null or empty when it has none
 * @param table the source table's normalized name
 * @param preparedFolder name of the folder with the generation's files, without any slash
 * @param order the producer's order of this generation
 * @param lake the lake to publish into; null for the one the team is provisioned in
 * @param options name of a set of per-source options known to the worker; null for its defaults
 */
public record RegisterTrigger(
    long team,
    String jobId,
    String sourceSchemaId,
    String sourceType,
    @Nullable String prefix,
    String table,
    String preparedFolder,
    ProducerOrder order,
    @Nullable String lake,
    @Nullable String options) {

  /** Reads what a payload leaves out as empty. */
  public RegisterTrigger {
    jobId = Objects.requireNonNullElse(jobId, "");
    sourceSchemaId = Objects.requireNonNullElse(sourceSchemaId, "");
    sourceType = Objects.requireNonNullElse(sourceType, "");
    table = Objects.requireNonNullElse(table, "");
    preparedFolder = Objects.requireNonNullElse(preparedFolder, "");
    order = Objects.requireNonNullElse(order, ProducerOrder.MISSING);
  }

  /** Returns the token that names this generation in attempts and landing keys. */
  public GenerationToken generation() {
    return GenerationToken.ofFolder(preparedFolder);
  }

  /** Returns the attempt id, {@code <job id>:<generation token>}. */
  public String attemptId() {
    return AttemptId.register(jobId, generation());
  }

  /** Returns the same trigger aimed at the given lake. */
  public RegisterTrigger withLake(@Nullable String otherLake) {
    return new RegisterTrigger(
        team,
        jobId,
        sourceSchemaId,
        sourceType,
        prefix,
        table,
        preparedFolder,
        order,
        otherLake,
        options);
  }
}
