package dev.sluice.worker.wiring;

import dev.sluice.workflows.SearchAttributes;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.common.SearchAttributeKey;
import io.temporal.serviceclient.OperatorServiceStubs;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes sure that the search attributes of our workflows are registered: a workflow that sets an
 * unknown one stalls without an error that anybody sees.
 */
final class SearchAttributeSetup {

  private SearchAttributeSetup() {}

  /**
   * Registers what is missing. Each is added by itself, since a service refuses a whole request for
   * one that it has.
   *
   * @throws io.temporal.failure.ApplicationFailure naming those that could not be registered
   */
  static void ensure(TemporalConnection temporal) {
    OperatorServiceStubs operator = temporal.operator();
    List<String> missing = new ArrayList<>();
    String reason = "";
    for (SearchAttributeKey<?> key : SearchAttributes.all()) {
      try {
        operator
            .blockingStub()
            .addSearchAttributes(
                AddSearchAttributesRequest.newBuilder()
                    .setNamespace(temporal.settings().namespace())
                    .putSearchAttributes(key.getName(), type(key))
                    .build());
      } catch (StatusRuntimeException e) {
        if (e.getStatus().getCode() != Status.Code.ALREADY_EXISTS) {
          missing.add(key.getName());
          reason = e.getStatus().toString();
        }
      }
    }
    if (!missing.isEmpty()) {
      throw WiringErrors.searchAttributesMissing(missing, reason);
    }
  }

  private static IndexedValueType type(SearchAttributeKey<?> key) {
    return key.getValueType();
  }
}
