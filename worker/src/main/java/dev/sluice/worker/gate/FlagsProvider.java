package dev.sluice.worker.gate;

import dev.openfeature.sdk.ErrorCode;
import dev.openfeature.sdk.EvaluationContext;
import dev.openfeature.sdk.FeatureProvider;
import dev.openfeature.sdk.Metadata;
import dev.openfeature.sdk.ProviderEvaluation;
import dev.openfeature.sdk.Reason;
import dev.openfeature.sdk.Value;
import java.io.IOException;
import java.util.Optional;

/**
 * In-process OpenFeature provider over a {@link FlagSource}; the targeting key is the team's
 * number. Answers truth values only. Thread-safe.
 */
final class FlagsProvider implements FeatureProvider {
  private static final String NAME = "sluice-flags";

  private final FlagSource source;

  FlagsProvider(FlagSource source) {
    this.source = source;
  }

  @Override
  public Metadata getMetadata() {
    return () -> NAME;
  }

  @Override
  public ProviderEvaluation<Boolean> getBooleanEvaluation(
      String key, Boolean whenAbsent, EvaluationContext context) {
    String team = context.getTargetingKey();
    if (team == null || team.isBlank()) {
      return error(ErrorCode.TARGETING_KEY_MISSING, "the evaluation names no team");
    }
    try {
      Optional<Boolean> answer = FlagSet.parse(source.read()).find(key, team);
      return answer.isPresent()
          ? ProviderEvaluation.<Boolean>builder()
              .value(answer.get())
              .reason(Reason.TARGETING_MATCH.name())
              .build()
          : error(ErrorCode.FLAG_NOT_FOUND, "it is not set for team " + team);
    } catch (IOException e) {
      return error(
          ErrorCode.PROVIDER_NOT_READY,
          "the flags cannot be read: " + e.getClass().getSimpleName() + ": " + e.getMessage());
    } catch (FlagSet.MalformedFlagsException e) {
      return error(ErrorCode.PARSE_ERROR, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public ProviderEvaluation<String> getStringEvaluation(
      String key, String whenAbsent, EvaluationContext context) {
    return error(ErrorCode.TYPE_MISMATCH, "flags are true or false");
  }

  @Override
  public ProviderEvaluation<Integer> getIntegerEvaluation(
      String key, Integer whenAbsent, EvaluationContext context) {
    return error(ErrorCode.TYPE_MISMATCH, "flags are true or false");
  }

  @Override
  public ProviderEvaluation<Double> getDoubleEvaluation(
      String key, Double whenAbsent, EvaluationContext context) {
    return error(ErrorCode.TYPE_MISMATCH, "flags are true or false");
  }

  @Override
  public ProviderEvaluation<Value> getObjectEvaluation(
      String key, Value whenAbsent, EvaluationContext context) {
    return error(ErrorCode.TYPE_MISMATCH, "flags are true or false");
  }

  private static <T> ProviderEvaluation<T> error(ErrorCode code, String message) {
    return ProviderEvaluation.<T>builder()
        .errorCode(code)
        .errorMessage(message)
        .reason(Reason.ERROR.name())
        .build();
  }
}
