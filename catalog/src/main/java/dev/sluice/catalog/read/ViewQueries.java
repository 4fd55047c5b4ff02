package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_VIEW;

import dev.sluice.catalog.Schema;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Loads all views of a snapshot. */
final class ViewQueries {

  private static final Pattern ALIAS = Pattern.compile("\"((?:[^\"]|\"\")*)\"");

  private ViewQueries() {}

  static List<View> load(DSLContext dsl, long snapshotId, Map<Long, Schema> schemas) {
    List<View> views = new ArrayList<>();
    dsl.selectFrom(DUCKLAKE_VIEW)
        .where(Live.at(snapshotId, DUCKLAKE_VIEW.BEGIN_SNAPSHOT, DUCKLAKE_VIEW.END_SNAPSHOT))
        .orderBy(DUCKLAKE_VIEW.VIEW_ID)
        .forEach(
            row -> {
              Schema schema = schemas.get(row.get(DUCKLAKE_VIEW.SCHEMA_ID));
              if (schema != null) {
                views.add(
                    new View(
                        row.get(DUCKLAKE_VIEW.VIEW_ID),
                        new TableName(schema.name(), row.get(DUCKLAKE_VIEW.VIEW_NAME)),
                        row.get(DUCKLAKE_VIEW.DIALECT),
                        row.get(DUCKLAKE_VIEW.SQL),
                        aliases(row.get(DUCKLAKE_VIEW.COLUMN_ALIASES))));
              }
            });
    return views;
  }

  private static List<String> aliases(@Nullable String stored) {
    List<String> aliases = new ArrayList<>();
    Matcher matcher = ALIAS.matcher(stored == null ? "" : stored);
    while (matcher.find()) {
      aliases.add(matcher.group(1).replace("\"\"", "\""));
    }
    return aliases;
  }
}
