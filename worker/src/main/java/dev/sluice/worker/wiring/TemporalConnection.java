package dev.sluice.worker.wiring;

import dev.sluice.worker.config.TemporalSettings;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.OperatorServiceStubs;
import io.temporal.serviceclient.OperatorServiceStubsOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A connection to the Temporal service. Thread-safe; close it last. */
public final class TemporalConnection implements AutoCloseable {

  /** A service that is up answers within milliseconds; a person waits for the answer. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private static final long CLOSE_SECONDS = 2;

  private final TemporalSettings settings;
  private final WorkflowServiceStubs stubs;
  private final WorkflowClient client;

  private TemporalConnection(TemporalSettings settings, WorkflowServiceStubs stubs) {
    this.settings = settings;
    this.stubs = stubs;
    this.client =
        WorkflowClient.newInstance(
            stubs, WorkflowClientOptions.newBuilder().setNamespace(settings.namespace()).build());
  }

  /**
   * Connects.
   *
   * @throws io.temporal.failure.ApplicationFailure when the service cannot be reached
   */
  public static TemporalConnection open(TemporalSettings settings) {
    WorkflowServiceStubsOptions.Builder options =
        WorkflowServiceStubsOptions.newBuilder().setTarget(settings.address());
    options.setEnableHttps(settings.encryption() == TemporalSettings.Encryption.TLS);
    WorkflowServiceStubs stubs = WorkflowServiceStubs.newServiceStubs(options.build());
    try {
      stubs.connect(CONNECT_TIMEOUT);
      return new TemporalConnection(settings, stubs);
    } catch (RuntimeException e) {
      stubs.shutdownNow();
      throw WiringErrors.temporalUnreachable(settings.address(), e);
    }
  }

  /** A client of the configured namespace. */
  public WorkflowClient client() {
    return client;
  }

  /** The settings it was opened with. */
  public TemporalSettings settings() {
    return settings;
  }

  /** Stubs of the operator service over the same connection. */
  OperatorServiceStubs operator() {
    return OperatorServiceStubs.newServiceStubs(
        OperatorServiceStubsOptions.newBuilder()
            .setChannel(stubs.getRawChannel())
            .validateAndBuildWithDefaults());
  }

  @Override
  public void close() {
    stubs.shutdownNow();
    stubs.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
