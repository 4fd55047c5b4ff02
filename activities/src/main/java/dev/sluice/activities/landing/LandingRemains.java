package dev.sluice.activities.landing;

import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.Target;
import java.util.List;

/**
 * Objects of one landing that no publication took, and what is to become of them.
 *
 * @param key names the landing: its place below the data path
 * @param source whose it is; team 0 where the ledger does not know the landing
 * @param generation the generation's token
 * @param target the table it was for
 * @param state how the ledger knows it: a state of the ledger, or {@code unknown}
 * @param objectKeys its objects, as far as they are old enough
 * @param bytes their size
 * @param verdict what is to become of them
 * @param reason why; a sentence for people
 */
public record LandingRemains(
    LandingLedger.Key key,
    SourceRef source,
    String generation,
    Target target,
    String state,
    List<String> objectKeys,
    long bytes,
    Verdict verdict,
    String reason) {

  /** Copies the list. */
  public LandingRemains {
    objectKeys = List.copyOf(objectKeys);
  }

  /** What is to become of a landing's objects. */
  public enum Verdict {
    /** They can be removed. */
    REMOVABLE,
    /** They stay. */
    KEPT
  }
}
