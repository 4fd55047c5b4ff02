package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.FileType.Supported;
import dev.sluice.activities.parquet.MatchOptions.PartitionValues;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform.Bucket;
import dev.sluice.catalog.PartitionTransform.Simple;
import dev.sluice.catalog.read.BucketHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the value of each partition key for one file: from the path, from the footer's bounds, or
 * from the data through the probe. Whatever the path claims is checked against the file; a claim
 * that cannot be checked is refused like a wrong one, since a wrong value loses rows silently.
 */
final class PartitionMatcher {

  /** More distinct values than this are not looked at one by one. */
  private static final int MOST_DISTINCT = 10_000;

  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  private final ParquetFile file;
  private final String path;
  private final HivePath hive;
  private final DataProbe probe;
  private final MatchOptions options;
  private final Map<String, Source> sources = new HashMap<>();

  PartitionMatcher(
      ParquetFile file, String path, HivePath hive, DataProbe probe, MatchOptions options) {
    this.file = file;
    this.path = path;
    this.hive = hive;
    this.probe = probe;
    this.options = options;
  }

  /** Where a column's values come from. */
  private sealed interface Source {

    ColumnType type();

    record InFile(FileField field, ColumnType type, Supported fileType) implements Source {}

    record Constant(@Nullable String value, ColumnType type) implements Source {}
  }

  /**
   * A value that is the only one of a column or part of it.
   *
   * @param text null for SQL NULL
   */
  private record Single(@Nullable String text) {}

  /** Notes a column of the file, and checks what the path says about it, if anything. */
  void fromFile(TargetColumn column, FileField field, HivePath.@Nullable Entry entry) {
    if (field.isLeaf() && field.type() instanceof Supported fileType) {
      Source.InFile source = new Source.InFile(field, column.type(), fileType);
      sources.put(ColumnMatcher.lower(column.name()), source);
      if (entry != null && file.rows() > 0) {
        checkAgainstPath(column, source, entry);
      }
    }
  }

  /** Notes a column that only the path has. */
  void fromPath(TargetColumn column, @Nullable String value) {
    sources.put(ColumnMatcher.lower(column.name()), new Source.Constant(value, column.type()));
  }

  /** Notes a column that neither file nor path has. */
  void fromDefault(TargetColumn column) {
    sources.put(
        ColumnMatcher.lower(column.name()),
        new Source.Constant(column.initialDefault(), column.type()));
  }

  /** DuckDB reads some of its ways the path and some the file: both must say the same (REG-06). */
  private void checkAgainstPath(TargetColumn column, Source.InFile source, HivePath.Entry entry) {
    String claimed =
        entry.isNull(column.type()) ? null : PathValue.cast(entry.text(), column.type());
    if (claimed == null && !entry.isNull(column.type())) {
      throw ParquetErrors.pathValueNotCastable(
          file.key(), column.name(), entry.text(), column.typeText());
    }
    Single found = identity(source).orElse(null);
    if (found == null) {
      throw ParquetErrors.pathContradictsFile(
          file.key(), column.name(), entry.text(), range(source));
    }
    boolean same = claimed == null ? found.text() == null : claimed.equals(found.text());
    if (!same) {
      throw ParquetErrors.pathContradictsFile(
          file.key(), column.name(), entry.text(), String.valueOf(found.text()));
    }
  }

  private String range(Source.InFile source) {
    LeafFacts facts = file.facts(source.field());
    if (facts.range() == null) {
      return "values that its footer does not tell";
    }
    Spelling.Spelled spelled =
        Spelling.range(facts.range(), source.fileType().type(), source.type());
    return spelled == null
        ? "several values"
        : "values from " + spelled.min() + " to " + spelled.max() + nullsText(facts);
  }

  private static String nullsText(LeafFacts facts) {
    Long nulls = facts.nulls();
    if (nulls == null) {
      return " and possibly NULL";
    }
    return nulls > 0 ? " and NULL" : "";
  }

  /** The values of all keys; empty when the options allow that some are not known. */
  List<PartitionValue> values(List<PartitionKey> keys) {
    if (file.rows() == 0) {
      return List.of();
    }
    List<PartitionValue> values = new ArrayList<>();
    for (PartitionKey key : keys) {
      Source source = sources.get(ColumnMatcher.lower(key.column()));
      HivePath.Entry claim = claim(key, keys);
      Optional<Single> found = source == null ? Optional.empty() : value(key, source, claim);
      if (found.isEmpty()) {
        if (claim != null) {
          throw ParquetErrors.partitionUnproven(
              file.key(), key, claim.key() + "=" + claim.text(), described(source));
        }
        if (options.partitionValues() == PartitionValues.WHEN_KNOWN) {
          return List.of();
        }
        throw ParquetErrors.partitionUnknown(file.key(), key, described(source));
      }
      if (claim != null) {
        checkClaim(key, claim, found.get());
      }
      values.add(new PartitionValue(key, found.get().text()));
    }
    return values;
  }

  private String described(@Nullable Source source) {
    return source instanceof Source.InFile inFile ? range(inFile) : "no value to derive it from";
  }

  /**
   * The folder that speaks of a transformed key, e.g. {@code year=2026} or {@code year_ts=2026}.
   */
  private HivePath.@Nullable Entry claim(PartitionKey key, List<PartitionKey> keys) {
    if (key.transform().equals(Simple.IDENTITY)) {
      return null;
    }
    Set<String> names = PartitionFolders.of(key, keys);
    for (HivePath.Entry entry : hive.entries()) {
      String name = entry.name().toLowerCase(Locale.ROOT);
      if (!sources.containsKey(name) && names.contains(name)) {
        return entry;
      }
    }
    return null;
  }

  private Optional<Single> value(PartitionKey key, Source source, HivePath.@Nullable Entry claim) {
    return switch (key.transform()) {
      case Bucket bucket -> {
        checkBucketExists(key, bucket, claim);
        yield bucket(bucket, source);
      }
      case Simple simple ->
          simple == Simple.IDENTITY ? identity(source) : calendarPart(simple, source);
    };
  }

  private void checkBucketExists(PartitionKey key, Bucket bucket, HivePath.@Nullable Entry claim) {
    if (claim == null || claim.isNull(Scalar.INT32)) {
      return;
    }
    boolean exists =
        NUMBER.matcher(claim.text()).matches()
            && Integer.parseInt(claim.text(), 10) < bucket.buckets();
    if (!exists) {
      throw ParquetErrors.partitionContradicted(
          file.key(),
          key,
          claim.key() + "=" + claim.text(),
          "buckets 0 to " + (bucket.buckets() - 1));
    }
  }

  private void checkClaim(PartitionKey key, HivePath.Entry claim, Single found) {
    String claimed = claim.isNull(Scalar.INT32) ? null : PathValue.cast(claim.text(), Scalar.INT32);
    boolean same =
        claim.isNull(Scalar.INT32)
            ? found.text() == null
            : claimed != null && claimed.equals(found.text());
    if (!same) {
      throw ParquetErrors.partitionContradicted(
          file.key(), key, claim.key() + "=" + claim.text(), String.valueOf(found.text()));
    }
  }

  private Optional<Single> identity(Source source) {
    return switch (source) {
      case Source.Constant constant -> Optional.of(new Single(constant.value()));
      case Source.InFile inFile -> {
        LeafFacts facts = file.facts(inFile.field());
        if (facts.isAllNull()) {
          yield Optional.of(new Single(null));
        }
        Bound.Range range = facts.range();
        if (range != null && range.isSingle() && isWithoutNulls(facts) && !mayHoldNan(inFile)) {
          String text = Spelling.value(range.min(), inFile.fileType().type(), inFile.type());
          if (text != null) {
            yield Optional.of(new Single(text));
          }
        }
        yield range != null && !range.isSingle()
            ? Optional.empty()
            : only(distinct(inFile, Simple.IDENTITY, 2));
      }
    };
  }

  private static boolean isWithoutNulls(LeafFacts facts) {
    Long nulls = facts.nulls();
    return nulls != null && nulls == 0;
  }

  private boolean mayHoldNan(Source.InFile source) {
    boolean floating = source.type() == Scalar.FLOAT32 || source.type() == Scalar.FLOAT64;
    return floating && !Boolean.FALSE.equals(file.facts(source.field()).containsNan());
  }

  private Optional<List<@Nullable String>> distinct(
      Source.InFile source, Simple transform, int limit) {
    return probe.distinct(file, path, source.field().name(), source.type(), transform, limit);
  }

  private static Optional<Single> only(Optional<List<@Nullable String>> values) {
    return values.filter(list -> list.size() == 1).map(list -> new Single(list.get(0)));
  }

  private Optional<Single> calendarPart(Simple transform, Source source) {
    return switch (source) {
      case Source.Constant constant -> {
        String value = constant.value();
        yield value == null
            ? Optional.of(new Single(null))
            : CalendarPart.ofText(transform, value, constant.type()).map(Single::new);
      }
      case Source.InFile inFile -> {
        LeafFacts facts = file.facts(inFile.field());
        if (facts.isAllNull()) {
          yield Optional.of(new Single(null));
        }
        Bound.Range range = facts.range();
        if (range != null && isWithoutNulls(facts)) {
          Spelling.Spelled ends = Spelling.range(range, inFile.fileType().type(), inFile.type());
          Optional<String> part =
              ends == null
                  ? Optional.empty()
                  : CalendarPart.ofRange(transform, ends.min(), ends.max(), inFile.type());
          if (part.isPresent()) {
            yield part.map(Single::new);
          }
        }
        yield only(distinct(inFile, transform, 2));
      }
    };
  }

  private Optional<Single> bucket(Bucket bucket, Source source) {
    Optional<Single> single = identity(source);
    if (single.isPresent()) {
      return bucketOf(bucket, source.type(), single.get().text());
    }
    if (!(source instanceof Source.InFile inFile)) {
      return Optional.empty();
    }
    List<@Nullable String> values =
        distinct(inFile, Simple.IDENTITY, MOST_DISTINCT).orElse(List.of());
    if (values.isEmpty() || values.size() >= MOST_DISTINCT) {
      return Optional.empty();
    }
    Optional<Single> first = bucketOf(bucket, source.type(), values.get(0));
    boolean allAlike =
        values.stream().allMatch(value -> bucketOf(bucket, source.type(), value).equals(first));
    return allAlike ? first : Optional.empty();
  }

  private static Optional<Single> bucketOf(Bucket bucket, ColumnType type, @Nullable String value) {
    if (value == null) {
      return Optional.of(new Single(null));
    }
    OptionalInt number = BucketHash.bucket(type, value, bucket.buckets());
    return number.isPresent()
        ? Optional.of(new Single(Integer.toString(number.getAsInt())))
        : Optional.empty();
  }
}
