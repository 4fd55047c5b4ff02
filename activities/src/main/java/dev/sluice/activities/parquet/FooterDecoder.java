package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.SchemaDecoder.Decoded;
import dev.sluice.activities.parquet.SchemaDecoder.LeafShape;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;

/**
 * Decodes a Thrift footer and checks that it does not contradict itself or the object's size: a
 * footer that lies would give wrong counts in the catalog and read errors to every later query.
 */
final class FooterDecoder {

  /** Bytes before the first column chunk: the leading magic. */
  private static final long HEADER_BYTES = 4;

  /** Bytes after the footer: its length and the trailing magic. */
  private static final long TRAILER_BYTES = 8;

  private static final String DUCKDB = "DuckDB";

  private final String file;
  private final long sizeBytes;
  private final int footerBytes;

  private FooterDecoder(String file, long sizeBytes, int footerBytes) {
    this.file = file;
    this.sizeBytes = sizeBytes;
    this.footerBytes = footerBytes;
  }

  /**
   * Decodes {@code length} bytes from {@code offset} on.
   *
   * @throws ParquetRefusedException if it is encrypted or corrupt
   */
  static ParquetFile decode(String file, long sizeBytes, byte[] bytes, int offset, int length) {
    FileMetaData footer = parse(file, bytes, offset, length);
    if (footer.isSetEncryption_algorithm()) {
      throw ParquetErrors.encrypted(file);
    }
    return new FooterDecoder(file, sizeBytes, length).convert(footer);
  }

  private static FileMetaData parse(String file, byte[] bytes, int offset, int length) {
    try {
      FileMetaData footer = new FileMetaData();
      footer.read(new TCompactProtocol(new FooterTransport(bytes, offset, length)));
      return footer;
    } catch (TException | RuntimeException e) {
      throw ParquetErrors.unreadableFooter(file, e);
    }
  }

  private ParquetFile convert(FileMetaData footer) {
    if (footer.getNum_rows() < 0) {
      throw lie("it counts %d rows".formatted(footer.getNum_rows()));
    }
    Decoded decoded = SchemaDecoder.decode(file, footer.getSchema());
    List<LeafShape> shapes = decoded.shapes();
    List<LeafAccumulator> leaves = new ArrayList<>(shapes.size());
    for (int i = 0; i < shapes.size(); i++) {
      leaves.add(new LeafAccumulator(shapes.get(i), isOrdered(footer, i, shapes.size())));
    }
    long rows = 0;
    for (RowGroup group : footer.getRow_groups()) {
      rows += add(group, shapes, leaves);
    }
    if (rows != footer.getNum_rows()) {
      throw lie("it counts %d rows, its row groups %d".formatted(footer.getNum_rows(), rows));
    }
    return new ParquetFile(
        file,
        sizeBytes,
        footerBytes,
        rows,
        decoded.schema(),
        leaves.stream().map(LeafAccumulator::facts).toList());
  }

  /** DuckDB follows the types' own order and does not say so. */
  private static boolean isOrdered(FileMetaData footer, int leaf, int leaves) {
    if (!footer.isSetColumn_orders()) {
      return footer.isSetCreated_by() && footer.getCreated_by().startsWith(DUCKDB);
    }
    List<ColumnOrder> orders = footer.getColumn_orders();
    return orders.size() == leaves && orders.get(leaf).getSetField() != null;
  }

  private long add(RowGroup group, List<LeafShape> shapes, List<LeafAccumulator> leaves) {
    long rows = group.getNum_rows();
    List<ColumnChunk> chunks = group.getColumns();
    if (rows < 0) {
      throw lie("a row group counts %d rows".formatted(rows));
    }
    if (chunks.size() != shapes.size()) {
      throw lie(
          "a row group has %d column chunks for %d columns"
              .formatted(chunks.size(), shapes.size()));
    }
    for (int i = 0; i < chunks.size(); i++) {
      ColumnMetaData chunk = metadata(chunks.get(i));
      check(chunk, shapes.get(i), rows);
      leaves.get(i).add(chunk);
    }
    return rows;
  }

  private ColumnMetaData metadata(ColumnChunk chunk) {
    if (chunk.isSetCrypto_metadata() || chunk.isSetEncrypted_column_metadata()) {
      throw ParquetErrors.encrypted(file);
    }
    if (chunk.isSetFile_path()) {
      throw lie("a column chunk lies in another file, %s".formatted(chunk.getFile_path()));
    }
    if (!chunk.isSetMeta_data()) {
      throw lie("a column chunk has no metadata");
    }
    return chunk.getMeta_data();
  }

  private void check(ColumnMetaData chunk, LeafShape shape, long rows) {
    long values = chunk.getNum_values();
    if (values < 0 || (!shape.repeated() && values != rows)) {
      throw lie(
          "column '%s' has %d values in a row group of %d rows"
              .formatted(shape.name(), values, rows));
    }
    long start = chunk.getData_page_offset();
    if (chunk.isSetDictionary_page_offset() && chunk.getDictionary_page_offset() > 0) {
      start = Math.min(start, chunk.getDictionary_page_offset());
    }
    long size = chunk.getTotal_compressed_size();
    long end = sizeBytes - TRAILER_BYTES - footerBytes;
    if (size < 0 || (size > 0 && (start < HEADER_BYTES || start > end || size > end - start))) {
      throw lie(
          "column '%s' is said to lie at %d, %d bytes long, where the data ends at %d"
              .formatted(shape.name(), start, size, end));
    }
  }

  private ParquetRefusedException lie(String contradiction) {
    return ParquetErrors.corruptFooter(file, contradiction);
  }
}
