package dev.sluice.workflows.naming;

/** A job id as a path segment. */
public final class JobPath {
  private JobPath() {}

  /**
   * Returns the job id with every character outside {@code A-Za-z0-9_-} turned to {@code _}.
   *
   * @throws InvalidNameException when the job id is empty
   */
  public static String segment(String jobId) {
    if (jobId.isEmpty()) {
      throw NamingErrors.emptyJobId();
    }
    return jobId.replaceAll("[^A-Za-z0-9_-]", "_");
  }
}
