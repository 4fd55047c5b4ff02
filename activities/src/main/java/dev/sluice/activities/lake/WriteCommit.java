package dev.sluice.activities.lake;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitResult;
import dev.sluice.catalog.error.CatalogException;
import dev.sluice.catalog.error.CommitOutcomeUnknownException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One write's commit. Every write has an idempotency key, its caller's or one of its own, so that a
 * commit whose answer was lost can be asked for again. For one thread at a time.
 */
final class WriteCommit {

  /** A lost answer is rare; an endpoint that loses this many in a row is down. */
  private static final int ASKS = 3;

  private final Catalog catalog;
  private final String doing;
  private final String key;
  private final CommitNote note;

  WriteCommit(Catalog catalog, String doing, @Nullable String key, CommitNote note) {
    this.catalog = catalog;
    this.doing = doing;
    this.key = key == null ? "write:" + UUID.randomUUID() : key;
    this.note = note;
  }

  /**
   * Commits what was planned on a snapshot.
   *
   * @throws CatalogException as its kind says
   */
  CommitResult commit(long base, List<Change> changes) {
    CommitRequest request =
        new CommitRequest(
            doing,
            key,
            new Base.PlannedOn(base),
            List.of(),
            changes,
            List.of(),
            note.author(),
            note.message());
    CommitOutcomeUnknownException lost = null;
    for (int ask = 1; ask <= ASKS; ask++) {
      try {
        return catalog.commit(request);
      } catch (CommitOutcomeUnknownException e) {
        if (lost != null) {
          e.addSuppressed(lost);
        }
        lost = e;
      } catch (CatalogException e) {
        // a refusal under the lock has looked the key up: the lost commit was none
        if (lost == null || e.conflict()) {
          throw e;
        }
        lost.addSuppressed(e);
        throw lost;
      }
    }
    throw Objects.requireNonNull(lost);
  }
}
