package dev.sluice.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pgbouncer of this machine; else Debian's package, fetched once with {@code apt-get download}
 * and unpacked, not installed, in {@code .cache/pgbouncer} below the project's folder (or
 * SLUICE_HOME), together with the two libraries that it needs and servers often lack. Only when the
 * machine has no list of packages yet, {@code apt-get update} is run, which wants root.
 * Thread-safe.
 */
public final class PgBouncerProgram {

  private static final Logger log = LoggerFactory.getLogger(PgBouncerProgram.class);
  private static final List<Path> USUAL_PLACES =
      List.of(
          Path.of("/usr/sbin/pgbouncer"),
          Path.of("/usr/bin/pgbouncer"),
          Path.of("/usr/local/bin/pgbouncer"),
          Path.of("/opt/homebrew/bin/pgbouncer"));
  private static final String PACKAGE = "pgbouncer";
  private static final List<String> RARE_LIBRARIES = List.of("libc-ares", "libevent-");
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(3);

  private final Path file;
  private final List<Path> libraries;

  private PgBouncerProgram(Path file, List<Path> libraries) {
    this.file = file;
    this.libraries = List.copyOf(libraries);
  }

  /**
   * The program, fetched if need be.
   *
   * @throws EmbeddedStackException when it cannot be had and {@code CI=true}
   * @throws TestAbortedException when it cannot be had elsewhere: JUnit reports a skipped test
   */
  public static PgBouncerProgram assumeAvailable() {
    return assumeAvailable(
        USUAL_PLACES, ProjectHome.find().resolve(".cache").resolve(PACKAGE), Absence.here());
  }

  static PgBouncerProgram assumeAvailable(List<Path> places, Path cache, Absence absence) {
    return absence.orEnd("pgbouncer", () -> findOrFetch(places, cache));
  }

  private static PgBouncerProgram findOrFetch(List<Path> places, Path cache) {
    for (Path place : places) {
      if (Files.isExecutable(place)) {
        return new PgBouncerProgram(place, List.of());
      }
    }
    Path unpacked = FetchedFolder.require(cache, "unpacked", PgBouncerProgram::fetch);
    try {
      return inside(unpacked);
    } catch (IOException e) {
      throw EmbeddedErrors.folderUnusable(cache, e);
    }
  }

  private static PgBouncerProgram inside(Path unpacked) throws IOException {
    try (Stream<Path> folders = Files.list(unpacked.resolve("usr/lib"))) {
      return new PgBouncerProgram(
          unpacked.resolve("usr/sbin").resolve(PACKAGE),
          folders.filter(Files::isDirectory).toList());
    }
  }

  private static void fetch(Path work, Path root) throws IOException {
    Path packages = Files.createDirectory(work.resolve("packages"));
    download(packages, List.of(PACKAGE));
    String depends =
        command(packages, List.of("dpkg-deb", "-f", only(packages).toString(), "Depends"));
    download(packages, rare(depends));
    try (Stream<Path> files = Files.list(packages)) {
      for (Path each : files.filter(PgBouncerProgram::isPackage).toList()) {
        command(packages, List.of("dpkg-deb", "-x", each.toString(), root.toString()));
      }
    }
  }

  private static boolean isPackage(Path file) {
    return file.toString().endsWith(".deb");
  }

  private static Path only(Path packages) throws IOException {
    try (Stream<Path> files = Files.list(packages)) {
      return files
          .filter(PgBouncerProgram::isPackage)
          .findFirst()
          .orElseThrow(() -> EmbeddedErrors.pgBouncerNotFetched("apt-get left no package", null));
    }
  }

  /** Names out of {@code a (>= 1), b | c}. */
  private static List<String> rare(String depends) {
    return Arrays.stream(depends.split("[,|]"))
        .map(each -> each.strip().split(" ", 2)[0])
        .filter(each -> RARE_LIBRARIES.stream().anyMatch(each::startsWith))
        .toList();
  }

  private static void download(Path folder, List<String> packages) {
    List<String> download = new ArrayList<>(List.of("apt-get", "download", "--quiet"));
    download.addAll(packages);
    try {
      command(folder, download);
    } catch (EmbeddedStackException noLists) {
      log.info("no list of packages yet: {}", noLists.getMessage());
      command(folder, List.of("apt-get", "update", "--quiet"));
      command(folder, download);
    }
  }

  private static String command(Path folder, List<String> command) {
    return ProgramRun.output(folder, command, COMMAND_LIMIT, EmbeddedErrors::pgBouncerNotFetched);
  }

  /** A process of it, with standard error joined to standard output. */
  ProcessBuilder process(Path configuration) {
    ProcessBuilder builder =
        new ProcessBuilder(file.toString(), configuration.toString()).redirectErrorStream(true);
    if (!libraries.isEmpty()) {
      builder
          .environment()
          .put(
              "LD_LIBRARY_PATH",
              libraries.stream().map(Path::toString).collect(Collectors.joining(":")));
    }
    return builder;
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
