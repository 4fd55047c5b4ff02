package dev.sluice.catalog.internal;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SCHEMA;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;

/**
 * Where the relative paths of tables begin, and so how rows may spell an object's path. Stateless.
 */
public final class TableBases {

  private TableBases() {}

  /**
   * The directory of every table, live or not, by table id.
   *
   * @param dataPath of the lake, with trailing slash
   */
  public static Map<Long, String> load(DSLContext dsl, String dataPath) {
    Map<Long, String> bases = new HashMap<>();
    dsl.select(
            DUCKLAKE_TABLE.TABLE_ID,
            DUCKLAKE_SCHEMA.PATH,
            DUCKLAKE_SCHEMA.PATH_IS_RELATIVE,
            DUCKLAKE_TABLE.PATH,
            DUCKLAKE_TABLE.PATH_IS_RELATIVE)
        .from(DUCKLAKE_TABLE)
        .join(DUCKLAKE_SCHEMA)
        .on(DUCKLAKE_SCHEMA.SCHEMA_ID.eq(DUCKLAKE_TABLE.SCHEMA_ID))
        .forEach(
            row ->
                bases.put(
                    row.value1(),
                    LakePath.resolve(
                        LakePath.resolve(dataPath, row.value2(), row.value3()),
                        row.value4(),
                        row.value5())));
    return bases;
  }

  /**
   * A folder of the lake.
   *
   * @param path full path with trailing slash; absolute paths below it begin so
   * @param relative with what the relative paths below it begin, by the id of their table; of other
   *     tables none lies there
   */
  public record Folder(String path, Map<Long, String> relative) {

    /** Copies the map. */
    public Folder {
      relative = Map.copyOf(relative);
    }

    /** Whether it holds the other one, or is it. */
    public boolean holds(Folder other) {
      return other.path.startsWith(path);
    }
  }

  /**
   * The deepest folder that holds all the paths.
   *
   * @param paths full paths, at least one
   * @param bases the directory of every table, by its id
   * @return empty when a table's relative paths begin at it or below: they have no common beginning
   */
  public static Optional<Folder> commonFolder(Collection<String> paths, Map<Long, String> bases) {
    String folder = commonBeginning(paths);
    if (folder.isEmpty() || bases.values().stream().anyMatch(base -> base.startsWith(folder))) {
      return Optional.empty();
    }
    Map<Long, String> relative = new HashMap<>();
    bases.forEach(
        (table, base) -> {
          if (folder.startsWith(base)) {
            relative.put(table, folder.substring(base.length()));
          }
        });
    return Optional.of(new Folder(folder, relative));
  }

  /** Up to the last slash that all have in common. */
  private static String commonBeginning(Collection<String> paths) {
    Iterator<String> each = paths.iterator();
    String first = each.next();
    String folder = first.substring(0, first.lastIndexOf('/') + 1);
    while (each.hasNext() && !folder.isEmpty()) {
      String path = each.next();
      while (!path.startsWith(folder)) {
        folder = folder.substring(0, folder.lastIndexOf('/', folder.length() - 2) + 1);
      }
    }
    return folder;
  }

  /**
   * Every way in which a row can spell one of the paths.
   *
   * @param paths full paths
   * @param bases directories at which relative paths may begin, with trailing slash
   */
  public static List<String> spellings(Collection<String> paths, Set<String> bases) {
    List<String> spellings = new ArrayList<>();
    for (String path : paths) {
      spellings.add(path);
      for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
        if (bases.contains(path.substring(0, slash + 1))) {
          spellings.add(path.substring(slash + 1));
        }
      }
    }
    return spellings;
  }
}
