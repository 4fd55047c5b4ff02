package dev.sluice.catalog.internal;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_METADATA;

import dev.sluice.catalog.error.CatalogErrors;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.ResultQuery;

/** Checks that a catalog is one that Sluice may write to: exactly format 1.0, not encrypted. */
public final class LakeFormat {

  static final String SUPPORTED_VERSION = "1.0";

  private static final Set<String> OLDER =
      Set.of("0.1", "0.2", "0.3-dev1", "0.3", "0.4-dev1", "0.4");

  private LakeFormat() {}

  /**
   * Returns the lake's data path.
   *
   * @throws dev.sluice.catalog.error.LakeRefusedException if it is not such a lake
   */
  public static String check(DSLContext dsl, String lake) {
    return check(query(dsl).fetch(), lake);
  }

  /** The query whose rows {@link #check(Result, String)} judges. */
  public static ResultQuery<? extends Record> query(DSLContext dsl) {
    return dsl.select(DUCKLAKE_METADATA.KEY, DUCKLAKE_METADATA.VALUE)
        .from(DUCKLAKE_METADATA)
        .where(DUCKLAKE_METADATA.SCOPE.isNull());
  }

  /**
   * Returns the lake's data path.
   *
   * @throws dev.sluice.catalog.error.LakeRefusedException if it is not such a lake
   */
  public static String check(Result<? extends Record> rows, String lake) {
    Map<String, List<String>> options =
        rows.intoGroups(DUCKLAKE_METADATA.KEY, DUCKLAKE_METADATA.VALUE);
    String version = option(options, lake, "version");
    if (OLDER.contains(version)) {
      throw CatalogErrors.olderFormat(lake, version);
    }
    if (!version.equals(SUPPORTED_VERSION)) {
      throw CatalogErrors.newerFormat(lake, version);
    }
    String encrypted = option(options, lake, "encrypted");
    if (encrypted.equals("true")) {
      throw CatalogErrors.encrypted(lake);
    }
    if (!encrypted.equals("false")) {
      throw CatalogErrors.damaged(lake, "option encrypted is '%s'".formatted(encrypted));
    }
    return option(options, lake, "data_path");
  }

  private static String option(Map<String, List<String>> options, String lake, String key) {
    List<String> values = options.getOrDefault(key, List.of());
    if (values.size() != 1) {
      throw CatalogErrors.damaged(
          lake, "option %s stands %d times in ducklake_metadata".formatted(key, values.size()));
    }
    return values.get(0);
  }
}
