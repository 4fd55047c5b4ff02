package dev.sluice.workflows.naming;

import java.util.Locale;

/** Sizes for people. */
public final class ByteText {

  private static final String[] UNITS = {"kB", "MB", "GB", "TB"};
  private static final double STEP = 1000;

  private ByteText() {}

  /** A size with three digits or so, in powers of a thousand. */
  public static String of(long bytes) {
    if (bytes < STEP) {
      return bytes + " B";
    }
    double value = bytes / STEP;
    int unit = 0;
    while (value >= STEP && unit < UNITS.length - 1) {
      value /= STEP;
      unit++;
    }
    return String.format(Locale.ROOT, value < 10 ? "%.1f %s" : "%.0f %s", value, UNITS[unit]);
  }
}
