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

/** Where pgbouncer is taken from. */
class PgBouncerProgramTest {

  @TempDir private Path folder;

  @Test
  void theMachinesOwnIsTakenBeforeTheCache() throws IOException {
    Path installed = Files.createFile(folder.resolve("pgbouncer"));
    assertThat(installed.toFile().setExecutable(true)).isTrue();

    assertThat(
            PgBouncerProgram.assumeAvailable(
                List.of(folder.resolve("none"), installed), folder.resolve("cache"), Absence.FAILS))
        .hasToString(installed.toString());
  }

  @Test
  void whatWasUnpackedIsUsedAgainWithItsLibraries() throws IOException {
    Path libraries = folder.resolve("cache/unpacked/usr/lib/x86_64-linux-gnu");
    Files.createDirectories(libraries);

    PgBouncerProgram found =
        PgBouncerProgram.assumeAvailable(List.of(), folder.resolve("cache"), Absence.FAILS);

    assertThat(found).hasToString(folder.resolve("cache/unpacked/usr/sbin/pgbouncer").toString());
    assertThat(found.process(folder.resolve("p.ini")).environment())
        .containsEntry("LD_LIBRARY_PATH", libraries.toString());
  }

  @Test
  void whereItCannotBeHadTestsAreSkippedButFailOnContinuousIntegration() throws IOException {
    // a file where the cache's folder should be makes every fetch impossible
    Path blocked = Files.writeString(folder.resolve("blocked"), "").resolve("cache");

    assertThatThrownBy(() -> PgBouncerProgram.assumeAvailable(List.of(), blocked, Absence.SKIPS))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("no pgbouncer: folder " + blocked);
    assertThatThrownBy(() -> PgBouncerProgram.assumeAvailable(List.of(), blocked, Absence.FAILS))
        .isInstanceOf(EmbeddedStackException.class)
        .hasMessageContaining("it cannot be made, read or locked");
  }
}
