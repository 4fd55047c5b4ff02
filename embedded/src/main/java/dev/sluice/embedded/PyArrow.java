package dev.sluice.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.opentest4j.TestAbortedException;

/**
 * Python with pyarrow, a reader of Parquet files that knows nothing of DuckDB or of lakes. The
 * wheel is fetched once with {@code python3 -m pip} into {@code .cache/pyarrow} below the project's
 * folder (or SLUICE_HOME), in a folder per version of Python, and is not installed. Thread-safe.
 */
public final class PyArrow {

  private static final String PACKAGE = "pyarrow";
  // Newer ones may read files otherwise, and a test should fail for our reasons only.
  private static final String RELEASE = "26.0.1";
  private static final Duration PIP_LIMIT = Duration.ofMinutes(5);
  private static final Duration SCRIPT_LIMIT = Duration.ofMinutes(2);

  private final Path modules;

  private PyArrow(Path modules) {
    this.modules = modules;
  }

  /**
   * The library, fetched if need be.
   *
   * @throws EmbeddedStackException when it cannot be had and {@code CI=true}
   * @throws TestAbortedException when it cannot be had elsewhere: JUnit reports a skipped test
   */
  public static PyArrow assumeAvailable() {
    return assumeAvailable(ProjectHome.find().resolve(".cache").resolve(PACKAGE), Absence.here());
  }

  static PyArrow assumeAvailable(Path cache, Absence absence) {
    return absence.orEnd("pyarrow", () -> new PyArrow(findOrFetch(cache)));
  }

  private static Path findOrFetch(Path cache) {
    String python =
        ProgramRun.output(
            Path.of("").toAbsolutePath(),
            List.of("python3", "-c", "import sys; print(sys.implementation.cache_tag)"),
            SCRIPT_LIMIT,
            EmbeddedErrors::pyArrowNotFetched);
    return FetchedFolder.require(
        cache,
        RELEASE + "-" + python,
        (work, target) -> {
          List<String> install = new ArrayList<>();
          install.addAll(List.of("python3", "-m", "pip", "install", "--no-deps", "--no-compile"));
          install.addAll(List.of("--only-binary=:all:", "--disable-pip-version-check", "--quiet"));
          install.addAll(List.of("--target", target.toString(), PACKAGE + "==" + RELEASE));
          ProgramRun.output(work, install, PIP_LIMIT, EmbeddedErrors::pyArrowNotFetched);
        });
  }

  /**
   * Runs a script that may {@code import pyarrow}.
   *
   * @param folder where it runs
   * @return what it printed, stripped
   * @throws EmbeddedStackException when it ends with an error or takes longer than two minutes
   */
  public String run(Path folder, Path script, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("env", "PYTHONPATH=" + modules, "python3"));
    command.add(script.toString());
    command.addAll(arguments);
    return ProgramRun.output(folder, command, SCRIPT_LIMIT, EmbeddedErrors::scriptFailed);
  }

  @Override
  public String toString() {
    return modules.toString();
  }
}
