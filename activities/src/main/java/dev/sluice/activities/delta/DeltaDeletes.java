package dev.sluice.activities.delta;

import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageException;
import dev.sluice.activities.storage.StorageLocation;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.CRC32;
import org.roaringbitmap.IntIterator;
import org.roaringbitmap.InvalidRoaringFormat;
import org.roaringbitmap.RoaringBitmap;

/**
 * The positions of the deleted rows of one file, read from its deletion vector. Memory is about the
 * vector's serialised size ({@link DeletionVector#sizeBytes()}), twice that while it is read, and
 * at most 512 MiB; positions are handed out one by one. Immutable and thread-safe.
 *
 * <p>The format is that of the Delta protocol, "Deletion Vectors" and "Deletion Vector Format": a
 * 64-bit extension of Roaring bitmaps, in an object framed by length and CRC-32.
 */
public final class DeltaDeletes {

  private static final int MAGIC = 1681511377;
  private static final int MAGIC_BYTES = Integer.BYTES;
  private static final byte FILE_FORMAT_VERSION = 1;
  private static final int FRAME_BYTES = 2 * Integer.BYTES;

  /** Enough for the positions of four billion rows; what is larger would not be held in memory. */
  private static final int MAX_BYTES = 512 << 20;

  /** One byte of format version stands before the first vector. */
  private static final int FIRST_OFFSET = 1;

  private final List<Part> parts;
  private final long cardinality;

  /** Positions with the same upper 32 bits. */
  private record Part(int high, RoaringBitmap low) {}

  private DeltaDeletes(List<Part> parts) {
    this.parts = List.copyOf(parts);
    this.cardinality = parts.stream().mapToLong(part -> part.low().getLongCardinality()).sum();
  }

  /**
   * Reads a vector, verifying its checksum (where it has one) and its number of rows.
   *
   * @param folder the table's folder
   * @throws DeltaException of kind BROKEN_DELETES
   */
  public static DeltaDeletes read(ObjectStore folder, DeletionVector vector) {
    StorageLocation table = folder.location();
    String name = name(vector);
    try {
      DeltaDeletes deletes =
          new DeltaDeletes(
              parts(
                  ByteBuffer.wrap(
                      switch (vector) {
                        case DeletionVector.Inline inline -> decoded(inline);
                        case DeletionVector.Stored stored -> framed(folder, stored);
                      })));
      if (deletes.cardinality() != vector.cardinality()) {
        throw new IOException(
            "it deletes %d rows and the log says %d"
                .formatted(deletes.cardinality(), vector.cardinality()));
      }
      return deletes;
    } catch (IOException
        | BufferUnderflowException
        | IndexOutOfBoundsException
        | InvalidRoaringFormat e) {
      throw DeltaErrors.brokenDeletes(table, name, KernelFailures.reason(e), e);
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.NOT_FOUND
          || e.kind() == StorageException.Kind.INVALID_RANGE) {
        throw DeltaErrors.brokenDeletes(
            table, name, "its file is not there, or shorter than the log says", e);
      }
      throw e;
    }
  }

  private static String name(DeletionVector vector) {
    return switch (vector) {
      case DeletionVector.Inline inline -> "in the log";
      case DeletionVector.Stored stored -> stored.key() + " at offset " + stored.offset();
    };
  }

  private static byte[] decoded(DeletionVector.Inline inline) throws IOException {
    return Z85.decode(inline.encoded(), inline.sizeBytes())
        .orElseThrow(
            () -> new IOException("its text is not Z85 of %d bytes".formatted(inline.sizeBytes())));
  }

  private static byte[] framed(ObjectStore folder, DeletionVector.Stored stored)
      throws IOException {
    byte version = folder.read(stored.key(), 0, 1)[0];
    if (version != FILE_FORMAT_VERSION) {
      throw new IOException("its file has the unknown format version " + version);
    }
    if (stored.offset() < FIRST_OFFSET
        || stored.sizeBytes() < MAGIC_BYTES
        || stored.sizeBytes() > MAX_BYTES) {
      throw new IOException(
          "the log gives it offset %d and %d bytes".formatted(stored.offset(), stored.sizeBytes()));
    }
    ByteBuffer frame =
        ByteBuffer.wrap(
            folder.read(stored.key(), stored.offset(), stored.sizeBytes() + FRAME_BYTES));
    int size = frame.getInt();
    if (size != stored.sizeBytes()) {
      throw new IOException(
          "its file says %d bytes and the log says %d".formatted(size, stored.sizeBytes()));
    }
    byte[] bytes = new byte[size];
    frame.get(bytes);
    CRC32 checksum = new CRC32();
    checksum.update(bytes);
    if ((int) checksum.getValue() != frame.getInt()) {
      throw new IOException("its checksum does not fit");
    }
    return bytes;
  }

  private static List<Part> parts(ByteBuffer bytes) throws IOException {
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    int magic = bytes.getInt();
    if (magic != MAGIC) {
      throw new IOException("it begins with %d instead of %d".formatted(magic, MAGIC));
    }
    long count = bytes.getLong();
    if (count < 0 || count > bytes.remaining()) {
      throw new IOException("it claims to have %d parts".formatted(count));
    }
    List<Part> parts = new ArrayList<>();
    int previous = -1;
    for (long i = 0; i < count; i++) {
      int high = bytes.getInt();
      if (high <= previous) {
        throw new IOException("its parts are out of order");
      }
      previous = high;
      RoaringBitmap low = new RoaringBitmap();
      low.deserialize(bytes.slice().order(ByteOrder.LITTLE_ENDIAN));
      int read = low.serializedSizeInBytes();
      if (read > bytes.remaining()) {
        throw new BufferUnderflowException();
      }
      bytes.position(bytes.position() + read);
      parts.add(new Part(high, low));
    }
    return parts;
  }

  /** Number of deleted rows. */
  public long cardinality() {
    return cardinality;
  }

  /** Whether the row at this position, counted from 0 in the file, is deleted. */
  public boolean contains(long position) {
    int high = (int) (position >>> Integer.SIZE);
    return parts.stream()
        .anyMatch(part -> part.high() == high && part.low().contains((int) position));
  }

  /** The positions of the deleted rows, counted from 0 in the file, in ascending order. */
  public LongStream positions() {
    return parts.stream().flatMapToLong(DeltaDeletes::positions);
  }

  private static LongStream positions(Part part) {
    IntIterator low = part.low().getIntIterator();
    return LongStream.generate(() -> position(part, low.next()))
        .limit(part.low().getLongCardinality());
  }

  private static long position(Part part, int low) {
    return ((long) part.high() << Integer.SIZE) | (low & 0xFFFF_FFFFL);
  }
}
