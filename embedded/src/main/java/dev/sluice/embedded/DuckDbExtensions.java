package dev.sluice.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signed extension files that the Python index ships, kept in {@code
 * .cache/duckdb-extensions/<engine version>} below the project's folder (or SLUICE_HOME). What is
 * there is used again; what is missing is fetched once, also when several JVMs ask at the same
 * time. Thread-safe.
 */
public final class DuckDbExtensions {

  private static final Logger log = LoggerFactory.getLogger(DuckDbExtensions.class);
  private static final Duration PIP_LIMIT = Duration.ofMinutes(5);

  private final Path folder;
  private final String engineVersion;

  private DuckDbExtensions(Path folder, String engineVersion) {
    this.folder = folder;
    this.engineVersion = engineVersion;
  }

  /** The extensions for the DuckDB engine on the class path, in the project's cache. */
  public static DuckDbExtensions ofProject() {
    return in(ProjectHome.find().resolve(".cache").resolve("duckdb-extensions"));
  }

  /** The extensions for the DuckDB engine on the class path, in a folder of one's own. */
  public static DuckDbExtensions in(Path cacheFolder) {
    String version = DuckDbEngine.version();
    return new DuckDbExtensions(cacheFolder.resolve(version), version);
  }

  /** The folder of the files. */
  public Path folder() {
    return folder;
  }

  /** Where an extension's file is or will be. */
  public Path file(DuckDbExtension extension) {
    return folder.resolve(extension.fileName());
  }

  /**
   * Makes sure that the files are there, fetching the missing ones with {@code python3 -m pip}.
   *
   * @throws EmbeddedStackException when python3, pip or the package index cannot be used
   */
  public void require(Collection<DuckDbExtension> extensions) {
    FetchedOnce.into(folder, () -> missing(extensions).isEmpty(), () -> fetch(missing(extensions)));
  }

  private List<DuckDbExtension> missing(Collection<DuckDbExtension> extensions) {
    return extensions.stream().filter(each -> !Files.isRegularFile(file(each))).toList();
  }

  private void fetch(List<DuckDbExtension> missing) throws IOException {
    // Wheels have DuckDB's number without the leading v.
    String release = engineVersion.substring(1);
    List<String> packages =
        missing.stream().map(each -> each.packageName() + "==" + release).toList();
    String named = String.join(", ", packages);
    log.info("fetching DuckDB extensions once: {}", named);
    Path wheels = Files.createTempDirectory(folder, "wheels");
    try {
      download(packages, named, wheels);
      for (DuckDbExtension extension : missing) {
        unpack(extension, wheels, named);
      }
      log.info("DuckDB extensions are in {}", folder);
    } finally {
      ScratchFolder.deleteRecursively(wheels);
    }
  }

  private void download(List<String> packages, String named, Path wheels) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("python3", "-m", "pip", "download", "--no-deps"));
    command.addAll(List.of("--only-binary=:all:", "--disable-pip-version-check", "--quiet"));
    command.addAll(List.of("--dest", wheels.toString()));
    command.addAll(packages);
    ProgramRun.output(
        wheels,
        command,
        PIP_LIMIT,
        (reason, cause) -> EmbeddedErrors.extensionsNotFetched(folder, named, reason, cause));
  }

  private void unpack(DuckDbExtension extension, Path wheels, String named) throws IOException {
    Path wheel = wheelOf(extension, wheels, named);
    try (ZipFile zip = new ZipFile(wheel.toFile())) {
      ZipEntry entry = zip.getEntry(extension.wheelEntry(engineVersion));
      if (entry == null) {
        throw EmbeddedErrors.extensionsNotFetched(
            folder, named, wheel.getFileName() + " lacks " + extension.fileName(), null);
      }
      Path part = Files.createTempFile(wheels, extension.duckDbName(), ".part");
      try (InputStream content = zip.getInputStream(entry)) {
        Files.copy(content, part, StandardCopyOption.REPLACE_EXISTING);
      }
      // A reader sees the whole file or none.
      Files.move(part, file(extension), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private Path wheelOf(DuckDbExtension extension, Path wheels, String named) throws IOException {
    String prefix = extension.packageName().replace('-', '_') + "-";
    try (Stream<Path> files = Files.list(wheels)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow(
              () ->
                  EmbeddedErrors.extensionsNotFetched(
                      folder, named, "pip left no file " + prefix + "*", null));
    }
  }

  @Override
  public String toString() {
    return Stream.of(DuckDbExtension.values())
        .filter(each -> Files.isRegularFile(file(each)))
        .map(DuckDbExtension::duckDbName)
        .collect(Collectors.joining(", ", folder + ": ", ""));
  }
}
