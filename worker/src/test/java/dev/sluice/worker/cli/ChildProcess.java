package dev.sluice.worker.cli;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The command line in a process of its own, which can be killed as a process is killed.
 * Thread-safe.
 */
final class ChildProcess implements AutoCloseable {

  private static final long BOUND_SECONDS = 120;

  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private boolean ended;
  private volatile boolean halted;

  private ChildProcess(Process process) {
    this.process = process;
    Thread.ofVirtual().start(this::read);
  }

  /** Starts the program with the class path of this test. */
  static ChildProcess start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.add("-Xmx512m");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(classPath());
    command.add("dev.sluice.worker.Main");
    command.addAll(List.of(arguments));
    return new ChildProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  private static String classPath() {
    // a test runner may have put the real class path elsewhere
    String real = System.getProperty("surefire.test.class.path");
    String own = System.getProperty("java.class.path", "");
    return real == null ? own : real + File.pathSeparator + own;
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        add(line);
      }
    } catch (IOException e) {
      add("the output of the process broke off: " + e);
    } finally {
      end();
    }
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  private synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Everything it has said. */
  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /** Waits until it says such a line. */
  synchronized String awaitLine(Predicate<String> wanted) throws InterruptedException {
    int read = 0;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (true) {
      for (; read < lines.size(); read++) {
        if (wanted.test(lines.get(read))) {
          return lines.get(read);
        }
      }
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (ended || left <= 0) {
        throw new IllegalStateException(
            "the process did not say what was awaited, but:\n" + String.join("\n", lines));
      }
      wait(left);
    }
  }

  /** Lets it run for so long; an end of its own before that is a failure. */
  void leaveRunning(long millis) throws InterruptedException {
    if (process.waitFor(millis, TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("the process has ended:\n" + String.join("\n", lines()));
    }
  }

  /** Ends it as {@code kill -9} does, and waits until it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Stops it as {@code kill -STOP} does: it holds what it holds, and does nothing. */
  void halt() throws IOException, InterruptedException {
    signal("STOP");
    halted = true;
  }

  /** Lets it go on where it was halted. */
  void goOn() throws IOException, InterruptedException {
    signal("CONT");
    halted = false;
  }

  private void signal(String name) throws IOException, InterruptedException {
    int sent =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    if (sent != 0) {
      throw new IllegalStateException("signal " + name + " was not delivered: " + sent);
    }
  }

  /** Ends it in order; kills it when it is halted, or when that takes too long. */
  @Override
  public void close() {
    if (halted) {
      process.destroyForcibly();
    } else {
      process.destroy();
    }
    try {
      if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
