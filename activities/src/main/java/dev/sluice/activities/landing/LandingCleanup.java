package dev.sluice.activities.landing;

import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LandingLedger.Landing;
import dev.sluice.activities.jobs.LandingLedger.LandingState;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.landing.LandingRemains.Verdict;
import dev.sluice.activities.storage.DeleteResult;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.Catalog;
import dev.sluice.workflows.activity.WorkflowPath;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/**
 * Removes objects of landings that were never published: of stale, failed and quarantined
 * generations, and leftovers that no ledger row knows. Never what is younger than the longest
 * attempt, never what any catalog row or scheduled deletion names, never a landing that an attempt
 * may still use. A landing is taken in the ledger before its first object goes: from then on it
 * cannot be published, and the generation, should it come again, lands elsewhere. Safe to repeat.
 */
public final class LandingCleanup {

  /**
   * No attempt lives longer: landing may take ten tries of four hours, the other stages together
   * less than a day.
   */
  public static final Duration LONGEST_ATTEMPT = Duration.ofDays(3);

  /** Time to look at a quarantined generation. */
  public static final Duration DEFAULT_AGE = Duration.ofDays(7);

  private static final int DELETED_AT_ONCE = 1000;
  private static final String IMPORTS = "/_imports/";
  private static final String UNKNOWN = "unknown";

  /** Segments of a landing: imports folder, source, job and generation below the table. */
  private static final int SEGMENTS_BELOW_IMPORTS = 3;

  private final SourceJobs jobs;
  private final SourceJobEvents events;
  private final Catalog catalog;
  private final ObjectStore lake;
  private final StateDatabase state;
  private final Clock clock;

  /** Cleans up one lake. */
  public LandingCleanup(
      SourceJobs jobs,
      SourceJobEvents events,
      Catalog catalog,
      ObjectStore lake,
      StateDatabase state,
      Clock clock) {
    this.jobs = jobs;
    this.events = events;
    this.catalog = catalog;
    this.lake = lake;
    this.state = state;
    this.clock = clock;
  }

  /**
   * What happened to one landing.
   *
   * @param remains as it was found
   * @param removed objects that are gone now
   * @param kept objects that a catalog row names after all
   * @param failures objects that the store did not delete; the next clean-up tries again
   */
  public record Removal(
      LandingRemains remains,
      long removed,
      List<String> kept,
      List<DeleteResult.Failure> failures) {

    /** Copies the lists. */
    public Removal {
      kept = List.copyOf(kept);
      failures = List.copyOf(failures);
    }
  }

  /**
   * Looks for landings with objects that nobody published; changes nothing.
   *
   * @param age nothing younger is looked at; at least {@link #LONGEST_ATTEMPT}
   * @throws IllegalArgumentException when the age is below that
   */
  public List<LandingRemains> find(Duration age) {
    if (age.compareTo(LONGEST_ATTEMPT) < 0) {
      throw new IllegalArgumentException(
          "an age of at least %d hours, the longest that an attempt can take, is required, got %d"
              .formatted(LONGEST_ATTEMPT.toHours(), age.toHours()));
    }
    Instant before = clock.instant().minus(age);
    List<LandingRemains> all = new ArrayList<>();
    String key = catalog.info().key();
    // read once: this is what is proposed, and removing decides anew
    List<SourceJob> running = jobs.running();
    for (Target target : state.read(dsl -> LandingLedger.targets(dsl, key))) {
      objects(target, before)
          .forEach(
              (landing, objects) ->
                  judge(target, landing, objects, before, running).ifPresent(all::add));
    }
    return all;
  }

  /** Objects old enough below a table's imports, by landing. */
  private Map<String, List<ObjectInfo>> objects(Target target, Instant before) {
    String prefix = target.schema() + "/" + target.table() + IMPORTS;
    try (Stream<ObjectInfo> listed = lake.list(prefix)) {
      return listed
          .filter(object -> object.lastModified() != null && object.lastModified().isBefore(before))
          .filter(object -> landingOf(prefix, object.key()).isPresent())
          .collect(
              Collectors.groupingBy(
                  object -> landingOf(prefix, object.key()).orElseThrow(),
                  TreeMap::new,
                  Collectors.toList()));
    }
  }

  private static Optional<String> landingOf(String prefix, String key) {
    int end = prefix.length() - 1;
    for (int i = 0; i < SEGMENTS_BELOW_IMPORTS && end >= 0; i++) {
      end = key.indexOf('/', end + 1);
    }
    return end < 0 ? Optional.empty() : Optional.of(key.substring(0, end + 1));
  }

  private Optional<LandingRemains> judge(
      Target target,
      String landingId,
      List<ObjectInfo> objects,
      Instant before,
      List<SourceJob> running) {
    LandingLedger.Key key = new LandingLedger.Key(target.lake(), landingId);
    Optional<Landing> known = state.read(dsl -> LandingLedger.find(dsl, key));
    List<ObjectInfo> candidates = objects;
    if (known.isPresent() && known.get().state() == LandingState.PUBLISHED) {
      Set<String> listed =
          state.read(dsl -> LandingFiles.files(dsl, key)).stream()
              .map(LedgerFile::landedPath)
              .collect(Collectors.toSet());
      candidates = objects.stream().filter(object -> !listed.contains(object.key())).toList();
    }
    List<String> keys = candidates.stream().map(ObjectInfo::key).toList();
    Set<String> named = named(keys);
    List<ObjectInfo> free =
        candidates.stream().filter(object -> !named.contains(object.key())).toList();
    if (free.isEmpty()) {
      return Optional.empty();
    }
    Landing landing = known.orElseGet(() -> unknown(target, key));
    Optional<String> use = runs(landing.source(), running);
    if (use.isEmpty()) {
      use = state.write(dsl -> inUse(dsl, landing, before));
    }
    boolean removable = use.isEmpty();
    return Optional.of(
        new LandingRemains(
            key,
            landing.source(),
            landing.generation(),
            landing.target(),
            known.map(found -> found.state().word()).orElse(UNKNOWN),
            free.stream().map(ObjectInfo::key).toList(),
            free.stream().mapToLong(ObjectInfo::sizeBytes).sum(),
            removable ? Verdict.REMOVABLE : Verdict.KEPT,
            use.orElseGet(() -> removable(known))));
  }

  private static String removable(Optional<Landing> known) {
    return known
        .map(
            landing ->
                switch (landing.state()) {
                  case PUBLISHED -> "left over beside what was published";
                  case CLEANED -> "left over from an earlier clean-up";
                  case QUARANTINED -> "quarantined: " + landing.reason();
                  case LISTED, LANDED, INSPECTED, VERIFIED -> "never published";
                })
        .orElse("not known to the ledger");
  }

  /** Source and generation stand in the path; the team of an unknown landing is not known. */
  private static Landing unknown(Target target, LandingLedger.Key key) {
    String below = key.landingId().substring(key.landingId().indexOf(IMPORTS) + IMPORTS.length());
    String[] segments = below.split("/", -1);
    return new Landing(
        key,
        new SourceRef(0, segments[0]),
        segments[2],
        target,
        LandingState.LISTED,
        "not known to the ledger",
        null);
  }

  /** An attempt that was opened and has not taken the fence yet shows here only. */
  private static Optional<String> runs(SourceRef source, List<SourceJob> running) {
    return running.stream()
        .filter(job -> job.key().source().schemaId().equals(source.schemaId()))
        .findFirst()
        .map(job -> "attempt " + job.key().attempt().key() + " of its source is running");
  }

  /**
   * Why somebody may still have use for the landing; asked with the target's fence locked, so that
   * no attempt takes or passes it meanwhile.
   */
  private static Optional<String> inUse(DSLContext dsl, Landing landing, Instant before) {
    Optional<String> holder =
        Fences.holder(dsl, landing.target())
            .filter(held -> held.attemptId().endsWith(":" + landing.generation()))
            .map(held -> "attempt " + held.key() + " may still publish it");
    return switch (landing.state()) {
      case PUBLISHED, CLEANED -> Optional.empty();
      case LISTED, LANDED, INSPECTED, VERIFIED, QUARANTINED ->
          holder.or(
              () ->
                  LandingLedger.touchedSince(dsl, landing.key(), before)
                      ? Optional.of("something happened to it lately")
                      : Optional.empty());
    };
  }

  /**
   * Removes what {@link #find} called removable, deciding anew: whatever was taken up again, or
   * named by the catalog, since then stays.
   */
  public Removal remove(LandingRemains remains, Duration age) {
    Instant before = clock.instant().minus(age);
    if (remains.verdict() == Verdict.KEPT
        || runs(remains.source(), jobs.running()).isPresent()
        || !taken(remains, before)) {
      return new Removal(remains, 0, remains.objectKeys(), List.of());
    }
    long removed = 0;
    List<String> kept = new ArrayList<>();
    List<DeleteResult.Failure> failures = new ArrayList<>();
    for (int from = 0; from < remains.objectKeys().size(); from += DELETED_AT_ONCE) {
      int to = Math.min(from + DELETED_AT_ONCE, remains.objectKeys().size());
      List<String> batch = remains.objectKeys().subList(from, to);
      Set<String> named = named(batch);
      kept.addAll(named);
      DeleteResult result =
          lake.delete(batch.stream().filter(key -> !named.contains(key)).toList());
      removed += result.deletedCount();
      failures.addAll(result.failures());
    }
    tell(remains, removed, kept.size(), failures.size());
    return new Removal(remains, removed, kept, failures);
  }

  /** Takes the landing in the ledger, unless somebody has use for it by now. */
  private boolean taken(LandingRemains remains, Instant before) {
    return state.write(
        dsl -> {
          Optional<Landing> known = LandingLedger.find(dsl, remains.key());
          Landing landing = known.orElseGet(() -> unknown(remains.target(), remains.key()));
          if (inUse(dsl, landing, before).isPresent()) {
            return false;
          }
          if (known.isEmpty()) {
            return LandingLedger.cleanUnknown(dsl, landing);
          }
          boolean leftOver =
              landing.state() == LandingState.PUBLISHED
                  && remains.state().equals(LandingState.PUBLISHED.word());
          return leftOver || LandingLedger.clean(dsl, remains.key(), before, remains.reason());
        });
  }

  private void tell(LandingRemains remains, long removed, int kept, int failed) {
    if (remains.source().team() != 0) {
      events.append(
          WorkflowPath.REGISTER,
          remains.source(),
          EventKind.LANDING_CLEANED,
          String.format(
              Locale.ROOT,
              "%d objects of generation %s below %s were removed (%s), %d kept, %d not deleted",
              removed,
              remains.generation(),
              remains.key().landingId(),
              remains.reason(),
              kept,
              failed));
    }
  }

  /** Keys of objects that the catalog names, at whatever snapshot. */
  private Set<String> named(List<String> keys) {
    Map<String, String> byPath =
        keys.stream().collect(Collectors.toMap(lake::uri, Function.identity()));
    return catalog.reader().named(catalog.info().dataPath(), byPath.keySet()).stream()
        .map(byPath::get)
        .collect(Collectors.toSet());
  }
}
