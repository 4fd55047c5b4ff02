package dev.sluice.worker.cli;

import dev.sluice.activities.query.ScanRows;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A file that rows go to. */
final class FileOption {

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "Write the rows into this new file instead of printing them.")
  private @Nullable Path file;

  /** The file; refused when none was named. */
  Path required() {
    Path to = file;
    if (to == null) {
      throw CommandErrors.parquetNeedsFile();
    }
    return to;
  }

  /** Prints rows into the file, or else where they are printed. */
  void print(RowFormat format, Map<String, Object> head, ScanRows rows, PrintWriter out) {
    Path to = file;
    if (to == null) {
      format.print(head, rows, out);
      return;
    }
    try (PrintWriter writer =
        new PrintWriter(
            Files.newBufferedWriter(to, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW))) {
      format.print(head, rows, writer);
      if (writer.checkError()) {
        throw new IOException("the disk may be full");
      }
    } catch (IOException e) {
      throw CommandErrors.notWritten(to, e);
    }
  }
}
