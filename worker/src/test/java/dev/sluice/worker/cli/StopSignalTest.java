package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A process that is told to end closes what it has opened, and then ends without waiting on. */
class StopSignalTest {

  /** Shorter than the time that a process may take for closing, which it must not use up. */
  private static final long PATIENCE_SECONDS = 30;

  @Test
  void aProcessThatIsToldToEndClosesWhatItOpenedAndEnds() throws Exception {
    Process process =
        new ProcessBuilder(java(), "-cp", classPath(), Waiting.class.getName()).start();
    try (BufferedReader lines = process.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("opened");

      // Through its handle: the process itself would close the streams at once.
      process.toHandle().destroy();

      assertThat(lines.readLine()).isEqualTo("closed");
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  /** Ends as the program does: with an explicit exit code after everything is closed. */
  static final class Waiting {

    private Waiting() {}

    public static void main(String[] arguments) throws InterruptedException {
      try (StopSignal stop = new StopSignal();
          Opened opened = new Opened()) {
        opened.say("opened");
        stop.await();
      }
      System.exit(0);
    }
  }

  private static final class Opened implements AutoCloseable {

    void say(String line) {
      System.out.println(line);
    }

    @Override
    public void close() {
      say("closed");
    }
  }
}
