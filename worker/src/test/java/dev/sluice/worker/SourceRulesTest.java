package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the compiler does not see: rules about the text of all modules' sources, tests included. */
class SourceRulesTest {

  private static final List<String> MODULES =
      List.of("embedded", "catalog", "workflows", "activities", "worker");
  // The S3 endpoint adds latency to requests: that is what it is for.
  private static final Pattern MAY_SLEEP =
      Pattern.compile(".*Sleeper\\.java|ObservedBlobStore\\.java");
  private static final int LINES_AT_MOST = 1000;

  private static final Map<Path, String> SOURCES = new TreeMap<>();

  @BeforeAll
  static void readSources() throws IOException {
    Path project = Path.of("").toAbsolutePath().resolveSibling("");
    for (String module : MODULES) {
      Path root = project.resolve(module).resolve("src");
      try (Stream<Path> files = Files.walk(root)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(file -> !file.getFileName().toString().startsWith("SourceRulesTest"))
            .forEach(file -> SOURCES.put(project.relativize(file), read(file)));
      }
    }
    assertThat(SOURCES).isNotEmpty();
  }

  @Test
  void nothingIsLeftForLater() {
    assertThat(filesWith("\\b(TODO|FIXME|XXX)\\b")).isEmpty();
  }

  @Test
  void testsAreNeitherDisabledNorMockedNorAsleep() {
    assertThat(
            filesWith(
                "@Disabled\\b|\\bMockito\\b|\\bThread\\.sleep\\(|\\bTimeUnit\\.\\w+\\.sleep\\("))
        .allMatch(file -> MAY_SLEEP.matcher(file.getFileName().toString()).matches());
  }

  @Test
  void noFileGrowsBeyondReading() {
    assertThat(SOURCES)
        .allSatisfy(
            (file, text) ->
                assertThat(text.lines().count()).as("%s", file).isLessThanOrEqualTo(LINES_AT_MOST));
  }

  private static List<Path> filesWith(String expression) {
    Pattern pattern = Pattern.compile(expression);
    return SOURCES.entrySet().stream()
        .filter(each -> pattern.matcher(each.getValue()).find())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
