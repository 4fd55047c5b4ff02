package dev.sluice.activities.jobs;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * The registry of names: a table has one owner, a source has one table. The naming rules only
 * propose; what is assigned here holds. Thread-safe, also across processes.
 */
public final class TableNames {
  private final StateDatabase home;

  /** Makes the store. */
  public TableNames(StateDatabase home) {
    this.home = Objects.requireNonNull(home, "home");
  }

  /**
   * An assigned name.
   *
   * @param source the owner
   * @param target the table; its lake is the lake's configured name
   * @param namingVersion the naming version that proposed it
   */
  public record Assigned(SourceRef source, Target target, String namingVersion) {

    /** Checks presence. */
    public Assigned {
      Objects.requireNonNull(source, "source");
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(namingVersion, "namingVersion");
    }
  }

  /**
   * Assigns the name to the source that an attempt is about to write for; claiming again what one
   * has is harmless. While the team's tables are renamed nothing is claimed.
   *
   * @param target the table; its lake is the lake's configured name
   * @param namingVersion the naming version that proposed it
   * @throws StateException of kind {@code NAME_TAKEN} when another source owns the name (both are
   *     named), or when the source owns another name; {@code UNAVAILABLE} while the team's tables
   *     are being renamed, and when they were renamed since the name was proposed
   */
  public Assigned claim(SourceRef source, Target target, String namingVersion) {
    return home.write(
        dsl -> {
          // Shared with other attempts; a rename waits for them, and they for it.
          Optional<String> policy =
              dsl.fetchOptional(
                      "SELECT naming_version FROM sluice.team WHERE id = ? FOR SHARE",
                      source.team())
                  .map(row -> row.get("naming_version", String.class));
          Optional<TableRename> applying = TableRenames.findApplying(dsl, source.team());
          if (applying.isPresent()) {
            throw StateErrors.renaming(applying.get());
          }
          if (policy.isPresent() && !policy.get().equals(namingVersion)) {
            throw StateErrors.renamedMeanwhile(source.team(), policy.get());
          }
          return assigned(dsl, source, target, namingVersion);
        });
  }

  /**
   * Assigns the name to the source when it is configured, as {@link #claim} does for an attempt.
   *
   * @throws StateException of kind {@code NAME_TAKEN} as {@link #claim} does
   */
  public Assigned assign(SourceRef source, Target target, String namingVersion) {
    return home.write(dsl -> assigned(dsl, source, target, namingVersion));
  }

  private static Assigned assigned(
      DSLContext dsl, SourceRef source, Target target, String namingVersion) {
    Optional<Assigned> before = bySource(dsl, source);
    if (before.isPresent() && before.get().target().equals(target)) {
      return before.get();
    }
    // Waits for a rename that is being written down, so that its reservation is seen.
    dsl.execute("LOCK TABLE sluice.table_name IN ROW EXCLUSIVE MODE");
    TableRenames.findReserving(dsl, target)
        .ifPresent(
            rename -> {
              throw StateErrors.nameReserved(target, rename);
            });
    // Any of the unique keys may be in the way; which one is told by reading afterwards.
    dsl.execute(
        """
        INSERT INTO sluice.table_name (lake, schema_name, table_name, team, schema_id,
          naming_version)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """,
        target.lake(),
        target.schema(),
        target.table(),
        source.team(),
        source.schemaId(),
        namingVersion);
    Optional<Assigned> owner = byTarget(dsl, target);
    if (owner.isPresent() && !owner.get().source().equals(source)) {
      throw StateErrors.nameTaken(target, owner.get().source(), source);
    }
    return owner.orElseGet(
        () -> {
          Target assigned = bySource(dsl, source).orElseThrow().target();
          throw StateErrors.sourceHasOtherName(source, assigned, target);
        });
  }

  /** Finds the table of a source. */
  public Optional<Assigned> find(SourceRef source) {
    return home.read(dsl -> bySource(dsl, source));
  }

  /** Finds the owner of a table; the target's lake is the lake's configured name. */
  public Optional<Assigned> findOwner(Target target) {
    return home.read(dsl -> byTarget(dsl, target));
  }

  /** The tables of a team, by schema and name. */
  public List<Assigned> ofTeam(long team) {
    return home.read(dsl -> ofTeam(dsl, team));
  }

  static List<Assigned> ofTeam(DSLContext dsl, long team) {
    return dsl.fetch(
            "SELECT * FROM sluice.table_name WHERE team = ? ORDER BY lake, schema_name, table_name",
            team)
        .map(TableNames::ofRow);
  }

  /** The owners of a table name in all lakes. */
  public List<Assigned> owners(String schema, String table) {
    return home.read(
        dsl ->
            dsl.fetch(
                    """
                    SELECT * FROM sluice.table_name WHERE schema_name = ? AND table_name = ?
                    ORDER BY lake
                    """,
                    schema,
                    table)
                .map(TableNames::ofRow));
  }

  private static Optional<Assigned> bySource(DSLContext dsl, SourceRef source) {
    return dsl.fetchOptional(
            "SELECT * FROM sluice.table_name WHERE team = ? AND schema_id = ?",
            source.team(),
            source.schemaId())
        .map(TableNames::ofRow);
  }

  /** Without regard to case, as DuckDB finds tables. */
  static Optional<Assigned> byTarget(DSLContext dsl, Target target) {
    return dsl.fetchOptional(
            """
            SELECT * FROM sluice.table_name
            WHERE lake = ? AND lower(schema_name COLLATE "C") = lower(? COLLATE "C")
              AND lower(table_name COLLATE "C") = lower(? COLLATE "C")
            """,
            target.lake(),
            target.schema(),
            target.table())
        .map(TableNames::ofRow);
  }

  private static Assigned ofRow(Record row) {
    return new Assigned(
        new SourceRef(row.get("team", Long.class), row.get("schema_id", String.class)),
        new Target(
            row.get("lake", String.class),
            row.get("schema_name", String.class),
            row.get("table_name", String.class)),
        row.get("naming_version", String.class));
  }
}
