package dev.sluice.catalog.commit;

import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.val;

import dev.sluice.catalog.error.CatalogErrors;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import org.jooq.Condition;
import org.jooq.Field;

/** Rules for names of schemas, tables and columns (ducklake-format 6.1, 9.2 and 14.27-28). */
final class Names {

  /** PostgreSQL cuts longer identifiers, and inlined tables use column names as identifiers. */
  private static final int MAX_BYTES = 63;

  /** Names of virtual and system columns: a column of that name cannot be told from them. */
  private static final Set<String> RESERVED_COLUMNS =
      Set.of("rowid", "snapshot_id", "row_id", "begin_snapshot", "end_snapshot");

  private static final String RESERVED_PREFIX = "_ducklake_";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]+");

  private Names() {}

  static boolean same(String one, String other) {
    return lower(one).equals(lower(other));
  }

  /** Lower case of ASCII letters only: DuckDB tells names with other letters apart by case. */
  static String lower(String name) {
    StringBuilder lower = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      lower.append(c >= 'A' && c <= 'Z' ? Character.toLowerCase(c) : c);
    }
    return lower.toString();
  }

  /** The same comparison in the database, whatever its locale. */
  static Condition same(Field<String> column, String name) {
    return condition("lower({0} COLLATE \"C\") = {1}", column, val(lower(name)));
  }

  /** Whether a name can be a directory as it is; DuckDB takes the UUID otherwise. */
  static boolean isPlain(String name) {
    return PLAIN.matcher(name).matches();
  }

  /** Always quoted, with doubled quotes, as the change log needs it. */
  static String quoted(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  static void requireObject(String what, String name) {
    require(what + " '" + name + "'", name);
  }

  static void requireColumn(String table, String name, boolean topLevel) {
    String context = "table " + table + ", column '" + name + "'";
    require(context, name);
    String lower = lower(name);
    if (topLevel && (RESERVED_COLUMNS.contains(lower) || lower.startsWith(RESERVED_PREFIX))) {
      throw CatalogErrors.invalid(
          context,
          "the name cannot be used",
          "DuckLake has a column of its own by that name",
          "rename the column in the source");
    }
  }

  private static void require(String context, String name) {
    if (name.isEmpty() || name.indexOf('\0') >= 0) {
      throw CatalogErrors.invalid(
          context, "the name cannot be used", "it is empty or holds a zero character", "change it");
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw CatalogErrors.invalid(
          context,
          "the name is too long",
          "it has %d bytes of UTF-8 and at most %d are safe".formatted(bytes, MAX_BYTES),
          "shorten it");
    }
  }
}
