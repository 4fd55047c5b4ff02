package dev.sluice.activities.jobs;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;

/**
 * What Sluice keeps beside a lake by a table's name, when tables are renamed. Belongs into the
 * commit that renames them; a few statements whatever the number of tables. Stateless.
 */
public final class RenamedTargets {
  private static final List<String> TABLES =
      List.of("sluice.fence", "sluice.publication", "sluice.landing");

  /** The items as rows; a statement with it takes schemas, texts and texts first. */
  private static final String ITEMS =
      "unnest(CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]))";

  private RenamedTargets() {}

  /**
   * Moves fences, publications and landings to the new names. The order that was published stays
   * with the table. Nobody holds its fence any more, and a fence stays behind at each old name that
   * no table gets: an attempt that was opened before the rename can take neither.
   *
   * @param lake the lake's key
   */
  public static void move(DSLContext dsl, String lake, TableRename rename) {
    List<TableRename.Item> items = rename.items();
    // a name may be another's until that one has moved as well; no name of a table has a blank
    Function<TableRename.Item, String> between =
        item -> "rename " + rename.id() + " " + item.schemaId();
    rename(dsl, lake, items, TableRename.Item::oldName, between);
    forgetEmptyFences(dsl, lake, items);
    rename(dsl, lake, items, between, TableRename.Item::newName);
    passFences(dsl, lake, rename);
    leaveFences(dsl, lake, rename);
  }

  private static void rename(
      DSLContext dsl,
      String lake,
      List<TableRename.Item> items,
      Function<TableRename.Item, String> from,
      Function<TableRename.Item, String> to) {
    for (String table : TABLES) {
      dsl.execute(
          "UPDATE %s AS moved SET table_name = item.becomes FROM ".formatted(table)
              + ITEMS
              + " AS item (schema, was, becomes) WHERE moved.lake = ? AND moved.schema_name ="
              + " item.schema AND moved.table_name = item.was",
          texts(items, TableRename.Item::schema),
          texts(items, from),
          texts(items, to),
          lake);
    }
  }

  /** Left behind by an earlier rename, or by attempts that never published. */
  private static void forgetEmptyFences(DSLContext dsl, String lake, List<TableRename.Item> items) {
    dsl.execute(
        "DELETE FROM sluice.fence AS fence USING "
            + ITEMS
            + " AS item (schema, becomes, was) WHERE fence.lake = ? AND fence.schema_name = item.schema"
            + " AND fence.table_name = item.becomes AND fence.order_kind IS NULL",
        texts(items, TableRename.Item::schema),
        texts(items, TableRename.Item::newName),
        texts(items, TableRename.Item::oldName),
        lake);
  }

  private static void passFences(DSLContext dsl, String lake, TableRename rename) {
    List<TableRename.Item> items = rename.items();
    dsl.execute(
        "UPDATE sluice.fence AS fence SET attempt_id = NULL, attempt_number = NULL,"
            + " reason = item.reason, advanced_at = now() FROM "
            + ITEMS
            + " AS item (schema, becomes, reason) WHERE fence.lake = ? AND fence.schema_name ="
            + " item.schema AND fence.table_name = item.becomes",
        texts(items, TableRename.Item::schema),
        texts(items, TableRename.Item::newName),
        texts(items, RenamedTargets::reason),
        lake);
    dsl.execute(
        "UPDATE sluice.fence AS fence SET opening = CAST(? AS bigint) FROM "
            + ITEMS
            + " AS item (schema, becomes, was) WHERE fence.lake = ? AND fence.schema_name ="
            + " item.schema AND fence.table_name = item.becomes AND fence.opening < CAST(? AS bigint)",
        rename.opening(),
        texts(items, TableRename.Item::schema),
        texts(items, TableRename.Item::newName),
        texts(items, TableRename.Item::oldName),
        lake,
        rename.opening());
  }

  private static void leaveFences(DSLContext dsl, String lake, TableRename rename) {
    Set<String> taken = new HashSet<>();
    rename.items().forEach(item -> taken.add(item.schema() + "." + item.newName()));
    List<TableRename.Item> left =
        rename.items().stream()
            .filter(item -> !taken.contains(item.schema() + "." + item.oldName()))
            .toList();
    dsl.execute(
        "INSERT INTO sluice.fence (lake, schema_name, table_name, opening, reason, advanced_at)"
            + " SELECT CAST(? AS varchar), item.schema, item.was, CAST(? AS bigint), item.reason,"
            + " now() FROM "
            + ITEMS
            + " AS item (schema, was, reason)",
        lake,
        rename.opening(),
        texts(left, TableRename.Item::schema),
        texts(left, TableRename.Item::oldName),
        texts(left, RenamedTargets::reason));
  }

  private static String reason(TableRename.Item item) {
    return "the table was renamed from %s.%s to %s"
        .formatted(item.schema(), item.oldName(), item.newName());
  }

  private static String[] texts(
      List<TableRename.Item> items, Function<TableRename.Item, String> part) {
    return items.stream().map(part).toArray(String[]::new);
  }
}
