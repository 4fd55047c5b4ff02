package dev.sluice.worker.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.SampleDelta;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the demo finds in a folder, and for whom it is brought in. */
class SourceDirectoryTest {

  private static final String ID = "0198d000_9999_7a00_8000_0000000000d9";
  private static final String PREPARED = "orders__query_1785365521_5be1a0c7";

  @Test
  void deltaTablesBesidePreparedFoldersAreCopiedForATeamOfTheirOwn(@TempDir Path folder)
      throws Exception {
    delta(folder);
    Files.createDirectories(folder.resolve("team_2_shop_" + ID).resolve(PREPARED));
    Files.createDirectories(folder.resolve("team_1_shop_" + ID).resolve(PREPARED));

    assertThat(found(folder))
        .containsExactly(
            "1 REGISTER " + PREPARED,
            "2 REGISTER " + PREPARED,
            "3 COPY tickets version 0",
            "3 COPY tickets version 1");
  }

  @Test
  void deltaTablesOfATeamWithoutPreparedFoldersStayItsOwn(@TempDir Path folder) throws Exception {
    delta(folder);
    Files.createDirectories(folder.resolve("team_1_shop_" + ID).resolve(PREPARED));

    assertThat(found(folder))
        .containsExactly(
            "1 REGISTER " + PREPARED, "2 COPY tickets version 0", "2 COPY tickets version 1");
  }

  @Test
  void versionsComeInTheOrderOfTheirCommits(@TempDir Path folder) throws Exception {
    delta(folder);

    assertThat(SourceDirectory.read(folder).imports())
        .extracting(round -> round.getFirst().label())
        .containsExactly("tickets version 0", "tickets version 1");
  }

  @Test
  void anEarlierVersionWhoseFilesAreGoneIsLeftOutAndTheNewestNever(@TempDir Path folder)
      throws Exception {
    delta(folder);
    try (Stream<Path> files = Files.walk(folder)) {
      Files.delete(files.filter(file -> file.toString().contains("part-00001")).findFirst().get());
    }

    assertThat(found(folder)).containsExactly("2 COPY tickets version 1");
  }

  @Test
  void aFolderWithoutEitherIsRefused(@TempDir Path folder) throws IOException {
    Files.createDirectories(folder.resolve("team_1_shop_" + ID).resolve("something"));

    assertThatThrownBy(() -> SourceDirectory.read(folder))
        .isInstanceOf(DemoException.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("nothing to import");
  }

  /** The sample's table, of team 2 and with two versions. */
  private static void delta(Path folder) throws SQLException {
    try (DuckLakeSession session = DuckLakeSession.open(List.of())) {
      SampleDelta.inFolder(session, folder).write();
    }
  }

  private static List<String> found(Path folder) {
    return SourceDirectory.read(folder).imports().stream()
        .flatMap(List::stream)
        .map(each -> each.source().team() + " " + each.source().path() + " " + each.label())
        .sorted()
        .toList();
  }
}
