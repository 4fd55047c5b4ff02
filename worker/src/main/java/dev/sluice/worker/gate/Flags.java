package dev.sluice.worker.gate;

import dev.openfeature.sdk.Client;
import dev.openfeature.sdk.ErrorCode;
import dev.openfeature.sdk.FeatureProvider;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.ImmutableContext;
import dev.openfeature.sdk.OpenFeatureAPI;
import java.util.Objects;

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

  /** What a flag says for a team. */
  sealed interface Answer {
    /** A clear yes. */
    record On() implements Answer {}

    /**
     * A clear no, or nobody has set it.
     *
     * @param reason a sentence for people
     */
    record Off(String reason) implements Answer {}

    /**
     * It cannot be evaluated; whoever asks must be on the safe side.
     *
     * @param reason a sentence for people
     */
    record Unknown(String reason) implements Answer {}
  }

  /** Asks a flag for a team. Never raises. */
  Answer ask(FlagKey flag, long team) {
    String which = "flag " + flag.key();
    try {
      FlagEvaluationDetails<Boolean> details =
          client.getBooleanDetails(flag.key(), false, new ImmutableContext(Long.toString(team)));
      ErrorCode error = details.getErrorCode();
      if (error != null) {
        String message = details.getErrorMessage();
        String reason = which + " has no answer: " + (message == null ? error.name() : message);
        return error == ErrorCode.FLAG_NOT_FOUND
            ? new Answer.Off(reason)
            : new Answer.Unknown(reason);
      }
      Boolean value = details.getValue();
      if (value == null) {
        return new Answer.Unknown(which + " has no answer: its evaluation gave nothing");
      }
      return value ? new Answer.On() : new Answer.Off(which + " is off for team " + team);
    } catch (RuntimeException e) {
      return new Answer.Unknown(which + " has no answer: " + e.getClass().getSimpleName());
    }
  }

  @Override
  public void close() {
    api.shutdown();
  }
}
