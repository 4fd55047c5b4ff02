package dev.sluice.catalog.error;

import dev.sluice.catalog.error.InvalidChangeException.Kind;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every user-visible error of the catalog module that is not about reading: context, problem,
 * reason, remedy. The texts are contract and never hold a secret.
 */
public final class CatalogErrors {

  private CatalogErrors() {}

  /** What the database's failure means to work that has not sent a COMMIT. */
  public static CatalogException of(String lake, String doing, SQLException failure) {
    return switch (SqlStates.meaning(failure)) {
      case ACCESS_REFUSED -> accessRefused(lake, failure);
      case UNAVAILABLE -> unavailable(lake, doing, failure);
      case LOST_RACE, TIMED_OUT -> busy(lake, doing, 1, failure);
      case MISSING_TABLE -> damaged(lake, "a table is missing", failure);
      case OTHER -> failed(lake, doing, SqlStates.text(failure), failure);
    };
  }

  /** The database has no DuckLake tables in that schema. */
  public static LakeRefusedException noLake(String lake) {
    return new LakeRefusedException(
        ("lake %s: there is no lake; the schema holds no ducklake_metadata table;"
                + " check the database and metadata schema, or create the lake")
            .formatted(lake),
        null);
  }

  /** A lake is there already. */
  public static LakeRefusedException lakeExists(String lake) {
    return new LakeRefusedException(
        "lake %s: cannot be created; the schema already holds a lake; open it instead"
            .formatted(lake),
        null);
  }

  /** An older format. */
  public static LakeRefusedException olderFormat(String lake, String version) {
    return new LakeRefusedException(
        ("lake %s: format version %s is not supported; Sluice works with exactly 1.0 and never"
                + " migrates a lake by itself; migrate it with DuckDB: ATTACH … (AUTOMATIC_MIGRATION"
                + " TRUE)")
            .formatted(lake, version),
        null);
  }

  /** A newer or unknown format. */
  public static LakeRefusedException newerFormat(String lake, String version) {
    return new LakeRefusedException(
        ("lake %s: format version %s is not supported; Sluice works with exactly 1.0 and this"
                + " version is newer or unknown; use a Sluice made for it, or a lake of format 1.0")
            .formatted(lake, version),
        null);
  }

  /** An encrypted lake. */
  public static LakeRefusedException encrypted(String lake) {
    return new LakeRefusedException(
        ("lake %s: is encrypted; Sluice cannot write encrypted Parquet files; use a lake that was"
                + " created without ENCRYPTED")
            .formatted(lake),
        null);
  }

  /** The metadata table is there but does not say what it must. */
  public static LakeRefusedException damaged(String lake, String what) {
    return damaged(lake, what, null);
  }

  private static LakeRefusedException damaged(String lake, String what, @Nullable Throwable cause) {
    return new LakeRefusedException(
        "lake %s: the catalog is damaged; %s; restore the catalog's database from a backup"
            .formatted(lake, what),
        cause);
  }

  /** The data path was changed while the lake was open. */
  public static LakeRefusedException movedLake(String lake, String opened, String now) {
    return new LakeRefusedException(
        ("lake %s: was moved; it was opened with data path %s and has %s now; nothing was written,"
                + " open the lake again")
            .formatted(lake, opened, now),
        null);
  }

  /** A data path that no lake can have. */
  public static LakeRefusedException badDataPath(String lake, String path, String reason) {
    return new LakeRefusedException(
        ("lake %s: data path '%s' is not usable; %s; give an absolute directory or"
                + " s3://bucket/prefix/")
            .formatted(lake, path, reason),
        null);
  }

  /** Wrong user, password or database. */
  public static LakeRefusedException accessRefused(String lake, Throwable cause) {
    return new LakeRefusedException(
        ("lake %s: the catalog database refused the login; user, password or database name is"
                + " wrong; check the lake's database settings")
            .formatted(lake),
        cause);
  }

  /** Nothing answers, or the connection broke before COMMIT. */
  public static CatalogUnavailableException unavailable(
      String lake, String doing, Throwable cause) {
    return new CatalogUnavailableException(
        ("lake %s: %s: the catalog database does not answer; it is unreachable, restarting or"
                + " read-only; nothing was written, try again when it is back")
            .formatted(lake, doing),
        cause);
  }

  /** The database failed in a way that is not foreseen. */
  public static CatalogUnavailableException failed(
      String lake, String doing, String sqlState, Throwable cause) {
    return new CatalogUnavailableException(
        ("lake %s: %s: the catalog database failed with SQLSTATE %s; nothing was written; see the"
                + " cause, and try again")
            .formatted(lake, doing, sqlState),
        cause);
  }

  /** All tries were lost. */
  public static CatalogBusyException busy(String lake, String doing, int tries, Throwable last) {
    return new CatalogBusyException(
        ("lake %s: %s: not committed after %d tries; other writers or lock holders were faster;"
                + " nothing was written, try again")
            .formatted(lake, doing, tries),
        last);
  }

  /** Somebody's commit rules the changes out. */
  public static CommitConflictException conflict(
      String lake, String doing, long base, String theirs) {
    return new CommitConflictException(
        ("lake %s: %s: conflicts with a commit made since snapshot %d; that commit did %s;"
                + " nothing was written, plan the change again on the newest snapshot")
            .formatted(lake, doing, base, theirs),
        null);
  }

  /** The name means another table now. */
  public static CommitConflictException otherTable(
      String lake, String doing, String table, long required, String found) {
    return new CommitConflictException(
        ("lake %s: %s: table %s must have id %d but %s; it was dropped or replaced meanwhile;"
                + " nothing was written, plan the change again")
            .formatted(lake, doing, table, required, found),
        null);
  }

  /** COMMIT was sent, no answer came. */
  public static CommitOutcomeUnknownException outcomeUnknown(
      String lake, String doing, Throwable cause) {
    return new CommitOutcomeUnknownException(
        ("lake %s: %s: it is not known whether the commit took place; the connection broke after"
                + " COMMIT was sent; clean nothing up and repeat the request with the same key")
            .formatted(lake, doing),
        cause);
  }

  /** A change that cannot be made. */
  public static InvalidChangeException invalid(
      String context, String problem, String reason, String remedy) {
    return new InvalidChangeException(
        Kind.INVALID, "%s: %s; %s; %s".formatted(context, problem, reason, remedy));
  }

  /** The policy forbids a difference. */
  public static InvalidChangeException schemaMismatch(
      String table, String difference, String policy) {
    return new InvalidChangeException(
        Kind.SCHEMA_MISMATCH,
        ("table %s: the new content does not fit; %s, and the schema policy %s does not allow that;"
                + " change the source, or the table's schema policy")
            .formatted(table, difference, policy));
  }

  /** Changes that are not ours. */
  public static InvalidChangeException foreignContent(String table, String found) {
    return new InvalidChangeException(
        Kind.FOREIGN_CONTENT,
        ("table %s: was changed by others since Sluice last published it; %s; see who writes to it,"
                + " or allow replacing it for this table (foreign content: replace)")
            .formatted(table, found));
  }

  /** A path that another row owns. */
  public static InvalidChangeException pathTaken(String table, String path, String owner) {
    return pathsTaken(table, path, owner, List.of(path));
  }

  /** Paths that other rows own, or that are owned but cannot stay: the first is explained. */
  public static InvalidChangeException pathsTaken(
      String table, String path, String owner, List<String> all) {
    String more = all.size() > 1 ? " (and %d more like it)".formatted(all.size() - 1) : "";
    return new InvalidChangeException(
        Kind.PATH_TAKEN,
        ("table %s: file %s cannot be registered%s; an object belongs to one data file row for ever"
                + " and %s; copy the object to a new key and register that")
            .formatted(table, path, more, owner),
        all);
  }

  /** The database holds something else than was sent. */
  public static InvalidChangeException notAsExpected(
      String table, String expected, String registered) {
    return new InvalidChangeException(
        Kind.VERIFICATION,
        ("table %s: registered content is not what was asked for; expected %s but counted %s;"
                + " nothing was written, report this as a defect")
            .formatted(table, expected, registered));
  }
}
