package dev.sluice.worker.cli;

import dev.sluice.worker.demo.BareStack;
import dev.sluice.worker.demo.Demo;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the commands that start the embedded stack. */
final class StackOptions {

  @Option(
      names = "--source",
      paramLabel = "DIR",
      description = "Import what lies in this folder instead of a sample.")
  private @Nullable Path source;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Keep databases and objects in this folder; by default they are removed.")
  private @Nullable Path keep;

  /** Starts the stack; progress goes to the given writer, line by line. */
  Demo start(PrintWriter err) {
    return Demo.start(source, keep, lines(err));
  }

  /** Starts the stack without a worker; see {@link BareStack#start}. */
  BareStack startBare(int further, PrintWriter err) {
    return BareStack.start(source, keep, further, lines(err));
  }

  private static Consumer<String> lines(PrintWriter err) {
    return line -> {
      err.println("sluice: " + line);
      err.flush();
    };
  }

  /** Where databases and objects are kept; null when they are removed. */
  @Nullable Path keep() {
    return keep;
  }
}
