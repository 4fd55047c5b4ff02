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

class PyArrowTest {

  @TempDir private Path folder;

  @Test
  void aScriptRunsWithPyArrowAndItsErrorsAreShown() throws IOException {
    PyArrow pyArrow = PyArrow.assumeAvailable();
    Path script = folder.resolve("script.py");
    Files.writeString(
        script, "import sys, pyarrow\nprint(pyarrow.array([1, 2])[int(sys.argv[1])])");

    assertThat(pyArrow.run(folder, script, List.of("1"))).isEqualTo("2");
    assertThatThrownBy(() -> pyArrow.run(folder, script, List.of("2")))
        .isInstanceOf(EmbeddedStackException.class)
        .hasMessageContaining("script with pyarrow: it did not succeed")
        .hasMessageContaining("IndexError");
  }

  @Test
  void whereItCannotBeHadTestsAreSkippedButFailOnContinuousIntegration() throws IOException {
    // a file where the cache's folder should be makes every fetch impossible
    Path blocked = Files.writeString(folder.resolve("blocked"), "").resolve("cache");

    assertThatThrownBy(() -> PyArrow.assumeAvailable(blocked, Absence.SKIPS))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("no pyarrow: ");
    assertThatThrownBy(() -> PyArrow.assumeAvailable(blocked, Absence.FAILS))
        .isInstanceOf(EmbeddedStackException.class)
        .hasMessageNotContaining("no pyarrow: ");
  }
}
