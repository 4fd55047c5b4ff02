package dev.sluice.worker.cli;

import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.worker.repl.Commands;
import dev.sluice.worker.repl.Repl;
import dev.sluice.worker.wiring.Connections;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
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

  /** They run until they are stopped, or are prompts themselves. */
  private static final Set<String> NOT_HERE = Set.of("repl", "demo", "dev", "worker", "bench");

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
    Repl repl = new Repl(new Session());
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

  /** The commands, each with this prompt's configuration and lake unless it names its own. */
  private final class Session implements Commands {

    @Override
    public List<String> names() {
      List<String> names = new ArrayList<>(SluiceCommand.commandLine().getSubcommands().keySet());
      names.removeAll(NOT_HERE);
      names.add("exit");
      return names.stream().sorted().toList();
    }

    @Override
    public int run(List<String> words, PrintWriter out, PrintWriter err) {
      CommandLine all = SluiceCommand.commandLine().setOut(out).setErr(err);
      if (NOT_HERE.contains(words.get(0))) {
        err.println(
            "sluice: %s: not at the prompt; start it from the shell".formatted(words.get(0)));
        err.flush();
        return ExitCode.USAGE.code();
      }
      int code = all.execute(withOurs(all, words).toArray(String[]::new));
      out.flush();
      err.flush();
      return code;
    }

    private List<String> withOurs(CommandLine all, List<String> words) {
      List<String> arguments = new ArrayList<>(words);
      CommandLine command = all.getSubcommands().get(words.get(0));
      if (command == null) {
        return arguments;
      }
      List<String> ours = new ArrayList<>(config.arguments());
      if (lake != null) {
        ours.addAll(List.of("--lake", lake));
      }
      for (int i = 0; i < ours.size(); i += 2) {
        boolean known = command.getCommandSpec().findOption(ours.get(i)) != null;
        if (known && !words.contains(ours.get(i))) {
          arguments.addAll(ours.subList(i, i + 2));
        }
      }
      return arguments;
    }
  }
}
