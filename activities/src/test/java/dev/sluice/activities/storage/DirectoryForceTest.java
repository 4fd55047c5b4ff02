package dev.sluice.activities.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryForceTest {

  private final DirectoryForce directories = new DirectoryForce();

  @TempDir private Path folder;

  @Test
  void manyThreadsThatWaitForOneFolderAllReturn() throws InterruptedException, ExecutionException {
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 500; i++) {
        all.add(
            threads.submit(
                () -> {
                  directories.force(folder);
                  return folder;
                }));
      }
    }

    for (Future<?> each : all) {
      assertThat(each.get()).isEqualTo(folder);
    }
  }

  @Test
  void aFolderThatIsGoneFailsForEachThatAsks() {
    Path gone = folder.resolve("gone");

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> directories.force(gone))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessage(gone.toString());
    }
  }

  @Test
  void anInterruptedThreadDoesNotKeepTheOthersFromForcing() throws Exception {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> directories.force(folder))
        .isInstanceOf(ClosedByInterruptException.class)
        .hasMessage(null);
    assertThat(Thread.interrupted()).isTrue();

    directories.force(folder);
  }
}
