package dev.sluice.worker.demo;

import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.TransferMonitor;
import dev.sluice.workflows.naming.SourceFolder;
import dev.sluice.workflows.upstream.ImportTableInput;
import dev.sluice.workflows.upstream.ImportedTable;
import dev.sluice.workflows.upstream.UpstreamImportActivities;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The importer of the demo's upstream team: what a real one would fetch from a source's API, this
 * one has in a folder, and writes it to the bucket as prepared folders. Thread-safe.
 */
final class DemoImporter implements UpstreamImportActivities {

  /** A hint that may be ahead of the version. */
  private static final String LAST_CHECKPOINT = "_last_checkpoint";

  private final ObjectStore bucket;
  private final Map<String, List<PreparedGeneration>> imports = new ConcurrentHashMap<>();

  DemoImporter(ObjectStore bucket) {
    this.bucket = bucket;
  }

  /** Makes known what the import of that id will find upstream. */
  void offer(String jobId, List<PreparedGeneration> generations) {
    imports.put(jobId, List.copyOf(generations));
  }

  @Override
  public ImportedTable importTable(ImportTableInput input) {
    PreparedGeneration wanted =
        imports.getOrDefault(input.jobId(), List.of()).stream()
            .filter(each -> each.source().schemaId().equals(input.table().sourceSchemaId()))
            .findFirst()
            .orElseThrow(
                () ->
                    ApplicationFailure.newNonRetryableFailure(
                        "import " + input.jobId() + ": nothing upstream for " + input.table(),
                        "NothingUpstream"));
    lay(wanted);
    return new ImportedTable(wanted.isDelta() ? null : wanted.folder(), wanted.order());
  }

  /** Writes one generation to the bucket. */
  void lay(PreparedGeneration wanted) {
    PreparedSource source = wanted.source();
    String prefix =
        SourceFolder.path(source.team(), source.sourceType(), source.schemaId())
            + "/"
            + wanted.folder();
    if (wanted.isDelta()) {
      layDelta(wanted.directory(), wanted.order().value(), prefix);
    } else {
      lay(wanted.directory(), prefix);
    }
  }

  /**
   * Writes what a version of a Delta table adds to what is there: as upstream, a file that is there
   * is never written again, and the log grows by one commit after the other.
   */
  private void layDelta(Path directory, long version, String prefix) {
    for (Path file : dataFirst(filesOf(directory))) {
      String key = prefix + "/" + key(directory, file);
      boolean wanted =
          !file.getFileName().toString().equals(LAST_CHECKPOINT)
              && DeltaVersions.isOf(version, file);
      if (wanted && bucket.find(key).isEmpty()) {
        upload(file, key);
      }
    }
  }

  /** Writes a folder's files below a prefix; the log of a Delta table comes last. */
  void lay(Path directory, String prefix) {
    for (Path file : dataFirst(filesOf(directory))) {
      upload(file, prefix + "/" + key(directory, file));
    }
  }

  private static List<Path> dataFirst(List<Path> files) {
    return files.stream()
        .sorted(Comparator.comparing((Path file) -> file.toString().contains(DeltaVersions.LOG)))
        .toList();
  }

  private void upload(Path file, String key) {
    try (InputStream content = Files.newInputStream(file)) {
      bucket.put(key, content, TransferMonitor.NONE);
    } catch (IOException e) {
      throw DemoErrors.unreadable(file, e);
    }
  }

  private static String key(Path directory, Path file) {
    return directory.relativize(file).toString().replace('\\', '/');
  }

  private static List<Path> filesOf(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw DemoErrors.unreadable(directory, e);
    }
  }
}
