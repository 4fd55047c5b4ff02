package dev.sluice.activities.parquet;

import dev.sluice.activities.parallel.Parallel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads the footers of Parquet files by ranged requests: one for most files, a second one only
 * where a footer is longer than the tail that was asked for. Never reads data pages. Thread-safe.
 */
public final class ParquetFooters {

  /**
   * Bytes asked for at once. The footer of a file of 50 columns and one row group takes about 10
   * KiB; a larger request costs a cold endpoint hardly more than a small one.
   */
  public static final int DEFAULT_TAIL_BYTES = 64 * 1024;

  /**
   * Requests at a time. At 20 ms of latency 24,000 files then wait for 2.5 seconds, which is what
   * two cores need to work on them; the tails in flight stay within 12 MiB of heap, and the
   * connections within {@link dev.sluice.activities.storage.S3Settings#DEFAULT_MAX_CONNECTIONS}.
   */
  public static final int DEFAULT_IN_FLIGHT = 192;

  private static final int TRAILER_BYTES = 8;
  private static final int MAGIC_BYTES = 4;

  /** Leading magic, footer length and trailing magic: no Parquet file is shorter. */
  private static final int SMALLEST_FILE_BYTES = 12;

  private static final String PLAIN_MAGIC = "PAR1";
  private static final String ENCRYPTED_MAGIC = "PARE";

  private final FooterSource source;
  private final int tailBytes;
  private final int inFlight;
  private final Map<FileSchema, FileSchema> schemas = new ConcurrentHashMap<>();

  /** Reads with the default sizes. */
  public ParquetFooters(FooterSource source) {
    this(source, DEFAULT_IN_FLIGHT);
  }

  /**
   * Reads with the default tail.
   *
   * @param inFlight most requests at a time, at least 1
   */
  public ParquetFooters(FooterSource source, int inFlight) {
    this(source, DEFAULT_TAIL_BYTES, inFlight);
  }

  /**
   * Reads with chosen sizes.
   *
   * @param tailBytes bytes of the first request, at least 8
   * @param inFlight most requests at a time, at least 1
   */
  public ParquetFooters(FooterSource source, int tailBytes, int inFlight) {
    if (tailBytes < TRAILER_BYTES || inFlight < 1) {
      throw new IllegalArgumentException(
          "tail of at least 8 bytes and at least 1 request in flight, got %d and %d"
              .formatted(tailBytes, inFlight));
    }
    this.source = source;
    this.tailBytes = tailBytes;
    this.inFlight = inFlight;
  }

  /** Follows a run on the calling thread; whatever it throws stops the run. */
  public interface Progress {

    /** Follows nothing. */
    Progress NONE = (read, total) -> {};

    /** Called after each file, and about once a second while none is done. */
    void at(int filesRead, int filesTotal);
  }

  /**
   * Reads the footers of all files, several at a time.
   *
   * @return the files in the order of the keys
   * @throws ParquetRefusedException the first refusal; no further file is begun
   * @throws InterruptedException when the calling thread is interrupted; no request is left running
   */
  public List<ParquetFile> readAll(List<String> keys, Progress progress)
      throws InterruptedException {
    ParquetFile[] files = new ParquetFile[keys.size()];
    List<Integer> indexes = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      indexes.add(i);
    }
    Parallel.run(
        indexes,
        inFlight,
        index -> read(keys.get(index)),
        new Parallel.Observer<Integer, ParquetFile>() {
          private int done;

          @Override
          public void completed(Integer index, ParquetFile file) {
            files[index] = file;
            done++;
            progress.at(done, files.length);
          }

          @Override
          public void waiting() {
            progress.at(done, files.length);
          }
        });
    return List.of(files);
  }

  /**
   * Reads one footer.
   *
   * @throws ParquetRefusedException if it is no readable Parquet file
   */
  public ParquetFile read(String key) {
    FooterSource.Tail tail = source.tail(key, tailBytes);
    byte[] bytes = tail.bytes();
    long size = tail.sizeBytes();
    if (size == 0) {
      throw ParquetErrors.emptyObject(key);
    }
    if (size < SMALLEST_FILE_BYTES || bytes.length < TRAILER_BYTES) {
      throw ParquetErrors.notParquet(key, size);
    }
    String magic = magic(bytes, bytes.length - MAGIC_BYTES);
    if (magic.equals(ENCRYPTED_MAGIC)) {
      throw ParquetErrors.encrypted(key);
    }
    if (!magic.equals(PLAIN_MAGIC) || (bytes.length == size && !startsAsParquet(bytes))) {
      throw ParquetErrors.notParquet(key, size);
    }
    return intern(decode(key, size, bytes));
  }

  private ParquetFile decode(String key, long size, byte[] tail) {
    long length =
        Integer.toUnsignedLong(
            ByteBuffer.wrap(tail)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt(tail.length - TRAILER_BYTES));
    long most = Math.min(size - SMALLEST_FILE_BYTES, Integer.MAX_VALUE - TRAILER_BYTES);
    if (length == 0 || length > most) {
      throw ParquetErrors.corruptFooter(
          key, "it is said to be %d bytes long in a file of %d bytes".formatted(length, size));
    }
    int footerBytes = Math.toIntExact(length);
    int before = tail.length - TRAILER_BYTES - footerBytes;
    if (before >= 0) {
      return FooterDecoder.decode(key, size, tail, before, footerBytes);
    }
    byte[] footer = source.read(key, size - TRAILER_BYTES - footerBytes, footerBytes);
    if (footer.length != footerBytes) {
      throw ParquetErrors.corruptFooter(
          key, "%d of its %d bytes were there".formatted(footer.length, footerBytes));
    }
    return FooterDecoder.decode(key, size, footer, 0, footerBytes);
  }

  private static boolean startsAsParquet(byte[] file) {
    return magic(file, 0).equals(PLAIN_MAGIC);
  }

  private static String magic(byte[] bytes, int offset) {
    return new String(bytes, offset, MAGIC_BYTES, StandardCharsets.ISO_8859_1);
  }

  /**
   * The files of one table mostly share a schema; keeping it once keeps the list of files small.
   */
  private ParquetFile intern(ParquetFile file) {
    FileSchema known = schemas.putIfAbsent(file.schema(), file.schema());
    return known == null
        ? file
        : new ParquetFile(
            file.key(), file.sizeBytes(), file.footerBytes(), file.rows(), known, file.leaves());
  }
}
