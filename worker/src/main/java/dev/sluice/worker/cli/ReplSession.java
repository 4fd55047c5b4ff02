package dev.sluice.worker.cli;

import dev.sluice.worker.repl.Commands;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The commands of a prompt, each with its configuration and lake unless it names its own. */
final class ReplSession implements Commands {

  /** They run until they are stopped, or are prompts themselves. */
  private static final Set<String> NOT_HERE = Set.of("repl", "demo", "dev", "worker", "bench");

  private final List<String> ours = new ArrayList<>();

  /**
   * A session.
   *
   * @param config how the configuration is named on the command line; empty for the usual one
   * @param lake the lake of all commands; null for the first of the configuration
   */
  ReplSession(List<String> config, @Nullable String lake) {
    ours.addAll(config);
    if (lake != null) {
      ours.addAll(List.of("--lake", lake));
    }
  }

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
      err.println("sluice: %s: not at the prompt; start it from the shell".formatted(words.get(0)));
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
    for (int i = 0; i < ours.size(); i += 2) {
      boolean known = command.getCommandSpec().findOption(ours.get(i)) != null;
      if (known && !words.contains(ours.get(i))) {
        arguments.addAll(ours.subList(i, i + 2));
      }
    }
    return arguments;
  }
}
