package dev.sluice.embedded;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;

/**
 * Keeps the in-memory service from remembering which worker has a workflow in its cache. A real
 * service gives a worker that does not come for its task up after seconds; this one never does, so
 * the workflows of a killed worker would stand still for ever. Workers get whole histories instead.
 */
final class WithoutStickyQueues implements ServerInterceptor {

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    return new SimpleForwardingServerCallListener<Q>(next.startCall(call, headers)) {
      @Override
      public void onMessage(Q message) {
        super.onMessage(forgetful(message));
      }
    };
  }

  @SuppressWarnings("unchecked") // a message and its copy have one type
  private static <Q> Q forgetful(Q message) {
    return message instanceof RespondWorkflowTaskCompletedRequest done
        ? (Q) done.toBuilder().clearStickyAttributes().build()
        : message;
  }
}
