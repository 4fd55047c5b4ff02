package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.Target;
import java.util.List;
import java.util.stream.Collectors;

/** Why a rollback is refused: context, problem, reason, remedy. The texts are contract. */
final class RestoreErrors {

  /** Generations that a message names. */
  private static final int NAMED = 5;

  private RestoreErrors() {}

  static String unknownGeneration(String table, String generation, List<Publication> history) {
    String known =
        history.stream()
            .map(Publication::generation)
            .distinct()
            .limit(NAMED)
            .collect(Collectors.joining(", "));
    return "table %s: cannot go back to generation %s; it was never published to it%s; see what was with: ./sluice generations %s"
        .formatted(
            table,
            generation,
            known.isEmpty() ? ", nor was any other" : ", the newest that were are " + known,
            table);
  }

  static String renamed(Target target, long snapshot) {
    return "%s: nothing was published to it at snapshot %d; it was renamed since the rollback began; ask again for the table's new name"
        .formatted(target, snapshot);
  }

  static String expired(String table, String generation, List<Publication> candidates) {
    return "table %s: cannot go back to generation %s; %s expired, and the catalog no longer says what it was; import the generation anew, or choose another: ./sluice generations %s"
        .formatted(
            table,
            generation,
            candidates.stream()
                .map(each -> "snapshot " + each.snapshotId())
                .collect(Collectors.joining(" and ", "", " has")),
            table);
  }

  static String objectsGone(String table, String generation, String object) {
    return "table %s: cannot go back to generation %s; its object %s is gone, something else than the lake's own clean-up removed it; restore the object, or choose another generation"
        .formatted(table, generation, object);
  }

  static String notWhole(String table, String generation, String file) {
    return "table %s: cannot go back to generation %s; file %s holds rows of other snapshots as well, or rows of it were deleted; read it with: ./sluice scan, or choose another generation"
        .formatted(table, generation, file);
  }

  static String merged(String table, String generation, String file) {
    return "table %s: cannot go back to generation %s; somebody merged or rewrote its files into %s, which only DuckLake itself may register; read it with: ./sluice scan, or import the generation anew"
        .formatted(table, generation, file);
  }

  static String outside(String table, String generation, String file) {
    return "table %s: cannot go back to generation %s; file %s lies outside the lake's data path; import the generation anew"
        .formatted(table, generation, file);
  }

  static String running(String table, SourceJob attempt) {
    return "table %s: cannot go back now; attempt %s runs since %s and would overtake the rollback or be overtaken; wait for its end, pause the source (./sluice pause %s), then ask again"
        .formatted(table, attempt.key().attempt().key(), attempt.startedAt(), table);
  }

  static String badKey(String key) {
    return "key %s: cannot name a rollback; only letters, digits, '_', '.' and '-' are allowed, at most 60; choose another key"
        .formatted(key);
  }
}
