package dev.sluice.worker.gate;

import dev.openfeature.sdk.Client;
import dev.openfeature.sdk.FeatureProvider;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.ImmutableContext;
import dev.openfeature.sdk.OpenFeatureAPI;
import java.util.Objects;
import java.util.Optional;

/**
 * The flags through OpenFeature. Another provider (flagd, a vendor's) takes the place of ours by
 * {@link #over}. Thread-safe; close it at the end.
 */
public final class Flags implements AutoCloseable {
  private final OpenFeatureAPI api;
  private final Client client;

  private Flags(FeatureProvider provider) {
    this.api = OpenFeatureAPI.createIsolated();
    this.api.setProviderAndWait(provider);
    this.client = api.getClient();
  }

  /** Flags over a source of text. */
  public static Flags of(FlagSource source) {
    return over(new FlagsProvider(Objects.requireNonNull(source, "source")));
  }

  /** Flags over any provider; the targeting key is the team's number. */
  public static Flags over(FeatureProvider provider) {
    return new Flags(provider);
  }

  /**
   * Asks a flag for a team. Never raises and is never in doubt: whatever is not a clear yes is a no
   * with its reason.
   *
   * @return why the flag is not on; empty when it is
   */
  Optional<String> whyOff(FlagKey flag, long team) {
    String which = "flag " + flag.key();
    try {
      FlagEvaluationDetails<Boolean> details =
          client.getBooleanDetails(flag.key(), false, new ImmutableContext(Long.toString(team)));
      if (details.getErrorCode() != null) {
        String message = details.getErrorMessage();
        return Optional.of(
            which
                + " has no answer: "
                + (message == null ? details.getErrorCode().name() : message));
      }
      Boolean value = details.getValue();
      if (value == null) {
        return Optional.of(which + " has no answer: its evaluation gave nothing");
      }
      return value ? Optional.empty() : Optional.of(which + " is off for team " + team);
    } catch (RuntimeException e) {
      return Optional.of(which + " has no answer: " + e.getClass().getSimpleName());
    }
  }

  @Override
  public void close() {
    api.shutdown();
  }
}
