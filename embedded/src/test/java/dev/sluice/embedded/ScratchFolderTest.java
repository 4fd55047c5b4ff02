package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScratchFolderTest {

  @Test
  void aFolderLivesUntilItIsClosedAlthoughOthersAreSwept() throws IOException {
    try (ScratchFolder kept = ScratchFolder.create("test")) {
      Path abandoned = kept.path().resolveSibling("test-abandoned");
      Files.createDirectories(abandoned.resolve("below"));
      Files.writeString(abandoned.resolve("below").resolve("file"), "left behind");

      try (ScratchFolder next = ScratchFolder.create("test")) {
        assertThat(next.path()).isDirectory();
        assertThat(kept.path()).isDirectory();
        assertThat(abandoned).doesNotExist();
      }
    }
  }

  @Test
  void anotherJvmsSweepLeavesTheFoldersOfALivingOneAlone()
      throws IOException, InterruptedException {
    try (ScratchFolder first = ScratchFolder.create("test");
        ScratchFolder second = ScratchFolder.create("test")) {
      Process other =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  OtherJvm.class.getName())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();

      assertThat(other.waitFor()).isZero();

      assertThat(first.path()).isDirectory();
      assertThat(second.path()).isDirectory();
    }
  }

  @Test
  void aFolderWhoseLockWasLostIsSparedWhileItsOwnerLives() throws IOException {
    try (ScratchFolder mine = ScratchFolder.create("test")) {
      Path unlocked = mine.path().resolveSibling("test-unlocked");
      Files.createDirectories(unlocked);
      Files.copy(mine.path().resolve("owner"), unlocked.resolve("owner"));

      ScratchFolder.create("test").close();
      assertThat(unlocked).isDirectory();

      Files.writeString(unlocked.resolve("owner"), ProcessHandle.current().pid() + "\nearlier");
      ScratchFolder.create("test").close();
      assertThat(unlocked).doesNotExist();
    }
  }

  @Test
  void aClosedFolderIsGone() {
    ScratchFolder folder = ScratchFolder.create("test");

    folder.close();

    assertThat(folder.path()).doesNotExist();
  }

  @Test
  void aServerThatAKilledJvmLeftRunningIsFoundByItsPidFile() {
    Path data = EmbeddedDatabase.shared().dataFolder();

    Optional<ProcessHandle> found = ScratchFolder.postmasterIn(data);

    assertThat(found).hasValueSatisfying(process -> assertThat(process.isAlive()).isTrue());
  }

  @Test
  void aPidFileOfAnotherProgramIsNotTakenForAServer() throws IOException {
    try (ScratchFolder folder = ScratchFolder.create("test")) {
      Files.writeString(
          folder.path().resolve("postmaster.pid"), ProcessHandle.current().pid() + "\n");

      assertThat(ScratchFolder.postmasterIn(folder.path())).isEmpty();
    }
  }

  /** What the other JVM runs: it sweeps and makes a folder of its own. */
  static final class OtherJvm {

    private OtherJvm() {}

    public static void main(String[] arguments) {
      ScratchFolder.create("test").close();
    }
  }
}
