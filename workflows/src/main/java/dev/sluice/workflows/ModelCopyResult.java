package dev.sluice.workflows;

import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Optional;

/**
 * What became of the models of a run. A run of which a model failed carries it in its failure's
 * details, where {@link #ofFailure} finds it.
 *
 * @param published labels of the models that are live now
 * @param failed labels of the models that failed; their tables are as they were
 * @param models every model, in the order in which they were taken; one that is in neither list was
 *     skipped or is stale
 */
public record ModelCopyResult(
    List<String> published, List<String> failed, List<ModelResult> models) {

  /** Copies the lists. */
  public ModelCopyResult {
    published = List.copyOf(published);
    failed = List.copyOf(failed);
    models = List.copyOf(models);
  }

  /** Sorts the models by what became of them. */
  public static ModelCopyResult of(List<ModelResult> models) {
    return new ModelCopyResult(
        labels(models, RegisterStatus.COMPLETED), labels(models, RegisterStatus.FAILED), models);
  }

  private static List<String> labels(List<ModelResult> models, RegisterStatus status) {
    return models.stream()
        .filter(model -> model.result().status() == status)
        .map(ModelResult::label)
        .toList();
  }

  /** Finds the result inside what a failed run threw; empty when the run gave none. */
  public static Optional<ModelCopyResult> ofFailure(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof ApplicationFailure application) {
        return application.getType().equals(FailureTypes.MODELS_FAILED)
            ? Optional.ofNullable(application.getDetails().get(0, ModelCopyResult.class))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }
}
