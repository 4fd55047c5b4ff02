package dev.sluice.worker.demo;

import dev.sluice.activities.storage.TemporaryFolder;
import dev.sluice.worker.wiring.OpenResources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The embedded stack with prepared folders in its upstream bucket and without a worker, so that
 * workers in processes of their own can come and go, and be killed. Thread-safe.
 */
public final class BareStack implements AutoCloseable {

  private final OpenResources resources = new OpenResources();
  private final ConnectedStack stack;
  private final List<Waiting> waiting;

  /**
   * A generation that lies in the bucket and was not triggered.
   *
   * @param source the source's name in the configuration
   * @param folder the prepared folder's bare name
   */
  public record Waiting(String source, String folder) {}

  private BareStack(
      @Nullable Path source, @Nullable Path kept, int further, Consumer<String> progress) {
    try {
      SourceDirectory sources =
          (source == null
                  ? Demo.sample(resources.opened(TemporaryFolder.create()).path())
                  : SourceDirectory.read(source))
              .registered()
              .continued(further);
      if (source != null && sources.sources().isEmpty()) {
        throw DemoErrors.nothingPrepared(source);
      }
      progress.accept("starting PostgreSQL, an S3 endpoint and Temporal in this process");
      this.stack = ConnectedStack.open(resources, StackPorts.free(), sources.sources(), kept);
      List<Waiting> laid = new ArrayList<>();
      for (List<PreparedGeneration> round : sources.imports()) {
        for (PreparedGeneration generation : round) {
          stack.importer().lay(generation);
          laid.add(new Waiting(StackConfiguration.name(generation.source()), generation.folder()));
        }
      }
      this.waiting = List.copyOf(laid);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Starts a stack on free ports.
   *
   * @param source folder with prepared files; null for a small sample that is made
   * @param kept folder in which databases and objects outlive the stack; null for temporary ones
   * @param further generations to add to every source, made of those it has in turn
   * @param progress is told what goes on, a line at a time
   */
  public static BareStack start(
      @Nullable Path source, @Nullable Path kept, int further, Consumer<String> progress) {
    return new BareStack(source, kept, further, progress);
  }

  /** The configuration file for workers and for every other command. */
  public Path configurationFile() {
    return stack.configurationFile();
  }

  /** What can be triggered, oldest generations first. */
  public List<Waiting> waiting() {
    return waiting;
  }

  /** Statements that attach its lake in DuckDB. */
  public List<String> attach() {
    return AttachText.statements(stack.stack());
  }

  /** Stops everything. */
  @Override
  public void close() {
    resources.close();
  }
}
