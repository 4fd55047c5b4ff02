package dev.sluice.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
  private static final int SHOWN_OUTPUT_CHARACTERS = 600;

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
        USUAL_PLACES,
        ProjectHome.find().resolve(".cache").resolve(PACKAGE),
        "true".equals(System.getenv("CI"))
            ? DuckDbReferee.Absence.FAILS
            : DuckDbReferee.Absence.SKIPS);
  }

  static PgBouncerProgram assumeAvailable(
      List<Path> places, Path cache, DuckDbReferee.Absence absence) {
    try {
      return findOrFetch(places, cache);
    } catch (EmbeddedStackException e) {
      if (absence == DuckDbReferee.Absence.FAILS) {
        throw e;
      }
      log.warn("SKIPPED, no pgbouncer: {}", e.getMessage());
      throw new TestAbortedException("no pgbouncer: " + e.getMessage(), e);
    }
  }

  private static PgBouncerProgram findOrFetch(List<Path> places, Path cache) {
    for (Path place : places) {
      if (Files.isExecutable(place)) {
        return new PgBouncerProgram(place, List.of());
      }
    }
    Path unpacked = cache.resolve("unpacked");
    try {
      if (!Files.isDirectory(unpacked)) {
        Files.createDirectories(cache);
        fetch(cache, unpacked);
      }
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

  /** One JVM at a time; a reader sees the whole folder or none. */
  private static synchronized void fetch(Path cache, Path unpacked) throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                cache.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      log.trace("fetching under {}", held);
      if (Files.isDirectory(unpacked)) {
        return;
      }
      log.info("fetching Debian's package of pgbouncer once, into {}", cache);
      Path work = Files.createTempDirectory(cache, "fetch");
      try {
        Path packages = Files.createDirectory(work.resolve("packages"));
        download(packages, List.of(PACKAGE));
        String depends =
            command(packages, List.of("dpkg-deb", "-f", only(packages).toString(), "Depends"));
        download(packages, rare(depends));
        Path root = Files.createDirectory(work.resolve("root"));
        try (Stream<Path> files = Files.list(packages)) {
          for (Path each : files.filter(PgBouncerProgram::isPackage).toList()) {
            command(packages, List.of("dpkg-deb", "-x", each.toString(), root.toString()));
          }
        }
        Files.move(root, unpacked, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        ScratchFolder.deleteRecursively(work);
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
    Process process = null;
    try {
      Path output = Files.createTempFile(folder, "command", ".log");
      process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = process.waitFor(COMMAND_LIMIT.toSeconds(), TimeUnit.SECONDS);
      String said = Files.readString(output, StandardCharsets.UTF_8).strip();
      if (!ended || process.exitValue() != 0) {
        String shown = said.substring(Math.max(0, said.length() - SHOWN_OUTPUT_CHARACTERS));
        throw EmbeddedErrors.pgBouncerNotFetched(
            "'%s' %s: %s"
                .formatted(
                    String.join(" ", command),
                    ended ? "ended with " + process.exitValue() : "had not ended in time",
                    shown),
            null);
      }
      return said;
    } catch (IOException e) {
      throw EmbeddedErrors.pgBouncerNotFetched(command.get(0) + " could not be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw EmbeddedErrors.pgBouncerNotFetched("the wait was interrupted", e);
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
    }
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
