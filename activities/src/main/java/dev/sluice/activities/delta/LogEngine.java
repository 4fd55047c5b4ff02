package dev.sluice.activities.delta;

import dev.sluice.activities.storage.StorageException;
import dev.sluice.activities.storage.StorageLocation;
import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.FileReadResult;
import io.delta.kernel.engine.JsonHandler;
import io.delta.kernel.engine.MetricsReporter;
import io.delta.kernel.engine.ParquetHandler;
import io.delta.kernel.expressions.Column;
import io.delta.kernel.expressions.Predicate;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.DataFileStatus;
import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Kernel's default engine over our stores. Failures of reading a log file name the version that was
 * asked for and the file; Kernel's own messages name neither.
 */
final class LogEngine extends DefaultEngine {

  private final StorageLocation table;
  private final long version;

  LogEngine(StorageLocation table, long version, LogFileIO files) {
    super(files);
    this.table = table;
    this.version = version;
  }

  /** None: Kernel's would log a page of JSON for every snapshot. */
  @Override
  public List<MetricsReporter> getMetricsReporters() {
    return List.of();
  }

  @Override
  public JsonHandler getJsonHandler() {
    return new NamedJson(super.getJsonHandler());
  }

  @Override
  public ParquetHandler getParquetHandler() {
    return new NamedParquet(super.getParquetHandler());
  }

  /** Opens one file. */
  private interface Opening<T> {
    CloseableIterator<T> open(CloseableIterator<FileStatus> file) throws IOException;
  }

  /** The rows of files one after the other, each file's failures under its name. */
  private final class FileByFile<T> implements CloseableIterator<T> {
    private final CloseableIterator<FileStatus> files;
    private final Opening<T> opening;
    private CloseableIterator<T> current = empty();
    private String key = "";

    FileByFile(CloseableIterator<FileStatus> files, Opening<T> opening) {
      this.files = files;
      this.opening = opening;
    }

    @Override
    public boolean hasNext() {
      while (!named(current::hasNext)) {
        if (!files.hasNext()) {
          return false;
        }
        named(
            () -> {
              current.close();
              return true;
            });
        FileStatus file = files.next();
        key = LogFileIO.key(file.getPath());
        current = named(() -> opening.open(only(file)));
      }
      return true;
    }

    @Override
    public T next() {
      return named(current::next);
    }

    @Override
    public void close() throws IOException {
      try (files) {
        current.close();
      }
    }

    private <V> V named(Reading<V> reading) {
      try {
        return reading.read();
      } catch (IOException | RuntimeException e) {
        throw failure(key, e);
      }
    }
  }

  /** Something that reads from a file. */
  private interface Reading<V> {
    V read() throws IOException;
  }

  private RuntimeException failure(String key, Exception failure) {
    Optional<RuntimeException> own = KernelFailures.own(failure);
    if (own.isEmpty()) {
      return DeltaErrors.unreadableLogFile(
          table, version, key, KernelFailures.reason(failure), failure);
    }
    return own.get() instanceof StorageException storage && isGone(storage)
        ? DeltaErrors.missingLogFile(table, version, key, storage)
        : own.get();
  }

  private static boolean isGone(StorageException failure) {
    return failure.kind() == StorageException.Kind.NOT_FOUND;
  }

  private static <T> CloseableIterator<T> empty() {
    return of(List.of());
  }

  private static CloseableIterator<FileStatus> only(FileStatus file) {
    return of(List.of(file));
  }

  private static <T> CloseableIterator<T> of(List<T> items) {
    var iterator = items.iterator();
    return new CloseableIterator<>() {
      @Override
      public boolean hasNext() {
        return iterator.hasNext();
      }

      @Override
      public T next() {
        return iterator.next();
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }

  private final class NamedJson implements JsonHandler {
    private final JsonHandler plain;

    NamedJson(JsonHandler plain) {
      this.plain = plain;
    }

    @Override
    public ColumnarBatch parseJson(
        ColumnVector texts, StructType schema, Optional<ColumnVector> selection) {
      return plain.parseJson(texts, schema, selection);
    }

    @Override
    public CloseableIterator<ColumnarBatch> readJsonFiles(
        CloseableIterator<FileStatus> files, StructType schema, Optional<Predicate> predicate) {
      return new FileByFile<>(files, file -> plain.readJsonFiles(file, schema, predicate));
    }

    @Override
    public void writeJsonFileAtomically(
        String path, CloseableIterator<Row> data, boolean overwrite) {
      throw readOnly();
    }
  }

  private final class NamedParquet implements ParquetHandler {
    private final ParquetHandler plain;

    NamedParquet(ParquetHandler plain) {
      this.plain = plain;
    }

    @Override
    public CloseableIterator<FileReadResult> readParquetFiles(
        CloseableIterator<FileStatus> files, StructType schema, Optional<Predicate> predicate) {
      return new FileByFile<>(files, file -> plain.readParquetFiles(file, schema, predicate));
    }

    @Override
    public CloseableIterator<DataFileStatus> writeParquetFiles(
        String directory, CloseableIterator<FilteredColumnarBatch> data, List<Column> statistics) {
      throw readOnly();
    }

    @Override
    public void writeParquetFileAtomically(
        String path, CloseableIterator<FilteredColumnarBatch> data) {
      throw readOnly();
    }
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("Delta tables are only read");
  }
}
