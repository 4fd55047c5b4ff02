package dev.sluice.activities.query;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** The files of a lake that lies in a local folder, read where they are. */
public final class LocalDataFiles implements DataFiles {

  /** Bounds the length of one statement: at usual sizes a few thousand files. */
  private static final long LEASE_BYTES = 64L << 30;

  /** What DuckDB's file functions would take for a pattern, and quotes for good measure. */
  private static final Pattern SPECIAL = Pattern.compile("[*?\\[\\]{}~'\"\\\\]");

  private static final String FILE_SCHEME = "file://";

  private final Path links;

  /**
   * Reads local files.
   *
   * @param links folder for symbolic links to files with awkward names; made when needed
   */
  public LocalDataFiles(Path links) {
    this.links = links;
  }

  @Override
  public long leaseBytes() {
    return LEASE_BYTES;
  }

  @Override
  public Lease lease(Collection<WantedFile> files) {
    LocalLease lease = new LocalLease();
    try {
      for (WantedFile file : files) {
        lease.add(file.path(), readable(file, lease));
      }
      return lease;
    } catch (QueryException e) {
      lease.close();
      throw e;
    }
  }

  private Path readable(WantedFile file, LocalLease lease) {
    Path original =
        Path.of(
            file.path().startsWith(FILE_SCHEME)
                ? file.path().substring(FILE_SCHEME.length())
                : file.path());
    if (!Files.isRegularFile(original)) {
      throw QueryErrors.missing(file.path());
    }
    try {
      long size = Files.size(original);
      if (size != file.sizeBytes()) {
        throw QueryErrors.wrongSize(file.path(), file.sizeBytes(), size);
      }
      return SPECIAL.matcher(original.toString()).find() ? lease.link(links, original) : original;
    } catch (IOException e) {
      throw QueryErrors.cacheUnusable(links, e);
    }
  }

  private static final class LocalLease implements Lease {

    private final Map<String, Path> paths = new HashMap<>();
    private final Map<Path, Path> linked = new HashMap<>();

    void add(String path, Path local) {
      paths.put(path, local);
    }

    Path link(Path links, Path original) throws IOException {
      Files.createDirectories(links);
      Path folder = Files.createTempDirectory(links, "scan");
      Path link = folder.resolve("file.parquet");
      linked.put(link, folder);
      return Files.createSymbolicLink(link, original.toAbsolutePath());
    }

    @Override
    public Path local(String path) {
      return Objects.requireNonNull(paths.get(path), path);
    }

    @Override
    public void close() {
      linked.forEach(
          (link, folder) -> {
            try {
              Files.deleteIfExists(link);
              Files.deleteIfExists(folder);
            } catch (IOException e) {
              throw QueryErrors.cacheUnusable(folder, e);
            }
          });
    }
  }
}
