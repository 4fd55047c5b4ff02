package dev.sluice.activities.delta;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.fileio.InputFile;
import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.defaults.engine.fileio.SeekableInputStream;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Local files for Delta Kernel, with nothing of ours in between. */
final class PlainFileIO implements FileIO {

  @Override
  public CloseableIterator<FileStatus> listFrom(String path) throws IOException {
    Path from = Path.of(path);
    try (Stream<Path> files = Files.list(from.getParent())) {
      List<FileStatus> found =
          files
              .filter(file -> file.getFileName().compareTo(from.getFileName()) >= 0)
              .filter(Files::isRegularFile)
              .sorted()
              .map(file -> status(file.toFile()))
              .toList();
      return Utils.toCloseableIterator(found.iterator());
    } catch (NoSuchFileException e) {
      throw new FileNotFoundException(path);
    }
  }

  private static FileStatus status(File file) {
    return FileStatus.of(file.getPath(), file.length(), file.lastModified());
  }

  @Override
  public FileStatus getFileStatus(String path) throws FileNotFoundException {
    if (!Files.exists(Path.of(path))) {
      throw new FileNotFoundException(path);
    }
    return status(Path.of(path).toFile());
  }

  @Override
  public String resolvePath(String path) {
    return Path.of(path).toAbsolutePath().toString();
  }

  @Override
  public InputFile newInputFile(String path, long fileSize) {
    Path file = Path.of(path.startsWith("file:") ? path.substring("file:".length()) : path);
    return new InputFile() {
      @Override
      public long length() throws IOException {
        return Files.size(file);
      }

      @Override
      public String path() {
        return path;
      }

      @Override
      public SeekableInputStream newStream() throws IOException {
        try {
          return LogStream.of(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
          throw new FileNotFoundException(path);
        }
      }
    };
  }

  @Override
  public Optional<String> getConf(String key) {
    return Optional.empty();
  }

  @Override
  public boolean mkdirs(String path) {
    throw new UnsupportedOperationException(path);
  }

  @Override
  public OutputFile newOutputFile(String path) {
    throw new UnsupportedOperationException(path);
  }

  @Override
  public boolean delete(String path) {
    throw new UnsupportedOperationException(path);
  }

  @Override
  public void copyFileAtomically(String source, String target, boolean overwrite) {
    throw new UnsupportedOperationException(target);
  }
}
