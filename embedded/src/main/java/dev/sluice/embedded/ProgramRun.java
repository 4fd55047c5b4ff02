package dev.sluice.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a program of this machine to its end. */
final class ProgramRun {

  private static final Logger log = LoggerFactory.getLogger(ProgramRun.class);
  private static final int SHOWN_OUTPUT_CHARACTERS = 600;

  private ProgramRun() {}

  /** Makes the error of a run that did not succeed. */
  @FunctionalInterface
  interface Failure {
    EmbeddedStackException of(String reason, @Nullable Throwable cause);
  }

  /**
   * Runs it without input.
   *
   * @param folder where it runs
   * @return what it printed on both streams, stripped
   * @throws EmbeddedStackException when it is not there, fails or takes longer than the limit
   */
  static String output(Path folder, List<String> command, Duration limit, Failure failure) {
    @Nullable Process process = null;
    @Nullable Path output = null;
    try {
      // A pipe would have to be read meanwhile, and would outlive the limit.
      output = Files.createTempFile("sluice-program", ".log");
      process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
      String said = Files.readString(output, StandardCharsets.UTF_8).strip();
      if (!ended || process.exitValue() != 0) {
        String shown = said.substring(Math.max(0, said.length() - SHOWN_OUTPUT_CHARACTERS));
        String outcome =
            ended
                ? "ended with " + process.exitValue()
                : "had not ended after " + limit.toSeconds() + " s";
        throw failure.of("'%s' %s: %s".formatted(String.join(" ", command), outcome, shown), null);
      }
      return said;
    } catch (IOException e) {
      throw failure.of(command.get(0) + " could not be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure.of("the wait was interrupted", e);
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
      remove(output);
    }
  }

  private static void remove(@Nullable Path output) {
    if (output != null) {
      try {
        Files.deleteIfExists(output);
      } catch (IOException e) {
        log.warn("{} could not be removed: {}", output, e.toString());
      }
    }
  }
}
