package dev.sluice.catalog;

import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitResult;
import dev.sluice.catalog.commit.CommitSettings;
import dev.sluice.catalog.commit.Committer;
import dev.sluice.catalog.error.CatalogErrors;
import dev.sluice.catalog.error.CatalogException;
import dev.sluice.catalog.internal.LakeCreation;
import dev.sluice.catalog.internal.LakeDatabase;
import dev.sluice.catalog.internal.LakeFormat;
import dev.sluice.catalog.read.CatalogReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * One lake: its metadata schema in a PostgreSQL database. The entrance to this module: {@link
 * #reader()} reads, {@link #commit} writes. Thread-safe; holds no connection between calls, takes
 * one at a time per call, and works through a pooler in transaction mode.
 */
public final class Catalog {

  private final LakeInfo info;
  private final CatalogReader reader;
  private final Committer committer;

  private Catalog(DataSource dataSource, LakeInfo info, CommitSettings settings) {
    this.info = info;
    this.reader = new CatalogReader(dataSource, info.key());
    this.committer = new Committer(dataSource, info, settings);
  }

  /**
   * Creates a lake of format 1.0 without inlining, with Sluice's tables beside it, and opens it.
   *
   * @param dataSource direct connections to the lake's database (no pooler: migrations lock)
   * @param metadataSchema the PostgreSQL schema to hold the catalog; made when missing
   * @param dataPath absolute directory or {@code s3://bucket/prefix}; a final slash is added
   * @throws CatalogException if there is a lake already, or the database refuses
   */
  public static Catalog create(DataSource dataSource, String metadataSchema, String dataPath) {
    String path = normalized(metadataSchema, dataPath);
    requireNone(dataSource, metadataSchema);
    LakeState.migrate(dataSource);
    inTransaction(
        dataSource,
        metadataSchema,
        "create the lake",
        dsl -> {
          if (holdsLake(dsl, metadataSchema)) {
            throw CatalogErrors.lakeExists(metadataSchema);
          }
          LakeCreation.createTables(dsl, metadataSchema);
          LakeCreation.createIndexes(dsl, metadataSchema);
          LakeCreation.writeFirstRows(dsl, path);
          LakeCreation.forgetFormerLake(dsl, metadataSchema);
          return path;
        });
    return open(dataSource, metadataSchema);
  }

  /**
   * Takes over a lake that DuckDB created: adds our indexes and the tables beside it, and opens it.
   *
   * @param dataSource direct connections to the lake's database
   * @throws dev.sluice.catalog.error.LakeRefusedException if it is not exactly format 1.0
   */
  public static Catalog adopt(DataSource dataSource, String metadataSchema) {
    inTransaction(
        dataSource,
        metadataSchema,
        "adopt the lake",
        dsl -> {
          String dataPath = checked(dsl, metadataSchema);
          LakeCreation.createIndexes(dsl, metadataSchema);
          return dataPath;
        });
    LakeState.migrate(dataSource);
    return open(dataSource, metadataSchema);
  }

  /**
   * Opens a lake.
   *
   * @throws dev.sluice.catalog.error.LakeRefusedException if there is none, or it is not exactly
   *     format 1.0, or encrypted; nothing is migrated
   */
  public static Catalog open(DataSource dataSource, String metadataSchema) {
    return open(dataSource, metadataSchema, CommitSettings.defaults());
  }

  /** Opens a lake with other limits for commits. */
  public static Catalog open(
      DataSource dataSource, String metadataSchema, CommitSettings settings) {
    String dataPath =
        inTransaction(
            dataSource, metadataSchema, "open the lake", dsl -> checked(dsl, metadataSchema));
    return new Catalog(dataSource, new LakeInfo(metadataSchema, dataPath), settings);
  }

  /** Whether the schema holds a lake of whatever format. */
  public static boolean exists(DataSource dataSource, String metadataSchema) {
    return inTransaction(
        dataSource, metadataSchema, "look for the lake", dsl -> holdsLake(dsl, metadataSchema));
  }

  /** What lake this is. */
  public LakeInfo info() {
    return info;
  }

  /** Reads the lake. */
  public CatalogReader reader() {
    return reader;
  }

  /**
   * Commits a request as one snapshot.
   *
   * @throws CatalogException see there for what each kind says about retrying and outcome; whatever
   *     a step of the request throws reaches the caller untouched, and nothing was written
   */
  public CommitResult commit(CommitRequest request) {
    return committer.commit(request);
  }

  private static void requireNone(DataSource dataSource, String metadataSchema) {
    if (exists(dataSource, metadataSchema)) {
      throw CatalogErrors.lakeExists(metadataSchema);
    }
  }

  private static String checked(DSLContext dsl, String metadataSchema) {
    if (!holdsLake(dsl, metadataSchema)) {
      throw CatalogErrors.noLake(metadataSchema);
    }
    return LakeFormat.check(dsl, metadataSchema);
  }

  private static boolean holdsLake(DSLContext dsl, String metadataSchema) {
    return dsl.fetchOptional(
            "SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name ="
                + " 'ducklake_metadata'",
            metadataSchema)
        .isPresent();
  }

  private static String normalized(String lake, String dataPath) {
    String stripped = dataPath;
    while (stripped.endsWith("/") || stripped.endsWith("\\")) {
      stripped = stripped.substring(0, stripped.length() - 1);
    }
    if (stripped.isEmpty() || stripped.endsWith(":/") || stripped.endsWith(":")) {
      throw CatalogErrors.badDataPath(lake, dataPath, "it is empty");
    }
    if (!stripped.startsWith("/") && !stripped.startsWith("s3://")) {
      throw CatalogErrors.badDataPath(lake, dataPath, "it is neither absolute nor on s3://");
    }
    return stripped + "/";
  }

  private static <T> T inTransaction(
      DataSource dataSource, String lake, String doing, Function<DSLContext, T> work) {
    try (Connection connection = LakeDatabase.connect(dataSource)) {
      connection.setAutoCommit(false);
      try {
        T result = work.apply(LakeDatabase.dsl(connection, lake));
        connection.commit();
        connection.setAutoCommit(true);
        return result;
      } catch (SQLException | RuntimeException e) {
        LakeDatabase.rollBack(connection, e);
        throw e;
      }
    } catch (DataAccessException e) {
      SQLException sql = e.getCause(SQLException.class);
      throw sql == null ? e : CatalogErrors.of(lake, doing, sql);
    } catch (SQLException e) {
      throw CatalogErrors.of(lake, doing, e);
    }
  }
}
