package dev.sluice.worker.wiring;

import dev.sluice.workflows.FailureTypes;
import io.temporal.failure.ApplicationFailure;
import java.util.Collection;

/** What does not fit together in a configuration or its surroundings. */
final class WiringErrors {

  private WiringErrors() {}

  static ApplicationFailure noLake(String name, Collection<String> configured) {
    return misconfigured(
        "lake "
            + name
            + ": not configured; this worker knows "
            + configured
            + "; add it under lakes, or publish into one of these");
  }

  static ApplicationFailure noSourceFolder(long team, String schemaId) {
    return misconfigured(
        "team "
            + team
            + ", source "
            + schemaId
            + ": nobody knows where its prepared folders are, since the lake has no bucket; give the"
            + " source a folder under sources");
  }

  static ApplicationFailure modelInLocalFiles(long team, String location) {
    return ApplicationFailure.newNonRetryableFailure(
        "team "
            + team
            + ", model at "
            + location
            + ": refused; it lies in the worker's own files and the team's lake in an object store;"
            + " pass a location such as s3://bucket/folder",
        FailureTypes.INVALID_INPUT);
  }

  static ApplicationFailure searchAttributesMissing(Collection<String> names, String reason) {
    return misconfigured(
        "Temporal namespace: search attributes "
            + names
            + " are missing and could not be registered ("
            + reason
            + "); without them every workflow stalls; register them with: temporal operator"
            + " search-attribute create");
  }

  static ApplicationFailure temporalUnreachable(String address, Throwable cause) {
    return ApplicationFailure.newNonRetryableFailureWithCause(
        "Temporal at "
            + address
            + ": cannot be reached: "
            + cause.getMessage()
            + "; start it, or correct temporal.address",
        FailureTypes.UNAVAILABLE,
        cause);
  }

  private static ApplicationFailure misconfigured(String message) {
    return ApplicationFailure.newNonRetryableFailure(message, FailureTypes.MISCONFIGURED);
  }
}
