package dev.sluice.worker.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** In which form rows come. */
final class RowOptions {

  @Option(
      names = "--output",
      paramLabel = "FORM",
      description =
          "table (the default), csv, json (the same as --json) or jsonl (an object a line); scan"
              + " also has parquet.")
  private @Nullable RowOutput output;

  /** The form, of which {@code --json} is one. */
  RowOutput output(OutputOptions options) {
    if (!options.json()) {
      return output == null ? RowOutput.TABLE : output;
    }
    if (output != null && output != RowOutput.JSON) {
      throw CommandErrors.twoForms(output.name());
    }
    return RowOutput.JSON;
  }

  /** The form, for commands whose rows are only printed. */
  RowOutput printed(OutputOptions options) {
    RowOutput form = output(options);
    if (form == RowOutput.PARQUET) {
      throw CommandErrors.onlyScansAreParquet();
    }
    return form;
  }
}
