package dev.sluice.catalog.commit;

/** COMMIT was sent and the connection broke before the answer: every request of the group. */
final class CommitInDoubt extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Exception cause;

  CommitInDoubt(Exception cause) {
    super(cause);
    this.cause = cause;
  }

  Exception cause() {
    return cause;
  }
}
