package dev.sluice.activities.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.activities.parquet.ParquetRefusedException;
import dev.sluice.activities.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every Delta table below a folder (a checkout of the Delta project), read by us and by Delta
 * Kernel's own reader. {@code local-dev/delta-tables.sh} runs it.
 */
class DeltaGoldenTablesTest {

  private static final int LONGEST_REASON = 160;

  /** What came out for one table. */
  private record Verdict(String table, Outcome outcome, String detail) {

    String line() {
      return "| `%s` | %s | %s |".formatted(table, outcome.text, detail);
    }
  }

  private enum Outcome {
    SAME("read"),
    ONLY_OURS("read, not by Delta Kernel"),
    REFUSED("refused"),
    BOTH_REFUSED("refused, by Delta Kernel too"),
    DIFFERENT("**read wrongly**");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }
  }

  @Test
  void noTableIsReadOtherwiseThanByDeltaKernel() throws IOException {
    String folder = System.getProperty("sluice.deltaTables");
    assumeThat(folder).as("no folder of Delta tables is given").isNotNull();
    List<Verdict> verdicts = new ArrayList<>();
    for (Path table : tables(Path.of(folder))) {
      verdicts.add(verdict(Path.of(folder), table));
    }
    List<String> lines =
        new ArrayList<>(List.of("| table | outcome | rows, or why not |", "|---|---|---|"));
    verdicts.stream().map(Verdict::line).forEach(lines::add);
    Files.write(Path.of(System.getProperty("sluice.deltaReport")), lines);

    assertThat(verdicts).isNotEmpty();
    assertThat(verdicts).filteredOn(each -> each.outcome() == Outcome.DIFFERENT).isEmpty();
  }

  private static List<Path> tables(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths
          .filter(path -> path.endsWith("_delta_log"))
          .map(Path::getParent)
          .sorted()
          .toList();
    }
  }

  private static Verdict verdict(Path root, Path path) {
    String name = root.relativize(path).toString().replaceAll(".*/(golden|resources)/", "");
    DeltaFolder table = new DeltaFolder(path);
    List<String> kernel = new ArrayList<>();
    String kernelFailure = "";
    try {
      kernel.addAll(new KernelRows().read(path));
    } catch (IOException | RuntimeException e) {
      kernelFailure = reason(e, table);
    }
    boolean kernelReads = kernelFailure.isEmpty();
    try {
      List<String> ours = new PlannedRows(table.store(), table.latest()).read();
      if (!kernelReads) {
        return new Verdict(name, Outcome.ONLY_OURS, ours.size() + "; Kernel: " + kernelFailure);
      }
      List<String> left = ours.stream().sorted().toList();
      List<String> right = kernel.stream().sorted().toList();
      return left.equals(right)
          ? new Verdict(name, Outcome.SAME, Integer.toString(ours.size()))
          : new Verdict(name, Outcome.DIFFERENT, firstDifference(left, right));
    } catch (DeltaException | ParquetRefusedException | StorageException | SQLException e) {
      return new Verdict(
          name, kernelReads ? Outcome.REFUSED : Outcome.BOTH_REFUSED, reason(e, table));
    }
  }

  private static String firstDifference(List<String> ours, List<String> kernels) {
    for (int i = 0; i < Math.min(ours.size(), kernels.size()); i++) {
      if (!ours.get(i).equals(kernels.get(i))) {
        return "ours " + ours.get(i) + ", Kernel's " + kernels.get(i);
      }
    }
    return "ours has %d rows, Kernel's %d".formatted(ours.size(), kernels.size());
  }

  /** The first line, without the folder it begins with. */
  private static String reason(Exception e, DeltaFolder table) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    String line =
        text.lines()
            .findFirst()
            .orElse("")
            .replace(table.store().location().uri(), "")
            .replaceFirst("^: ", "")
            .replace("|", "\\|");
    return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON) + "…";
  }
}
