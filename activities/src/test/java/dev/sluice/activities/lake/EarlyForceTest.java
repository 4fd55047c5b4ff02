package dev.sluice.activities.lake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlyForceTest {

  /** Some pieces long. */
  private static final Duration A_WHILE = Duration.ofMillis(350);

  @TempDir Path root;

  @Test
  void filesMayAppearGrowAndVanishMeanwhile() throws IOException {
    Path folder = root.resolve("folder");
    Path kept = folder.resolve("kept");

    long written =
        EarlyForce.during(
            folder,
            () -> {
              Files.createDirectory(folder);
              Files.createDirectory(folder.resolve("no file"));
              return grow(kept, folder.resolve("gone"));
            });

    assertThat(kept).hasSize(written);
  }

  private static long grow(Path kept, Path gone) throws IOException {
    Instant end = Instant.now().plus(A_WHILE);
    long written = 0;
    try (OutputStream out = Files.newOutputStream(kept)) {
      while (Instant.now().isBefore(end)) {
        Files.write(gone, new byte[] {1});
        Files.delete(gone);
        out.write(new byte[] {1, 2, 3});
        written += 3;
      }
    }
    return written;
  }

  @Test
  void aFolderThatNeverComesIsNoFault() throws IOException {
    Path elsewhere = root.resolve("kept");

    long written =
        EarlyForce.during(root.resolve("never"), () -> grow(elsewhere, root.resolve("gone")));

    assertThat(written).isPositive();
  }

  @Test
  void itsThreadIsGoneAtItsEnd() {
    EarlyForce.during(root, () -> 1);

    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("early-force");
  }
}
