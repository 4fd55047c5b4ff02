package dev.sluice.worker.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that reads something and prints it, for people or as JSON. */
abstract class ReadingCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output = new OutputOptions();

  /** Reads; everything that was opened is closed again. */
  abstract Answer answer();

  OutputOptions output() {
    return output;
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  PrintWriter err() {
    return spec.commandLine().getErr();
  }

  @Override
  public Integer call() {
    Answer answer = answer();
    if (output.json()) {
      out().println(JsonText.of(answer.tree()));
    } else {
      answer.lines().forEach(out()::println);
    }
    out().flush();
    return answer.code().code();
  }
}
