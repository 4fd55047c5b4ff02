package dev.sluice.worker.gate;

import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.SourcePauses;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StateException;
import dev.sluice.workflows.activity.GateActivities;
import dev.sluice.workflows.activity.GateCheck;
import dev.sluice.workflows.activity.GateDecision;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a path may run for a team. Open only when the path's flag is on, the team and its
 * lake are provisioned, no other path is open for the same tables, and the source is not held;
 * everything else is closed with the reason. Has no effect: the workflow has the reason written
 * down with the trigger, which makes it an event. Thread-safe.
 */
public final class Gate implements GateActivities {
  private static final Logger log = LoggerFactory.getLogger(Gate.class);

  private final Flags flags;
  private final Provisioning provisioning;
  private final SourcePauses pauses;

  /** Asks these flags, this provisioning, and whether the source is held. */
  public Gate(Flags flags, Provisioning provisioning, SourcePauses pauses) {
    this.flags = Objects.requireNonNull(flags, "flags");
    this.provisioning = Objects.requireNonNull(provisioning, "provisioning");
    this.pauses = Objects.requireNonNull(pauses, "pauses");
  }

  @Override
  public GateDecision check(GateCheck input) {
    Optional<String> closed =
        flag(input)
            .or(() -> rivalPath(input))
            .or(() -> notProvisioned(input))
            .or(() -> paused(input));
    closed.ifPresent(
        reason ->
            log.info(
                "gate closed path={} team={} source={} reason={}",
                input.path().word(),
                input.trigger().team(),
                input.trigger().sourceSchemaId(),
                reason));
    return closed.map(GateDecision::closed).orElseGet(GateDecision::open);
  }

  private Optional<String> flag(GateCheck input) {
    return switch (flags.ask(FlagKey.of(input.path()), input.trigger().team())) {
      case Flags.Answer.On on -> Optional.empty();
      case Flags.Answer.Off(String reason) -> Optional.of(reason);
      case Flags.Answer.Unknown(String reason) -> Optional.of(reason);
    };
  }

  /** A rival that may be open counts as open. */
  private Optional<String> rivalPath(GateCheck input) {
    return FlagKey.findRival(input.path()).flatMap(rival -> open(rival, input));
  }

  private Optional<String> open(FlagKey rival, GateCheck input) {
    return switch (flags.ask(rival, input.trigger().team())) {
      case Flags.Answer.Off off -> Optional.empty();
      case Flags.Answer.On on ->
          Optional.of(
              "two paths are open for the same tables: flag "
                  + rival.key()
                  + " is on for team "
                  + input.trigger().team()
                  + " as well; switch one of the two off");
      case Flags.Answer.Unknown(String reason) ->
          Optional.of(
              "another path may be open for the same tables: "
                  + reason
                  + "; make the flag's answer readable, or switch it off");
    };
  }

  private Optional<String> paused(GateCheck input) {
    SourceRef source = new SourceRef(input.trigger().team(), input.trigger().sourceSchemaId());
    try {
      return pauses
          .find(source)
          .map(pause -> pause.sentence() + "; let it go on with: ./sluice resume SCHEMA.TABLE");
    } catch (StateException e) {
      log.warn("it cannot be read whether {} is paused", source, e);
      return Optional.of("it cannot be read whether the source is paused: " + e.getMessage());
    }
  }

  private Optional<String> notProvisioned(GateCheck input) {
    long id = input.trigger().team();
    try {
      Optional<Provisioning.Team> team = provisioning.findTeam(id);
      if (team.isEmpty()) {
        return Optional.of("team " + id + " is not provisioned");
      }
      String wanted = input.trigger().lake();
      String lake = wanted == null ? team.get().lake() : wanted;
      return provisioning.findLake(lake).isPresent()
          ? Optional.empty()
          : Optional.of("lake " + lake + " of team " + id + " is not provisioned");
    } catch (StateException e) {
      log.warn("provisioning of team {} cannot be read", id, e);
      return Optional.of("provisioning cannot be read: " + e.getMessage());
    }
  }
}
