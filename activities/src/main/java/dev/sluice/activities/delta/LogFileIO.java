package dev.sluice.activities.delta;

import dev.sluice.activities.delta.LogListing.LogFile;
import dev.sluice.activities.storage.ObjectStore;
import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.fileio.InputFile;
import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.defaults.engine.fileio.SeekableInputStream;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.FileNotFoundException;
import java.util.Iterator;
import java.util.Optional;

/**
 * Delta Kernel's view of one table in an object store. Kernel sees the table at {@link #ROOT},
 * whatever its real location, so that no character of that has a meaning for Kernel's paths.
 * Listings are answered from the one that was taken. Everything that writes is refused.
 */
final class LogFileIO implements FileIO {

  /** Where Kernel believes the table to be. */
  static final String ROOT = "/table";

  private static final String LOG = ROOT + "/" + LogListing.FOLDER;

  /** Large checkpoints are read column by column, in pieces of this. */
  private static final int WINDOW_BYTES = 1 << 20;

  private final ObjectStore folder;
  private final LogListing listing;
  private final LogContents contents;

  LogFileIO(ObjectStore folder, LogListing listing, LogContents contents) {
    this.folder = folder;
    this.listing = listing;
    this.contents = contents;
  }

  /** The key below the table's folder of a path that Kernel uses. */
  static String key(String path) {
    if (!path.startsWith(ROOT + "/")) {
      throw new IllegalArgumentException("outside the table: " + path);
    }
    return path.substring(ROOT.length() + 1);
  }

  @Override
  public CloseableIterator<FileStatus> listFrom(String path) throws FileNotFoundException {
    if (!path.startsWith(LOG)) {
      throw new FileNotFoundException(path);
    }
    Iterator<LogFile> files = listing.from(path.substring(LOG.length())).iterator();
    return new CloseableIterator<>() {
      @Override
      public boolean hasNext() {
        return files.hasNext();
      }

      @Override
      public FileStatus next() {
        return status(files.next());
      }

      @Override
      public void close() {
        // The listing is in memory.
      }
    };
  }

  private static FileStatus status(LogFile file) {
    return FileStatus.of(LOG + file.name(), file.sizeBytes(), file.modifiedAt().toEpochMilli());
  }

  @Override
  public FileStatus getFileStatus(String path) throws FileNotFoundException {
    return find(path)
        .map(LogFileIO::status)
        .orElseThrow(() -> new FileNotFoundException(key(path)));
  }

  private Optional<LogFile> find(String path) {
    return path.startsWith(LOG) ? listing.find(path.substring(LOG.length())) : Optional.empty();
  }

  @Override
  public String resolvePath(String path) {
    return path;
  }

  @Override
  public InputFile newInputFile(String path, long fileSize) {
    return new InputFile() {
      @Override
      public long length() {
        return find(path).map(LogFile::sizeBytes).orElse(fileSize);
      }

      @Override
      public String path() {
        return path;
      }

      @Override
      public SeekableInputStream newStream() {
        return stream(path, length());
      }
    };
  }

  private SeekableInputStream stream(String path, long sizeBytes) {
    String key = key(path);
    Optional<LogFile> listed = find(path);
    if (listed.isPresent() && sizeBytes <= LogContents.WHOLE_FILE_BYTES) {
      return LogStream.of(contents.read(listed.get()));
    }
    return new LogStream(
        (offset, length) -> folder.read(key, offset, length), sizeBytes, WINDOW_BYTES);
  }

  @Override
  public Optional<String> getConf(String key) {
    return Optional.empty();
  }

  @Override
  public boolean mkdirs(String path) {
    throw readOnly();
  }

  @Override
  public OutputFile newOutputFile(String path) {
    throw readOnly();
  }

  @Override
  public boolean delete(String path) {
    throw readOnly();
  }

  @Override
  public void copyFileAtomically(String source, String target, boolean overwrite) {
    throw readOnly();
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("Delta tables are only read");
  }
}
