package dev.sluice.workflows.naming;

/** Ids of attempts: stable for a job and a generation, whatever run makes them. */
public final class AttemptId {
  private AttemptId() {}

  /** Returns {@code <job id>:<generation token>}. */
  public static String register(String jobId, GenerationToken generation) {
    return jobId + ":" + generation.value();
  }
}
