package dev.sluice.workflows;

import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.AttemptId;
import dev.sluice.workflows.naming.GenerationToken;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks for one generation of one source to become the content of its table: a prepared folder, or a
 * version of its Delta table. A model is a source of its own. Immutable.
 *
 * <p>Nothing is validated here: what {@link dev.sluice.workflows.naming.TriggerRules} do not allow
 * is refused when the trigger is written down, with an event, instead of blocking the workflow.
 *
 * @param team the team that owns the source
 * @param jobId the upstream import job that produced the data
 * @param sourceSchemaId the source table upstream, normally a UUID; of a model the saved query
 * @param sourceType the source's kind as its enumeration spells it, such as {@code Stripe}; {@link
 *     #MODEL_TYPE} for a model
 * @param prefix the team's prefix for this source, null or empty when it has none; of a model its
 *     query's normalized name
 * @param table the source table's normalized name; of a model its label
 * @param preparedFolder name of the folder with the generation's files, without any slash; empty
 *     for a copy, whose Delta table lies in the folder named like the source table; of a model the
 *     location of its Delta table
 * @param order the producer's order of this generation
 * @param lake the lake to publish into; null for the one the team is provisioned in
 * @param options name of a set of per-source options known to the worker; null for its defaults
 * @param path the way the generation takes into the lake
 * @param deltaVersion the version of the Delta table that is copied; null until one was pinned, and
 *     where nothing is copied
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
    @Nullable String options,
    WorkflowPath path,
    @Nullable Long deltaVersion) {

  /** What stands for the kind of source in the trigger of a model. */
  public static final String MODEL_TYPE = "model";

  /** Reads what a payload leaves out as empty. */
  public RegisterTrigger {
    jobId = Objects.requireNonNullElse(jobId, "");
    sourceSchemaId = Objects.requireNonNullElse(sourceSchemaId, "");
    sourceType = Objects.requireNonNullElse(sourceType, "");
    table = Objects.requireNonNullElse(table, "");
    preparedFolder = Objects.requireNonNullElse(preparedFolder, "");
    order = Objects.requireNonNullElse(order, ProducerOrder.MISSING);
    path = Objects.requireNonNullElse(path, WorkflowPath.REGISTER);
  }

  /** Asks for a prepared folder to be registered. */
  public RegisterTrigger(
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
    this(
        team,
        jobId,
        sourceSchemaId,
        sourceType,
        prefix,
        table,
        preparedFolder,
        order,
        lake,
        options,
        WorkflowPath.REGISTER,
        null);
  }

  /**
   * Asks for the source's Delta table to be copied.
   *
   * @param order a Delta version, which is then the one that is copied; {@link
   *     ProducerOrder#NEWEST_DELTA_VERSION} for the newest there is when the copy begins; or the
   *     time the import finished, which also copies the newest, for tables whose versions do not
   *     only grow because they are made anew now and then
   */
  public static RegisterTrigger copy(
      long team,
      String jobId,
      String sourceSchemaId,
      String sourceType,
      @Nullable String prefix,
      String table,
      ProducerOrder order,
      @Nullable String lake,
      @Nullable String options) {
    return new RegisterTrigger(
        team,
        jobId,
        sourceSchemaId,
        sourceType,
        prefix,
        table,
        "",
        order,
        lake,
        options,
        WorkflowPath.COPY,
        order.findDeltaVersion().orElse(null));
  }

  /**
   * Asks for a model's Delta table to be copied.
   *
   * @param savedQueryId the query that made it
   * @param queryName the query's normalized name, from which the table is named when nothing of the
   *     label can be used
   * @param label what the model is called; the table is named after it
   * @param tableUri where its Delta table is
   * @param order as of {@link #copy}
   */
  public static RegisterTrigger model(
      long team,
      String jobId,
      String savedQueryId,
      String queryName,
      String label,
      String tableUri,
      ProducerOrder order,
      @Nullable String lake,
      @Nullable String options) {
    return new RegisterTrigger(
        team,
        jobId,
        savedQueryId,
        MODEL_TYPE,
        queryName,
        label,
        tableUri,
        order,
        lake,
        options,
        WorkflowPath.MODEL,
        order.findDeltaVersion().orElse(null));
  }

  /**
   * Returns the same trigger for exactly this version. Where versions are the order, that follows.
   */
  public RegisterTrigger pinned(long version) {
    ProducerOrder pinnedOrder =
        order.kind() == ProducerOrder.Kind.DELTA_VERSION
            ? ProducerOrder.deltaVersion(version)
            : order;
    return with(pinnedOrder, lake, version);
  }

  /** Returns the token that names this generation in attempts and landing keys. */
  public GenerationToken generation() {
    return switch (path) {
      case REGISTER -> GenerationToken.ofFolder(preparedFolder);
      case COPY, MODEL -> GenerationToken.ofDelta(deltaVersion);
    };
  }

  /**
   * Returns the attempt id: {@code <job id>:<generation token>} of a registration, the job id of a
   * copy, whose version may be known only later.
   */
  public String attemptId() {
    return switch (path) {
      case REGISTER -> AttemptId.register(jobId, generation());
      case COPY, MODEL -> jobId;
    };
  }

  /** Returns the same trigger aimed at the given lake. */
  public RegisterTrigger withLake(@Nullable String otherLake) {
    return with(order, otherLake, deltaVersion);
  }

  private RegisterTrigger with(
      ProducerOrder otherOrder, @Nullable String otherLake, @Nullable Long otherVersion) {
    return new RegisterTrigger(
        team,
        jobId,
        sourceSchemaId,
        sourceType,
        prefix,
        table,
        preparedFolder,
        otherOrder,
        otherLake,
        options,
        path,
        otherVersion);
  }
}
