package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

class DuckDbExtensionsTest {

  @Test
  void filesLieByEngineVersionInTheProjectsCache() {
    DuckDbExtensions extensions = DuckDbExtensions.ofProject();

    assertThat(extensions.folder().getFileName().toString()).matches("v\\d+\\.\\d+\\.\\d+");
    assertThat(extensions.file(DuckDbExtension.DUCKLAKE))
        .isEqualTo(extensions.folder().resolve("ducklake.duckdb_extension"));
  }

  @Test
  void whatIsThereIsUsedAgainWithoutFetching(@TempDir Path cache) throws IOException {
    DuckDbExtensions extensions = DuckDbExtensions.in(cache);
    Files.createDirectories(extensions.folder());
    for (DuckDbExtension extension : DuckDbExtension.REFEREE) {
      Files.writeString(extensions.file(extension), "there");
    }

    extensions.require(DuckDbExtension.REFEREE);

    assertThat(extensions.file(DuckDbExtension.DUCKLAKE)).hasContent("there");
    assertThat(extensions)
        .hasToString(extensions.folder() + ": postgres_scanner, httpfs, ducklake");
  }

  @Test
  void whereTheyCannotBeHadTestsAreSkippedButFailOnContinuousIntegration(@TempDir Path temporary)
      throws IOException {
    // A file where the cache's folder should be makes every fetch impossible.
    Path blocked = Files.writeString(temporary.resolve("blocked"), "");
    DuckDbExtensions extensions = DuckDbExtensions.in(blocked);

    assertThatThrownBy(() -> DuckDbReferee.assumeAvailable(extensions, Absence.SKIPS))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("no DuckDB referee: folder " + extensions.folder());
    assertThatThrownBy(() -> DuckDbReferee.assumeAvailable(extensions, Absence.FAILS))
        .isInstanceOf(EmbeddedStackException.class)
        .hasMessageContaining("it cannot be made, read or locked");
  }

  @Test
  void theDeltaExtensionIsOptIn() {
    assertThat(DuckDbExtension.REFEREE).doesNotContain(DuckDbExtension.DELTA);
    assertThat(List.of(DuckDbExtension.values())).contains(DuckDbExtension.DELTA);
  }
}
