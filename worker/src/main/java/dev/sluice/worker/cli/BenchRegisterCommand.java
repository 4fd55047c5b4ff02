package dev.sluice.worker.cli;

import dev.sluice.worker.bench.RegisterBench;
import dev.sluice.worker.bench.RegisterPlan;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Measures the register path. */
@Command(
    name = "register",
    mixinStandardHelpOptions = true,
    description = {
      "Register small Parquet files: our inspect + verify + publish against ducklake_add_data_files,",
      "our landing against a bare copy, our publishing transaction against the bare COPY of its rows."
    })
final class BenchRegisterCommand implements Callable<Integer> {

  /** Over a slow endpoint DuckDB needs a minute for so many; it grows along a line. */
  private static final int DUCKDB_FILES_WITH_LATENCY = 400;

  @Spec private CommandSpec spec;

  @Option(
      names = "--files",
      defaultValue = "24000",
      description = "Files to register (default: ${DEFAULT-VALUE}).")
  private int files;

  @Option(
      names = "--columns",
      defaultValue = "10",
      description = "Columns of each file (default: ${DEFAULT-VALUE}).")
  private int columns;

  @Option(
      names = "--rows",
      defaultValue = "100",
      description = "Rows of each file (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--latency",
      paramLabel = "TIME",
      converter = Latency.class,
      description = "Use an S3 endpoint that delays every request, e.g. 20ms; default: local disk.")
  private @Nullable Duration latency;

  @Option(
      names = "--duckdb-files",
      paramLabel = "N",
      description = {
        "Files on DuckDB's side; its time for all is then extrapolated from its measured growth.",
        "Default: all on local disk, " + DUCKDB_FILES_WITH_LATENCY + " with --latency."
      })
  private @Nullable Integer duckDbFiles;

  @Mixin private BenchOutput output = new BenchOutput();

  @Override
  public Integer call() throws InterruptedException {
    output.print(new RegisterBench(plan(), output.progress()).run());
    return 0;
  }

  private RegisterPlan plan() {
    Duration delay = latency == null ? Duration.ZERO : latency;
    int most = delay.isZero() ? files : DUCKDB_FILES_WITH_LATENCY;
    try {
      return new RegisterPlan(
          files, columns, rows, delay, duckDbFiles == null ? Math.min(files, most) : duckDbFiles);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** Milliseconds as {@code 20ms}, seconds as {@code 1s}. */
  static final class Latency implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      String lower = text.toLowerCase(Locale.ROOT);
      try {
        if (lower.endsWith("ms")) {
          return Duration.ofMillis(Long.parseLong(lower.substring(0, lower.length() - 2)));
        }
        if (lower.endsWith("s")) {
          return Duration.ofSeconds(Long.parseLong(lower.substring(0, lower.length() - 1)));
        }
      } catch (NumberFormatException e) {
        throw unreadable(text, e);
      }
      throw unreadable(text, null);
    }

    private static TypeConversionException unreadable(String text, @Nullable Throwable cause) {
      TypeConversionException unreadable =
          new TypeConversionException(
              "'" + text + "' is no time; write it as milliseconds or seconds, e.g. 20ms or 1s");
      if (cause != null) {
        unreadable.initCause(cause);
      }
      return unreadable;
    }
  }
}
