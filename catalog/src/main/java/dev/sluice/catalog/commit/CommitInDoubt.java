package dev.sluice.catalog.commit;

import java.sql.SQLException;

/** COMMIT was sent and the connection broke before the answer: every request of the group. */
final class CommitInDoubt extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final SQLException cause;

  CommitInDoubt(SQLException cause) {
    super(cause);
    this.cause = cause;
  }

  SQLException cause() {
    return cause;
  }
}
