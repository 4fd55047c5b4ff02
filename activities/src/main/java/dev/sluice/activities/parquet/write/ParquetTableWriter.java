package dev.sluice.activities.parquet.write;

import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectUpload;
import dev.sluice.activities.storage.StorageException;
import dev.sluice.catalog.Column;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of a table into one Parquet object, streaming: no more than a row group is in memory.
 * Nothing is visible in the store before {@link #finish()}; closing without it leaves nothing
 * behind. For one thread at a time.
 *
 * <p>Values by type: Boolean; Byte, Short, Integer, Long or BigInteger for integers; Float; Double;
 * BigDecimal; LocalDate; LocalTime; LocalDateTime for timestamps; Instant or OffsetDateTime for
 * timestamptz; String for varchar and json; byte[]; UUID; List for a list and, in field order, for
 * a struct; Map. Null is NULL.
 */
public final class ParquetTableWriter implements AutoCloseable {

  private final ObjectStore store;
  private final String key;
  private final List<Column> columns;
  private final ObjectUpload upload;
  private final StoreOutputFile output;
  private final ParquetWriter<List<@Nullable Object>> writer;
  private long rows;
  private boolean ended;

  private ParquetTableWriter(
      ObjectStore store,
      String key,
      List<Column> columns,
      ObjectUpload upload,
      StoreOutputFile output,
      ParquetWriter<List<@Nullable Object>> writer) {
    this.store = store;
    this.key = key;
    this.columns = columns;
    this.upload = upload;
    this.output = output;
    this.writer = writer;
  }

  /**
   * Begins a file.
   *
   * @param store where it goes
   * @param key its key there
   * @param columns top-level columns; their ids become field ids
   * @throws ParquetWriteException if a column's type is not written
   */
  public static ParquetTableWriter open(
      ObjectStore store, String key, List<Column> columns, ParquetWriteOptions options) {
    String path = store.uri(key);
    MessageType schema = MessageTypes.of(path, columns);
    ObjectUpload upload = store.upload(key);
    StoreOutputFile output = new StoreOutputFile(upload, path);
    try {
      return new ParquetTableWriter(
          store,
          key,
          List.copyOf(columns),
          upload,
          output,
          new Builder(output, new RowSupport(path, columns, schema))
              .withConf(new PlainParquetConfiguration())
              .withCompressionCodec(codec(options.compression()))
              .withRowGroupSize(options.rowGroupBytes())
              .build());
    } catch (IOException e) {
      upload.close();
      throw WriteErrors.failed(path, e);
    } catch (RuntimeException e) {
      upload.close();
      throw e;
    }
  }

  /**
   * Adds a row.
   *
   * @param values one per column
   * @throws ParquetWriteException if a value does not fit its column exactly; the file cannot be
   *     finished then
   */
  public void write(@Nullable Object... values) {
    if (values.length != columns.size()) {
      throw WriteErrors.rowWidth(store.uri(key), rows, columns.size(), values.length);
    }
    try {
      writer.write(Arrays.asList(values));
      rows++;
    } catch (IOException e) {
      throw abandoned(WriteErrors.failed(store.uri(key), e));
    } catch (StorageException | ParquetWriteException e) {
      throw abandoned(e);
    }
  }

  /** Rows written so far. */
  public long rows() {
    return rows;
  }

  /** Bytes that are written or wait in memory, before compression of what waits. */
  public long bytes() {
    return writer.getDataSize();
  }

  /**
   * Completes the file and makes it visible.
   *
   * @throws ParquetWriteException if that fails; nothing is stored then
   */
  public WrittenFile finish() {
    if (ended) {
      throw new IllegalStateException(store.uri(key) + ": the file has ended");
    }
    try {
      writer.close();
      ObjectInfo info = upload.complete();
      ended = true;
      return new WrittenFile(key, store.uri(key), rows, info.sizeBytes(), output.footerSize());
    } catch (IOException e) {
      throw abandoned(WriteErrors.failed(store.uri(key), e));
    } catch (StorageException e) {
      throw abandoned(e);
    }
  }

  /** Gives the file up unless it was finished. */
  @Override
  public void close() {
    if (!ended) {
      ended = true;
      output.discard();
      try (upload) {
        // frees the codec's native memory
        writer.close();
      } catch (IOException e) {
        throw WriteErrors.failed(store.uri(key), e);
      }
    }
  }

  private RuntimeException abandoned(RuntimeException cause) {
    try {
      close();
    } catch (StorageException | ParquetWriteException onClose) {
      cause.addSuppressed(onClose);
    }
    return cause;
  }

  private static CompressionCodecName codec(ParquetWriteOptions.Compression compression) {
    return switch (compression) {
      case NONE -> CompressionCodecName.UNCOMPRESSED;
      case SNAPPY -> CompressionCodecName.SNAPPY;
      case ZSTD -> CompressionCodecName.ZSTD;
    };
  }

  private static final class Builder
      extends ParquetWriter.Builder<List<@Nullable Object>, Builder> {

    private final RowSupport support;

    Builder(StoreOutputFile file, RowSupport support) {
      super(file);
      this.support = support;
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // still abstract in Parquet
    protected WriteSupport<List<@Nullable Object>> getWriteSupport(Configuration configuration) {
      return support;
    }

    @Override
    protected WriteSupport<List<@Nullable Object>> getWriteSupport(
        ParquetConfiguration configuration) {
      return support;
    }
  }

  private static final class RowSupport extends WriteSupport<List<@Nullable Object>> {

    private final String file;
    private final List<Column> columns;
    private final MessageType schema;
    private @Nullable RecordConsumer consumer;
    private @Nullable ValueWriters values;

    RowSupport(String file, List<Column> columns, MessageType schema) {
      this.file = file;
      this.columns = List.copyOf(columns);
      this.schema = schema;
    }

    @Override
    @SuppressWarnings("deprecation") // still abstract in Parquet
    public WriteContext init(Configuration configuration) {
      return new WriteContext(schema, Map.of());
    }

    @Override
    public WriteContext init(ParquetConfiguration configuration) {
      return new WriteContext(schema, Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer recordConsumer) {
      consumer = recordConsumer;
      values = new ValueWriters(file, recordConsumer);
    }

    @Override
    public void write(List<@Nullable Object> row) {
      RecordConsumer open = consumer;
      ValueWriters writers = values;
      if (open == null || writers == null) {
        throw new IllegalStateException("Parquet must prepare before it writes");
      }
      open.startMessage();
      writers.fields(columns, row);
      open.endMessage();
    }
  }
}
