package dev.sluice.worker.config;

import dev.sluice.activities.temporal.Verifier;
import dev.sluice.activities.verify.CheckRules;
import java.util.Objects;

/**
 * What is checked of a generation before it is published, and what that may take.
 *
 * @param rules what is checked of which table
 * @param limits what reading data may take
 */
public record CheckSettings(CheckRules rules, Verifier.Settings limits) {

  /** Counts for every table. */
  public static final CheckSettings DEFAULTS =
      new CheckSettings(CheckRules.DEFAULT, Verifier.Settings.defaults());

  /** Checks presence. */
  public CheckSettings {
    Objects.requireNonNull(rules, "rules");
    Objects.requireNonNull(limits, "limits");
  }
}
