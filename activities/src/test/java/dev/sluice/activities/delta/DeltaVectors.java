package dev.sluice.activities.delta;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.roaringbitmap.RoaringBitmap;

/** Deletion vectors as bytes. */
public final class DeltaVectors {

  private static final String ALPHABET =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

  private DeltaVectors() {}

  /** The positions in the protocol's portable format. */
  public static byte[] serialised(long... positions) {
    Map<Integer, RoaringBitmap> parts = new TreeMap<>();
    for (long position : positions) {
      parts
          .computeIfAbsent((int) (position >>> 32), high -> new RoaringBitmap())
          .add((int) position);
    }
    int size = 4 + 8;
    for (RoaringBitmap part : parts.values()) {
      size += 4 + part.serializedSizeInBytes();
    }
    ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(1681511377).putLong(parts.size());
    parts.forEach(
        (high, part) -> {
          bytes.putInt(high);
          part.serialize(bytes);
        });
    return bytes.array();
  }

  /** An object of several vectors, each framed by its length and checksum. */
  public static byte[] object(byte[]... vectors) {
    int size = 1;
    for (byte[] vector : vectors) {
      size += 8 + vector.length;
    }
    ByteBuffer bytes = ByteBuffer.allocate(size).put((byte) 1);
    for (byte[] vector : vectors) {
      CRC32 checksum = new CRC32();
      checksum.update(vector);
      bytes.putInt(vector.length).put(vector).putInt((int) checksum.getValue());
    }
    return bytes.array();
  }

  /** Bytes as Z85, padded with zeros to whole blocks. */
  public static String z85(byte[] bytes) {
    ByteBuffer padded = ByteBuffer.allocate((bytes.length + 3) / 4 * 4).put(bytes).rewind();
    StringBuilder text = new StringBuilder();
    while (padded.hasRemaining()) {
      long block = padded.getInt() & 0xFFFF_FFFFL;
      char[] digits = new char[5];
      for (int i = 4; i >= 0; i--) {
        digits[i] = ALPHABET.charAt((int) (block % 85));
        block /= 85;
      }
      text.append(digits);
    }
    return text.toString();
  }
}
