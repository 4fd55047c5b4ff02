package dev.sluice.worker.cli;

import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanPlan;
import dev.sluice.workflows.naming.ByteText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a plan's files hold together.
 *
 * @param files data files
 * @param bytes their sizes
 * @param deleteFiles delete files
 * @param deleteBytes their sizes
 * @param inlinedDeletes positions deleted through the catalog
 * @param inlinedRows rows in the catalog
 */
record FileTotals(
    long files,
    long bytes,
    long deleteFiles,
    long deleteBytes,
    long inlinedDeletes,
    long inlinedRows) {

  static FileTotals of(ScanPlan plan) {
    List<ScanFile> files = plan.files();
    return new FileTotals(
        files.size(),
        files.stream().mapToLong(ScanFile::fileSizeBytes).sum(),
        files.stream().mapToLong(file -> file.deleteFiles().size()).sum(),
        files.stream()
            .flatMap(file -> file.deleteFiles().stream())
            .mapToLong(ScanFile.DeleteFile::fileSizeBytes)
            .sum(),
        files.stream().mapToLong(file -> file.inlinedDeletes().size()).sum(),
        plan.inlinedRows().stream().mapToLong(each -> each.rows().size()).sum());
  }

  void into(Map<String, @Nullable Object> tree) {
    tree.put("dataFiles", files);
    tree.put("dataBytes", bytes);
    tree.put("deleteFiles", deleteFiles);
    tree.put("deleteBytes", deleteBytes);
    tree.put("inlinedDeletes", inlinedDeletes);
    tree.put("inlinedRows", inlinedRows);
  }

  List<String> lines() {
    return List.of(
        "data files      %d, %s".formatted(files, ByteText.of(bytes)),
        "delete files    %d, %s".formatted(deleteFiles, ByteText.of(deleteBytes)),
        "in the catalog  %d rows, %d deletes".formatted(inlinedRows, inlinedDeletes));
  }
}
