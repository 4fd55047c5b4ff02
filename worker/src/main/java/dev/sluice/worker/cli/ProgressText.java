package dev.sluice.worker.cli;

import dev.sluice.workflows.RegisterProgress;
import dev.sluice.workflows.RegisterStage;
import dev.sluice.workflows.naming.ByteText;
import java.util.List;
import java.util.Locale;

/** Says in one line how far a register workflow is. */
final class ProgressText {

  private static final int BAR_WIDTH = 24;
  private static final List<RegisterStage> STAGES = List.of(RegisterStage.values());

  private ProgressText() {}

  /** A bar over the stages, the stage, and what it counts. */
  static String line(RegisterProgress progress) {
    int filled = BAR_WIDTH * STAGES.indexOf(progress.stage()) / (STAGES.size() - 1);
    StringBuilder line =
        new StringBuilder("[")
            .append("#".repeat(filled))
            .append(".".repeat(BAR_WIDTH - filled))
            .append("] ")
            .append(String.format(Locale.ROOT, "%-8s", progress.stage().word()));
    if (progress.table() != null) {
      line.append(' ').append(progress.schema()).append('.').append(progress.table());
    }
    if (progress.filesTotal() != null) {
      line.append("  ").append(progress.filesDone()).append('/').append(progress.filesTotal());
      line.append(" files");
    }
    if (progress.bytesTotal() != null) {
      line.append("  ").append(ByteText.of(progress.bytesTotal()));
    }
    if (progress.rows() != null) {
      line.append("  ").append(progress.rows()).append(" rows");
    }
    return line.toString();
  }
}
