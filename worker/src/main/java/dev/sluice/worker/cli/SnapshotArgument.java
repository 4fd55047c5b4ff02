package dev.sluice.worker.cli;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.read.CatalogReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A snapshot as people name it: by its number, or by a time at which it was the newest. */
final class SnapshotArgument {

  /** A date alone is its first moment; without an offset a time is in UTC. */
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffset("+HH:mm", "Z")
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HH", "Z")
          .optionalEnd()
          .optionalEnd()
          .toFormatter(Locale.ROOT);

  private SnapshotArgument() {}

  /**
   * Finds the snapshot.
   *
   * @param text a number or a time; null for the newest
   * @throws CommandException for text that is neither
   */
  static Snapshot resolve(CatalogReader reader, @Nullable String text) {
    if (text == null) {
      return reader.latest();
    }
    return isNumber(text)
        ? reader.snapshot(NumberArgument.parse("snapshot", text))
        : reader.snapshotAt(time(text));
  }

  /**
   * Finds the first snapshot of a range.
   *
   * @param text a number, or a time: then it is the first snapshot that is not older
   * @throws CommandException for text that is neither
   */
  static Snapshot since(CatalogReader reader, String text) {
    return isNumber(text)
        ? reader.snapshot(NumberArgument.parse("snapshot", text))
        : reader.snapshotSince(time(text));
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static Instant time(String text) {
    String oneForm = text.strip().replace(' ', 'T').toUpperCase(Locale.ROOT);
    int between = oneForm.indexOf('T');
    try {
      TemporalAccessor parsed =
          TIME.parseBest(
              between < 0
                  ? oneForm
                  : oneForm.substring(0, between) + oneForm.substring(between + 1),
              OffsetDateTime::from,
              LocalDateTime::from,
              LocalDate::from);
      return switch (parsed) {
        case OffsetDateTime zoned -> zoned.toInstant();
        case LocalDateTime local -> local.toInstant(ZoneOffset.UTC);
        default -> LocalDate.from(parsed).atStartOfDay().toInstant(ZoneOffset.UTC);
      };
    } catch (DateTimeException e) {
      throw CommandErrors.badSnapshot(text);
    }
  }
}
