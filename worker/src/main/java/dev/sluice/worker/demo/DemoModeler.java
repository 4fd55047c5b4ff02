package dev.sluice.worker.demo;

import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.upstream.DataModelingActivities;
import dev.sluice.workflows.upstream.MaterializeModelInput;
import dev.sluice.workflows.upstream.MaterializedModel;
import io.temporal.failure.ApplicationFailure;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Materializes queries for the demo's upstream team: what a real one would compute, this one has in
 * a folder as a Delta table of one version, and writes it to the bucket. Thread-safe.
 */
final class DemoModeler implements DataModelingActivities {

  private static final long ONLY_VERSION = 0;

  private final DemoImporter bucket;
  private final String bucketUri;
  private final Map<String, Path> models = new ConcurrentHashMap<>();

  /**
   * Writes to a bucket.
   *
   * @param bucketUri its address, with a slash at the end
   */
  DemoModeler(DemoImporter bucket, String bucketUri) {
    this.bucket = bucket;
    this.bucketUri = bucketUri;
  }

  /** Makes known what materializing a query will come to. */
  void offer(String savedQueryId, Path table) {
    models.put(savedQueryId, table);
  }

  @Override
  public MaterializedModel materialize(MaterializeModelInput input) {
    Path table = models.get(input.model().savedQueryId());
    if (table == null) {
      throw ApplicationFailure.newNonRetryableFailure(
          "run " + input.jobId() + ": nobody knows the query " + input.model(), "NoSuchQuery");
    }
    String prefix = "models/team_" + input.team() + "/" + input.model().queryName();
    bucket.lay(table, prefix);
    return new MaterializedModel(bucketUri + prefix, ProducerOrder.deltaVersion(ONLY_VERSION));
  }
}
