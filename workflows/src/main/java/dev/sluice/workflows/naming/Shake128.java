package dev.sluice.workflows.naming;

import java.util.Arrays;

/**
 * SHAKE-128 of FIPS 202, which the oldest supported Java platform lacks. Only names are hashed with
 * it, so one block of output at a time is enough.
 */
final class Shake128 {
  private static final int RATE = 168;
  private static final int ROUNDS = 24;
  private static final int LANES = 25;
  private static final int SIDE = 5;
  private static final long[] ROUND_CONSTANTS = roundConstants();

  private Shake128() {}

  /** Returns the first {@code length} bytes of the digest; at most 168. */
  static byte[] digest(byte[] message, int length) {
    if (length > RATE) {
      throw new IllegalArgumentException("digest length " + length + " > " + RATE);
    }
    byte[] padded = Arrays.copyOf(message, (message.length / RATE + 1) * RATE);
    padded[message.length] = 0x1f;
    padded[padded.length - 1] = (byte) (padded[padded.length - 1] | 0x80);
    long[] state = new long[LANES];
    for (int block = 0; block < padded.length; block += RATE) {
      for (int i = 0; i < RATE; i++) {
        state[i / Long.BYTES] ^= (padded[block + i] & 0xffL) << shift(i);
      }
      permute(state);
    }
    byte[] out = new byte[length];
    for (int i = 0; i < length; i++) {
      out[i] = (byte) (state[i / Long.BYTES] >>> shift(i));
    }
    return out;
  }

  private static int shift(int index) {
    return index % Long.BYTES * Byte.SIZE;
  }

  private static void permute(long[] state) {
    for (long constant : ROUND_CONSTANTS) {
      mixColumns(state);
      rotateAndMove(state);
      mixRows(state);
      state[0] ^= constant;
    }
  }

  private static void mixColumns(long[] state) {
    long[] parity = new long[SIDE];
    for (int i = 0; i < LANES; i++) {
      parity[i % SIDE] ^= state[i];
    }
    for (int i = 0; i < LANES; i++) {
      int x = i % SIDE;
      state[i] ^= parity[(x + SIDE - 1) % SIDE] ^ Long.rotateLeft(parity[(x + 1) % SIDE], 1);
    }
  }

  private static void rotateAndMove(long[] state) {
    int x = 1;
    int y = 0;
    long moving = state[x];
    for (int step = 0; step < LANES - 1; step++) {
      int nextY = (2 * x + 3 * y) % SIDE;
      x = y;
      y = nextY;
      long displaced = state[x + SIDE * y];
      state[x + SIDE * y] = Long.rotateLeft(moving, (step + 1) * (step + 2) / 2);
      moving = displaced;
    }
  }

  private static void mixRows(long[] state) {
    for (int row = 0; row < LANES; row += SIDE) {
      long[] before = Arrays.copyOfRange(state, row, row + SIDE);
      for (int x = 0; x < SIDE; x++) {
        state[row + x] = before[x] ^ (~before[(x + 1) % SIDE] & before[(x + 2) % SIDE]);
      }
    }
  }

  /**
   * A linear feedback register gives the bits; they fall on places that are powers of two, less 1.
   */
  private static long[] roundConstants() {
    long[] constants = new long[ROUNDS];
    int register = 1;
    for (int round = 0; round < ROUNDS; round++) {
      for (int j = 0; j < 7; j++) {
        if ((register & 1) != 0) {
          constants[round] |= 1L << ((1 << j) - 1);
        }
        register <<= 1;
        if ((register & 0x100) != 0) {
          register ^= 0x171;
        }
      }
    }
    return constants;
  }
}
