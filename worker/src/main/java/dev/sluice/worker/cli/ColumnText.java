package dev.sluice.worker.cli;

import dev.sluice.activities.query.SqlTypeReader;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.SortKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads columns and keys off a command's words. */
final class ColumnText {

  static final String FORM =
      "NAME:TYPE, followed by ! when it may not be NULL and by =VALUE for a default";

  private static final Pattern COLUMN =
      Pattern.compile(
          "(?<name>[^:]+):(?<type>[^!=]+)(?<strict>!?)(=(?<value>.*))?", Pattern.DOTALL);

  private static final Pattern TRANSFORMED =
      Pattern.compile("(?<transform>[a-z]+)\\((?<rest>.*)\\)", Pattern.CASE_INSENSITIVE);

  private static final Pattern BUCKETS = Pattern.compile("\\s*(?<count>\\d+)\\s*,(?<column>.+)");

  private ColumnText() {}

  /**
   * A column and where it is.
   *
   * @param parent the struct's path; empty for a top-level column
   * @param column its description
   */
  record Described(List<String> parent, ColumnSpec column) {
    Described {
      parent = List.copyOf(parent);
    }

    /** The names from the top level down. */
    List<String> path() {
      List<String> path = new ArrayList<>(parent);
      path.add(column.name());
      return path;
    }
  }

  /** A column such as {@code id:bigint!}, {@code state:varchar=new} or {@code who.age:int}. */
  static Described field(String text) {
    Matcher parts = COLUMN.matcher(text);
    if (!parts.matches()) {
      throw CommandErrors.badColumn(text);
    }
    List<String> path = path(parts.group("name").strip());
    ColumnSpec column = SqlTypeReader.column(path.get(path.size() - 1), parts.group("type"));
    @Nullable String value = parts.group("value");
    return new Described(
        path.subList(0, path.size() - 1),
        new ColumnSpec(
            column.name(),
            column.type(),
            parts.group("strict").isEmpty() ? Nulls.ALLOWED : Nulls.FORBIDDEN,
            value,
            column.children()));
  }

  /** A column of a table's top level. */
  static ColumnSpec column(String text) {
    Described described = field(text);
    if (!described.parent().isEmpty()) {
      throw CommandErrors.badColumn(text);
    }
    return described.column();
  }

  /** A path of names such as {@code address.city}; a name in quotes may hold dots. */
  static List<String> path(String text) {
    List<String> names = QuotedNames.split('.', text);
    if (names.stream().anyMatch(String::isEmpty)) {
      throw CommandErrors.badColumnPath(text);
    }
    return names;
  }

  /** A key such as {@code region}, {@code year(day)} or {@code bucket(16, id)}. */
  static PartitionKey partitionKey(String text) {
    Matcher transformed = TRANSFORMED.matcher(text.strip());
    if (!transformed.matches()) {
      return PartitionKey.identity(QuotedNames.unquoted(text.strip()));
    }
    String transform = transformed.group("transform");
    String column = transformed.group("rest");
    Matcher buckets = BUCKETS.matcher(column);
    if (buckets.matches()) {
      transform += "(" + buckets.group("count") + ")";
      column = buckets.group("column");
    }
    try {
      return new PartitionKey(
          QuotedNames.unquoted(column.strip()), PartitionTransform.parse(transform));
    } catch (IllegalArgumentException e) {
      throw CommandErrors.badPartitionKey(text, e);
    }
  }

  /** A key such as {@code day} or {@code amount:desc}. */
  static SortKey sortKey(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.endsWith(":desc")) {
      return SortKey.descending(unquotedWithout(text, ":desc"));
    }
    return SortKey.ascending(unquotedWithout(text, lower.endsWith(":asc") ? ":asc" : ""));
  }

  private static String unquotedWithout(String text, String end) {
    return QuotedNames.unquoted(text.substring(0, text.length() - end.length()).strip());
  }
}
