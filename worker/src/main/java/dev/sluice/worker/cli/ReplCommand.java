package dev.sluice.worker.cli;

import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.worker.repl.Repl;
import dev.sluice.worker.wiring.Connections;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The prompt. */
@Command(
    name = "repl",
    mixinStandardHelpOptions = true,
    description = {
      "Type commands at a prompt: the same as after ./sluice, without it.",
      "Tab completes commands, tables and columns; a line that ends with \\ or in a quote goes on in"
          + " the next; long output is shown a screen at a time. When the input is no terminal it is"
          + " a script: a command a line, # begins a comment, the first that fails ends it."
    },
    footer = {
      "",
      "Examples:",
      "  ./sluice repl",
      "  echo 'scan shop orders limit 3' | ./sluice repl"
    })
final class ReplCommand implements Callable<Integer> {

  private static final String HISTORY = "sluice/history";

  @Spec private CommandSpec spec;

  @Option(
      names = "--lake",
      paramLabel = "NAME",
      description = "The lake of all commands, by its name in the configuration.")
  private @Nullable String lake;

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  public Integer call() throws IOException {
    Repl repl = new Repl(new ReplSession(config.arguments(), lake));
    try (Terminal terminal = TerminalBuilder.builder().system(true).dumb(true).build();
        Connections connections = config.connect()) {
      if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
        BufferedReader script =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        return repl.script(script, spec.commandLine().getOut(), spec.commandLine().getErr());
      }
      CatalogReader reader = connections.require(connections.lakeOrFirst(lake)).catalog().reader();
      repl.interactive(terminal, history(), () -> reader.view(reader.latest()));
      return ExitCode.DONE.code();
    }
  }

  private static Path history() {
    String state = System.getenv("XDG_STATE_HOME");
    return state == null || state.isBlank()
        ? Path.of(System.getProperty("user.home"), ".local", "state").resolve(HISTORY)
        : Path.of(state).resolve(HISTORY);
  }
}
