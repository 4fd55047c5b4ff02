package dev.sluice.activities.query;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.UnknownColumnTypeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads types as DuckDB spells them: {@code decimal(10,2)}, {@code varchar[]}, {@code struct(a int,
 * "b c" text[])}, {@code map(varchar, double)}; DuckLake's own names are understood as well. Not
 * thread-safe.
 */
public final class SqlTypeReader {

  /** DuckDB's default for a decimal without numbers. */
  private static final Decimal PLAIN_DECIMAL = new Decimal(18, 3);

  private static final int MOST_DIGITS = 38;

  private static final Map<String, Scalar> SCALARS =
      Map.ofEntries(
          Map.entry("bool", Scalar.BOOLEAN),
          Map.entry("logical", Scalar.BOOLEAN),
          Map.entry("tinyint", Scalar.INT8),
          Map.entry("int1", Scalar.INT8),
          Map.entry("smallint", Scalar.INT16),
          Map.entry("int2", Scalar.INT16),
          Map.entry("short", Scalar.INT16),
          Map.entry("int", Scalar.INT32),
          Map.entry("int4", Scalar.INT32),
          Map.entry("integer", Scalar.INT32),
          Map.entry("signed", Scalar.INT32),
          Map.entry("bigint", Scalar.INT64),
          Map.entry("long", Scalar.INT64),
          Map.entry("hugeint", Scalar.INT128),
          Map.entry("utinyint", Scalar.UINT8),
          Map.entry("usmallint", Scalar.UINT16),
          Map.entry("uinteger", Scalar.UINT32),
          Map.entry("ubigint", Scalar.UINT64),
          Map.entry("uhugeint", Scalar.UINT128),
          Map.entry("float", Scalar.FLOAT32),
          Map.entry("float4", Scalar.FLOAT32),
          Map.entry("real", Scalar.FLOAT32),
          Map.entry("double", Scalar.FLOAT64),
          Map.entry("float8", Scalar.FLOAT64),
          Map.entry("double precision", Scalar.FLOAT64),
          Map.entry("datetime", Scalar.TIMESTAMP),
          Map.entry("timestamp without time zone", Scalar.TIMESTAMP),
          Map.entry("timestamp with time zone", Scalar.TIMESTAMPTZ),
          Map.entry("time without time zone", Scalar.TIME),
          Map.entry("time with time zone", Scalar.TIMETZ),
          Map.entry("text", Scalar.VARCHAR),
          Map.entry("string", Scalar.VARCHAR),
          Map.entry("char", Scalar.VARCHAR),
          Map.entry("bpchar", Scalar.VARCHAR),
          Map.entry("bytea", Scalar.BLOB),
          Map.entry("binary", Scalar.BLOB),
          Map.entry("varbinary", Scalar.BLOB));

  private final String text;
  private int at;

  private SqlTypeReader(String text) {
    this.text = text;
  }

  /**
   * A nullable column of a type.
   *
   * @throws QueryException when the text is no type that a DuckLake column can have
   */
  public static ColumnSpec column(String name, String type) {
    SqlTypeReader reader = new SqlTypeReader(type);
    ColumnSpec column = reader.type(name);
    if (reader.at < type.length()) {
      throw reader.unreadable("'" + type.substring(reader.at) + "' is left over");
    }
    return column;
  }

  private ColumnSpec type(String name) {
    ColumnSpec column = base(name);
    while (take("[")) {
      require("]");
      column = ColumnSpec.nested(name, Nested.LIST, List.of(renamed(column, "element")));
    }
    return column;
  }

  private ColumnSpec base(String name) {
    String word = words();
    return switch (word) {
      case "struct", "row" -> ColumnSpec.nested(name, Nested.STRUCT, fields());
      case "map" -> {
        require("(");
        ColumnSpec key = type("key");
        require(",");
        ColumnSpec value = type("value");
        require(")");
        yield ColumnSpec.nested(name, Nested.MAP, List.of(key, value));
      }
      case "decimal", "numeric", "dec" -> ColumnSpec.of(name, decimal());
      case "varchar", "character varying", "char" -> {
        // a length is taken and means nothing, as in DuckDB
        if (take("(")) {
          number();
          require(")");
        }
        yield ColumnSpec.of(name, Scalar.VARCHAR);
      }
      default -> ColumnSpec.of(name, scalar(word));
    };
  }

  private List<ColumnSpec> fields() {
    List<ColumnSpec> fields = new ArrayList<>();
    require("(");
    do {
      fields.add(type(name()));
    } while (take(","));
    require(")");
    return fields;
  }

  private ColumnType scalar(String word) {
    Scalar known = SCALARS.get(word);
    if (known != null) {
      return known;
    }
    try {
      ColumnType type = ColumnType.parse(word);
      if (!(type instanceof Nested)) {
        return type;
      }
      throw unreadable("'" + word + "' needs to say what it holds");
    } catch (UnknownColumnTypeException e) {
      throw unreadable("'" + word + "' is no type of a DuckLake column");
    }
  }

  private Decimal decimal() {
    if (!take("(")) {
      return PLAIN_DECIMAL;
    }
    int precision = number();
    int scale = take(",") ? number() : 0;
    require(")");
    if (precision < 1 || precision > MOST_DIGITS || scale > precision) {
      throw unreadable(
          "a decimal has 1 to %d digits, and no more of them behind the point"
              .formatted(MOST_DIGITS));
    }
    return new Decimal(precision, scale);
  }

  private static ColumnSpec renamed(ColumnSpec column, String name) {
    return new ColumnSpec(
        name, column.type(), column.nulls(), column.initialDefault(), column.children());
  }

  /** The words of a type's name, in lower case with one blank between them. */
  private String words() {
    StringBuilder words = new StringBuilder();
    skipBlanks();
    while (at < text.length() && isWord(text.charAt(at))) {
      int begin = at;
      while (at < text.length() && isWord(text.charAt(at))) {
        at++;
      }
      words.append(words.isEmpty() ? "" : " ").append(text, begin, at);
      skipBlanks();
    }
    if (words.isEmpty()) {
      throw unreadable("a type's name is missing");
    }
    return words.toString().toLowerCase(Locale.ROOT);
  }

  private String name() {
    skipBlanks();
    if (at < text.length() && text.charAt(at) == '"') {
      return quotedName();
    }
    int begin = at;
    while (at < text.length() && isWord(text.charAt(at))) {
      at++;
    }
    if (begin == at) {
      throw unreadable("a field's name is missing");
    }
    return text.substring(begin, at);
  }

  private String quotedName() {
    StringBuilder name = new StringBuilder();
    for (at++; at < text.length(); at++) {
      if (text.charAt(at) != '"') {
        name.append(text.charAt(at));
      } else if (at + 1 < text.length() && text.charAt(at + 1) == '"') {
        name.append('"');
        at++;
      } else {
        at++;
        return name.toString();
      }
    }
    throw unreadable("a quoted name has no end");
  }

  private int number() {
    skipBlanks();
    int begin = at;
    while (at < text.length() && Character.isDigit(text.charAt(at))) {
      at++;
    }
    return Optional.of(text.substring(begin, at))
        .filter(digits -> !digits.isEmpty() && digits.length() < 9)
        .map(Integer::valueOf)
        .orElseThrow(() -> unreadable("a number is missing"));
  }

  private boolean take(String mark) {
    skipBlanks();
    if (!text.startsWith(mark, at)) {
      return false;
    }
    at += mark.length();
    skipBlanks();
    return true;
  }

  private void require(String mark) {
    if (!take(mark)) {
      throw unreadable("'" + mark + "' is missing at character " + (at + 1));
    }
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private QueryException unreadable(String problem) {
    return QueryErrors.badType(text, problem);
  }
}
