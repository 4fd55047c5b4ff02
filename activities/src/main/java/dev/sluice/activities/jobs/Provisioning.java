package dev.sluice.activities.jobs;

import dev.sluice.workflows.RegisterTrigger;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * What is provisioned: lakes, teams and sources. Written from the configuration at start; an entry
 * that left the configuration stays known, so that its history can be read. Thread-safe.
 */
public final class Provisioning {
  private final StateDatabase home;

  /** Makes the store. */
  public Provisioning(StateDatabase home) {
    this.home = Objects.requireNonNull(home, "home");
  }

  /**
   * A lake.
   *
   * @param name its configured name
   * @param metadataSchema its key: the metadata schema inside its database
   * @param databaseAddress host, port and database, for people; holds no credentials
   * @param dataPath where its files are
   */
  public record Lake(String name, String metadataSchema, String databaseAddress, String dataPath) {

    /** Checks presence. */
    public Lake {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(metadataSchema, "metadataSchema");
      Objects.requireNonNull(databaseAddress, "databaseAddress");
      Objects.requireNonNull(dataPath, "dataPath");
    }
  }

  /**
   * A team.
   *
   * @param id its id
   * @param lake configured name of the lake it publishes into
   * @param namingVersion id of its naming policy
   * @param importsSchema schema of imported tables
   * @param modelingSchema schema of modeled tables
   */
  public record Team(
      long id, String lake, String namingVersion, String importsSchema, String modelingSchema) {

    /** Checks presence. */
    public Team {
      Objects.requireNonNull(lake, "lake");
      Objects.requireNonNull(namingVersion, "namingVersion");
      Objects.requireNonNull(importsSchema, "importsSchema");
      Objects.requireNonNull(modelingSchema, "modelingSchema");
    }
  }

  /** What a source is. */
  public enum SourceKind {
    /** A table of an imported source. */
    IMPORT,
    /** A materialized query. */
    MODEL;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A source.
   *
   * @param ref names it
   * @param kind what it is
   * @param sourceType kind of the source as its enumeration spells it; of no meaning for a model
   * @param prefix the team's prefix, empty for none; of a model the query's normalized name
   * @param table normalized name of the source table; of a model its label
   * @param folder where its prepared folders are; null when the trigger's parent tells
   */
  public record Source(
      SourceRef ref,
      SourceKind kind,
      String sourceType,
      String prefix,
      String table,
      @Nullable String folder) {

    /** An imported source. */
    public Source(
        SourceRef ref, String sourceType, String prefix, String table, @Nullable String folder) {
      this(ref, SourceKind.IMPORT, sourceType, prefix, table, folder);
    }

    /** Checks presence. */
    public Source {
      Objects.requireNonNull(ref, "ref");
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(sourceType, "sourceType");
      Objects.requireNonNull(prefix, "prefix");
      Objects.requireNonNull(table, "table");
    }
  }

  /** Writes a lake; a later call for the name wins. */
  public void put(Lake lake) {
    home.read(
        dsl ->
            dsl.execute(
                """
                INSERT INTO sluice.lake (name, metadata_schema, database_address, data_path)
                VALUES (?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET metadata_schema = excluded.metadata_schema,
                  database_address = excluded.database_address, data_path = excluded.data_path,
                  updated_at = now()
                """,
                lake.name(),
                lake.metadataSchema(),
                lake.databaseAddress(),
                lake.dataPath()));
  }

  /**
   * Writes a team; a later call for the id wins as long as nothing was written for the team.
   *
   * @throws StateException of kind {@code NOT_PROVISIONED} when its lake is not, {@code
   *     FIXED_SETTING} when anything else is asked for than what the team's tables were written
   *     under
   */
  public void put(Team team) {
    home.write(
        dsl -> {
          if (dsl.fetchOptional("SELECT 1 FROM sluice.lake WHERE name = ?", team.lake())
              .isEmpty()) {
            throw StateErrors.lakeNotProvisioned(team.lake());
          }
          Optional<Team> stored =
              dsl.fetchOptional("SELECT * FROM sluice.team WHERE id = ? FOR UPDATE", team.id())
                  .map(Provisioning::team);
          if (stored.isPresent() && !stored.get().equals(team)) {
            requireUnwritten(dsl, stored.get(), team);
            dsl.execute("DELETE FROM sluice.table_name WHERE team = ?", team.id());
          }
          return dsl.execute(
              """
              INSERT INTO sluice.team (id, lake, naming_version, imports_schema, modeling_schema)
              VALUES (?, ?, ?, ?, ?)
              ON CONFLICT (id) DO UPDATE SET lake = excluded.lake,
                naming_version = excluded.naming_version,
                imports_schema = excluded.imports_schema,
                modeling_schema = excluded.modeling_schema, updated_at = now()
              """,
              team.id(),
              team.lake(),
              team.namingVersion(),
              team.importsSchema(),
              team.modelingSchema());
        });
  }

  /**
   * Writes a source; a later call for the team and id wins.
   *
   * @throws StateException of kind {@code NOT_PROVISIONED} when its team is not
   */
  public void put(Source source) {
    home.write(dsl -> put(dsl, source));
  }

  /** Writes a model as its trigger describes it. */
  static void put(DSLContext dsl, RegisterTrigger model) {
    put(
        dsl,
        new Source(
            TriggerStore.sourceOf(model),
            SourceKind.MODEL,
            "",
            model.prefix() == null ? "" : model.prefix(),
            model.table(),
            null));
  }

  private static int put(DSLContext dsl, Source source) {
    long team = source.ref().team();
    if (dsl.fetchOptional("SELECT 1 FROM sluice.team WHERE id = ?", team).isEmpty()) {
      throw StateErrors.teamNotProvisioned(team);
    }
    return dsl.execute(
        """
              INSERT INTO sluice.source (team, schema_id, kind, source_type, prefix, source_table,
                folder)
              VALUES (?, ?, ?, ?, ?, ?, CAST(? AS text))
              ON CONFLICT (team, schema_id) DO UPDATE SET kind = excluded.kind,
                source_type = excluded.source_type,
                prefix = excluded.prefix, source_table = excluded.source_table,
                folder = excluded.folder, updated_at = now()
              """,
        team,
        source.ref().schemaId(),
        source.kind().word(),
        source.sourceType(),
        source.prefix(),
        source.table(),
        source.folder());
  }

  /** Finds a lake by its configured name. */
  public Optional<Lake> findLake(String name) {
    return home.read(
        dsl ->
            dsl.fetchOptional("SELECT * FROM sluice.lake WHERE name = ?", name)
                .map(
                    row ->
                        new Lake(
                            row.get("name", String.class),
                            row.get("metadata_schema", String.class),
                            row.get("database_address", String.class),
                            row.get("data_path", String.class))));
  }

  /** Finds a team. */
  public Optional<Team> findTeam(long id) {
    return home.read(
        dsl ->
            dsl.fetchOptional("SELECT * FROM sluice.team WHERE id = ?", id)
                .map(Provisioning::team));
  }

  /** Finds a source. */
  public Optional<Source> findSource(SourceRef ref) {
    return home.read(
        dsl ->
            dsl.fetchOptional(
                    "SELECT * FROM sluice.source WHERE team = ? AND schema_id = ?",
                    ref.team(),
                    ref.schemaId())
                .map(Provisioning::source));
  }

  /** Every source, by team and id. */
  public List<Source> sources() {
    return home.read(
        dsl ->
            dsl.fetch("SELECT * FROM sluice.source ORDER BY team, schema_id")
                .map(Provisioning::source));
  }

  /**
   * Returns the team, or refuses with the remedy.
   *
   * @throws StateException of kind {@code NOT_PROVISIONED}
   */
  public Team requireTeam(long id) {
    return findTeam(id).orElseThrow(() -> StateErrors.teamNotProvisioned(id));
  }

  /**
   * An attempt notes its target before it lands anything, so that without any such note nothing was
   * written. The names that were given to the team's sources are given anew then.
   */
  private static void requireUnwritten(DSLContext dsl, Team stored, Team wanted) {
    boolean written =
        dsl.fetchOptional(
                "SELECT 1 FROM sluice.source_job WHERE team = ? AND target_table IS NOT NULL"
                    + " LIMIT 1",
                stored.id())
            .isPresent();
    if (written || TableRenames.findApplying(dsl, stored.id()).isPresent()) {
      throw StateErrors.settingFixed(stored, wanted);
    }
  }

  private static Team team(Record row) {
    return new Team(
        row.get("id", Long.class),
        row.get("lake", String.class),
        row.get("naming_version", String.class),
        row.get("imports_schema", String.class),
        row.get("modeling_schema", String.class));
  }

  private static Source source(Record row) {
    return new Source(
        new SourceRef(row.get("team", Long.class), row.get("schema_id", String.class)),
        SourceKind.valueOf(row.get("kind", String.class).toUpperCase(Locale.ROOT)),
        row.get("source_type", String.class),
        row.get("prefix", String.class),
        row.get("source_table", String.class),
        row.get("folder", String.class));
  }
}
