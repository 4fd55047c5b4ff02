package dev.sluice.catalog.commit;

import dev.sluice.catalog.LakeInfo;
import dev.sluice.catalog.commit.GroupCommit.Pending;
import dev.sluice.catalog.error.CatalogErrors;
import dev.sluice.catalog.error.CatalogException;
import dev.sluice.catalog.error.SqlStates;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * The commit loop: hands a request to the group commit and decides what its failure means.
 *
 * <p>A lost race (another writer's snapshot row, a deadlock) is tried again after a pause, a
 * bounded number of times. Our own errors and those of steps pass through untouched. Whatever
 * breaks once COMMIT was sent is an unknown outcome and is never tried again here: the caller's
 * next attempt looks the key up under the lock. Thread-safe.
 */
public final class Committer {

  private final String lake;
  private final CommitSettings settings;
  private final GroupCommit group;

  /** Makes the committer of one lake. */
  public Committer(DataSource dataSource, LakeInfo lake, CommitSettings settings) {
    this.lake = lake.key();
    this.settings = settings;
    this.group = new GroupCommit(new CommitTransaction(dataSource, lake, settings));
  }

  /**
   * Commits the request as one snapshot.
   *
   * @throws CatalogException as its kind says
   */
  public CommitResult commit(CommitRequest request) {
    Throwable lost = null;
    for (int tries = 1; tries <= settings.maxTries(); tries++) {
      Pending pending = group.submit(request);
      Throwable failure = pending.failure();
      if (failure == null) {
        return pending.result(tries);
      }
      if (!isLostRace(failure)) {
        throw translated(request, failure);
      }
      if (lost != null) {
        failure.addSuppressed(lost);
      }
      lost = failure;
      pause(request, tries, failure);
    }
    throw CatalogErrors.busy(lake, request.description(), settings.maxTries(), nonNull(lost));
  }

  private void pause(CommitRequest request, int tries, Throwable failure) {
    try {
      settings.sleeper().sleep(settings.pauseAfter(tries));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      CatalogException busy = CatalogErrors.busy(lake, request.description(), tries, failure);
      busy.addSuppressed(e);
      throw busy;
    }
  }

  private static boolean isLostRace(Throwable failure) {
    SQLException sql = sqlFailure(failure);
    return sql != null
        && switch (SqlStates.meaning(sql)) {
          case LOST_RACE -> true;
          // a time-out has waited long enough: the caller decides about another
          case TIMED_OUT, UNAVAILABLE, ACCESS_REFUSED, MISSING_TABLE, OTHER -> false;
        };
  }

  private RuntimeException translated(CommitRequest request, Throwable failure) {
    String doing = request.description();
    if (failure instanceof CommitInDoubt doubt) {
      return CatalogErrors.outcomeUnknown(lake, doing, doubt.cause());
    }
    SQLException sql = sqlFailure(failure);
    if (sql != null) {
      return switch (SqlStates.meaning(sql)) {
        case UNAVAILABLE -> CatalogErrors.unavailable(lake, doing, sql);
        case ACCESS_REFUSED -> CatalogErrors.accessRefused(lake, sql);
        case MISSING_TABLE ->
            CatalogErrors.damaged(lake, "a table of the catalog or of Sluice's state is missing");
        case TIMED_OUT -> CatalogErrors.busy(lake, doing, 1, sql);
        case LOST_RACE, OTHER -> CatalogErrors.failed(lake, doing, SqlStates.text(sql), sql);
      };
    }
    return switch (failure) {
      case RuntimeException own -> own;
      case Error error -> throw error;
      default -> new IllegalStateException(failure);
    };
  }

  private static @Nullable SQLException sqlFailure(Throwable failure) {
    if (failure instanceof SQLException sql) {
      return sql;
    }
    return failure instanceof DataAccessException access
        ? access.getCause(SQLException.class)
        : null;
  }

  private static Throwable nonNull(@Nullable Throwable lost) {
    return lost == null ? new IllegalStateException("no try was made") : lost;
  }
}
