package dev.sluice.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the folder whose {@code .cache} this module may fill. */
final class ProjectHome {

  private ProjectHome() {}

  /**
   * The folder named by the environment's SLUICE_HOME; else the outermost folder above the working
   * directory that has a Maven project of ours; else the user's home.
   */
  static Path find() {
    String named = System.getenv("SLUICE_HOME");
    if (named != null && !named.isBlank()) {
      return Path.of(named).toAbsolutePath();
    }
    @Nullable Path outermost = null;
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isRegularFile(folder.resolve("pom.xml"))) {
        outermost = folder;
      } else if (outermost != null) {
        break;
      }
    }
    return outermost != null ? outermost : Path.of(System.getProperty("user.home"));
  }
}
