package dev.sluice.embedded;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.internal.testservice.GRPCServerHelper;
import io.temporal.internal.testservice.TestServicesStarter;
import io.temporal.serviceclient.OperatorServiceStubs;
import io.temporal.serviceclient.OperatorServiceStubsOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The in-memory Temporal service of Temporal's own test kit, served on the loopback address, so
 * that this JVM and other processes reach it alike. Time runs as it does (no skipping). It has no
 * schedules and no worker versioning, cannot list its search attributes, keeps nothing on disk, and
 * takes every namespace's name. Thread-safe.
 */
public final class EmbeddedTemporal implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedTemporal.class);
  private static final String NAMESPACE = "default";
  private static final String HOST = "127.0.0.1";
  private static final long END_WAIT_SECONDS = 5;

  private final TestServicesStarter services;
  private final Server server;
  private final WorkflowServiceStubs serviceStubs;
  private final OperatorServiceStubs operatorStubs;
  private final WorkflowClient client;

  private EmbeddedTemporal(int port) {
    // Temporal's public starter for a port listens on every network interface; this one does not.
    this.services = new TestServicesStarter(true, 0);
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    builder.intercept(new WithoutStickyQueues());
    GRPCServerHelper.registerServicesAndHealthChecks(services.getServices(), builder);
    try {
      this.server = builder.build().start();
    } catch (IOException e) {
      services.close();
      throw EmbeddedErrors.temporalNotStarted(port, e);
    }
    this.serviceStubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(target()).build());
    this.operatorStubs =
        OperatorServiceStubs.newServiceStubs(
            OperatorServiceStubsOptions.newBuilder()
                .setChannel(serviceStubs.getRawChannel())
                .validateAndBuildWithDefaults());
    this.client =
        WorkflowClient.newInstance(
            serviceStubs, WorkflowClientOptions.newBuilder().setNamespace(NAMESPACE).build());
  }

  /**
   * Starts the service on a free port without any search attribute of our own.
   *
   * @throws EmbeddedStackException when it does not come up
   */
  public static EmbeddedTemporal start() {
    return start(0, Map.of());
  }

  /**
   * Starts the service.
   *
   * @param port the TCP port on the loopback address, 0 for any free one
   * @param searchAttributes the names and types to register
   * @throws EmbeddedStackException when it does not come up, e.g. because the port is taken
   */
  public static EmbeddedTemporal start(int port, Map<String, IndexedValueType> searchAttributes) {
    EmbeddedTemporal started = new EmbeddedTemporal(port);
    if (!searchAttributes.isEmpty()) {
      started.registerSearchAttributes(searchAttributes);
    }
    return started;
  }

  /** Host and port as a client's target, e.g. {@code 127.0.0.1:40123}. */
  public String target() {
    return HOST + ":" + server.getPort();
  }

  /** The namespace of {@link #client()}. */
  public String namespace() {
    return NAMESPACE;
  }

  /** Stubs connected to the service; closed with it. */
  public WorkflowServiceStubs serviceStubs() {
    return serviceStubs;
  }

  /** Stubs of the operator service; closed with it. */
  public OperatorServiceStubs operatorStubs() {
    return operatorStubs;
  }

  /** A client with default options; make others, and worker factories, from the stubs. */
  public WorkflowClient client() {
    return client;
  }

  /**
   * Registers search attributes.
   *
   * @throws io.grpc.StatusRuntimeException when one of them is registered already
   */
  public void registerSearchAttributes(Map<String, IndexedValueType> searchAttributes) {
    operatorStubs
        .blockingStub()
        .addSearchAttributes(
            AddSearchAttributesRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .putAllSearchAttributes(searchAttributes)
                .build());
  }

  /** Stops the service; shut workers down before. Everything it knew is gone. */
  @Override
  public void close() {
    serviceStubs.shutdownNow();
    server.shutdownNow();
    services.close();
    try {
      if (!server.awaitTermination(END_WAIT_SECONDS, TimeUnit.SECONDS)) {
        log.warn("the embedded Temporal service has not ended after {} s", END_WAIT_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
