package dev.sluice.worker.config;

import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.lake.WriteLimits;
import dev.sluice.activities.landing.DeletedRows;
import dev.sluice.activities.parquet.MatchOptions.ExtraColumns;
import dev.sluice.activities.parquet.MatchOptions.MissingColumns;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.workflows.naming.InvalidNameException;
import dev.sluice.workflows.naming.NamingPolicy;
import dev.sluice.workflows.naming.SchemaNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the sections that need nothing from outside, and checks what spans sections. */
final class ConfigurationReader {
  private static final List<String> SECTIONS =
      List.of(
          "home",
          "lakes",
          "teams",
          "sources",
          "options",
          "naming",
          "temporal",
          "flags",
          "log",
          "limits",
          "reaper",
          "writes",
          "checks");

  private static final long BYTES_PER_MIB = 1L << 20;

  private final Environment environment;
  private final Section root;

  ConfigurationReader(Map<String, Object> values, Map<String, String> environment) {
    this.environment = new Environment(environment);
    this.root = Section.root(values, this.environment);
  }

  Configuration read() {
    Mode mode = root.choice("mode", Mode.class, Mode.PRODUCTION);
    LakeReader lakeReader = new LakeReader(mode, environment);
    Map<String, LakeSettings> lakes = lakeReader.lakes(root.section("lakes"));
    Section homeSection = root.section("home").section("database");
    LakeSettings mainLake = lakes.values().iterator().next();
    DatabaseSettings home = lakeReader.home(homeSection, mainLake.database());
    NamingSettings naming = naming(root.section("naming"));
    Map<Long, TeamSettings> teams = teams(root.section("teams"), naming, mainLake.name(), lakes);
    Map<String, SourceSettings> sources = sources(root.section("sources"), teams);
    Map<String, SourceOptions> options = new LinkedHashMap<>();
    Section optionsSection = root.section("options");
    for (String name : optionsSection.names()) {
      options.put(name, options(optionsSection.section(name)));
    }
    Configuration configuration =
        new Configuration(
            mode,
            home,
            lakes,
            teams,
            sources,
            options,
            naming,
            temporal(root.section("temporal")),
            root.section("flags").text("file").map(Path::of).orElse(null),
            log(root.section("log")),
            limits(root.section("limits")),
            reaper(root.section("reaper")),
            writes(root.section("writes")),
            ChecksReader.checks(root.section("checks")),
            environment.beginningWith("DUCKGRES_"));
    root.requireAllKnown();
    environment.requireAllKnown(root.allKnown(), SECTIONS);
    requireLakesApart(configuration);
    requireOneOwner(configuration);
    return configuration;
  }

  private static NamingSettings naming(Section section) {
    return new NamingSettings(
        policy(section, "policy", NamingPolicy.COPY_V1),
        section.text("imports-prefix").orElse(SchemaNames.DEFAULT_IMPORTS_PREFIX),
        section.text("modeling-prefix").orElse(SchemaNames.DEFAULT_MODELING_PREFIX));
  }

  private static Map<Long, TeamSettings> teams(
      Section section, NamingSettings naming, String mainLake, Map<String, LakeSettings> lakes) {
    Map<Long, TeamSettings> teams = new LinkedHashMap<>();
    for (String name : section.names()) {
      long id = teamNumber(section.path(name), name);
      Section team = section.section(name);
      String lake = team.text("lake").orElse(mainLake);
      if (!lakes.containsKey(lake)) {
        throw ConfigErrors.noSuchLake(team.path("lake"), lake, lakes.keySet());
      }
      teams.put(
          id,
          new TeamSettings(
              id,
              lake,
              policy(team, "naming", naming.policy()),
              schema(team, "imports-schema", naming.importsPrefix() + id),
              schema(team, "modeling-schema", naming.modelingPrefix() + id)));
    }
    return teams;
  }

  private static Map<String, SourceSettings> sources(
      Section section, Map<Long, TeamSettings> teams) {
    Map<String, SourceSettings> sources = new LinkedHashMap<>();
    for (String name : section.names()) {
      Section source = section.section(name);
      long team = source.requiredNumber("team");
      if (!teams.containsKey(team)) {
        throw ConfigErrors.noSuchTeam(source.path("team"), team);
      }
      sources.put(
          name,
          new SourceSettings(
              name,
              new SourceRef(team, source.requiredText("id")),
              source.requiredText("type"),
              source.text("prefix").orElse(""),
              source.requiredText("table"),
              source.text("folder").orElse(null),
              options(source)));
    }
    return sources;
  }

  private static SourceOptions options(Section section) {
    SourceOptions defaults = SourceOptions.DEFAULTS;
    return new SourceOptions(
        section.choice("missing-columns", MissingColumns.class, defaults.missingColumns()),
        section.choice("extra-columns", ExtraColumns.class, defaults.extraColumns()),
        section.choice("schema-policy", SchemaPolicy.class, defaults.schemaPolicy()),
        section.choice("foreign-content", ForeignContent.class, defaults.foreignContent()),
        section.choice("deleted-rows", DeletedRows.class, defaults.deletedRows()));
  }

  private static TemporalSettings temporal(Section section) {
    return new TemporalSettings(
        section.text("address").orElse(TemporalSettings.DEFAULT_ADDRESS),
        section.text("namespace").orElse(TemporalSettings.DEFAULT_NAMESPACE),
        section.text("queue").orElse(TemporalSettings.DEFAULT_QUEUE),
        section.choice(
            "encryption", TemporalSettings.Encryption.class, TemporalSettings.Encryption.NONE));
  }

  private static LogSettings log(Section section) {
    return new LogSettings(
        section.choice("level", LogSettings.Level.class, LogSettings.Level.INFO),
        section.choice("format", LogSettings.Format.class, LogSettings.Format.CONSOLE));
  }

  private static LimitSettings limits(Section section) {
    return new LimitSettings(
        section.count("activities", LimitSettings.DEFAULT_ACTIVITIES),
        section.count("workflow-tasks", LimitSettings.DEFAULT_WORKFLOW_TASKS),
        section.count("copies", LimitSettings.DEFAULT_COPIES),
        section.count("footers", LimitSettings.DEFAULT_FOOTERS));
  }

  private static ReaperSettings reaper(Section section) {
    Duration every = section.duration("every").orElse(ReaperSettings.DEFAULT_EVERY);
    if (every.compareTo(ReaperSettings.SHORTEST) < 0
        || every.compareTo(ReaperSettings.LONGEST) > 0) {
      throw ConfigErrors.wrong(
          section.path("every"), every.toString(), "a duration from PT1S to PT30S");
    }
    return new ReaperSettings(every, section.count("asks", ReaperSettings.DEFAULT_ASKS));
  }

  private static WriteLimits writes(Section section) {
    int memoryMib =
        section.count(
            "memory-mib", Math.toIntExact(WriteLimits.DEFAULT_MEMORY_BYTES / BYTES_PER_MIB));
    Long temporaryBytes =
        section.text("temporary-mib").isEmpty()
            ? null
            : Long.valueOf(section.count("temporary-mib", 1) * BYTES_PER_MIB);
    return new WriteLimits(memoryMib * BYTES_PER_MIB, temporaryBytes);
  }

  private static NamingPolicy policy(Section section, String key, NamingPolicy whenAbsent) {
    Optional<String> text = section.text(key);
    if (text.isEmpty()) {
      return whenAbsent;
    }
    try {
      return NamingPolicy.ofId(text.get());
    } catch (InvalidNameException e) {
      throw ConfigErrors.wrong(section.path(key), text.get(), "one of " + NamingPolicy.ids());
    }
  }

  private static String schema(Section section, String key, String whenAbsent) {
    String name = section.text(key).orElse(whenAbsent);
    try {
      return SchemaNames.validate(name, section.path(key));
    } catch (InvalidNameException e) {
      throw ConfigErrors.wrong(
          section.path(key), name, "1 to 63 of a-z, 0-9 and _, not beginning with a digit");
    }
  }

  private static long teamNumber(String key, String name) {
    try {
      return Long.parseLong(name);
    } catch (NumberFormatException e) {
      throw ConfigErrors.wrong(key, name, "the team's number as the key");
    }
  }

  private static void requireLakesApart(Configuration configuration) {
    Map<String, String> catalogs = new HashMap<>();
    Map<String, String> dataPaths = new HashMap<>();
    for (LakeSettings lake : configuration.lakes().values()) {
      String catalog = lake.database().address() + " schema " + lake.metadataSchema();
      String first = catalogs.put(catalog, lake.name());
      if (first != null) {
        throw ConfigErrors.lakesOverlap("catalog", catalog, first, lake.name());
      }
      String dataPath = lake.storage().dataPath().uri();
      first = dataPaths.put(dataPath, lake.name());
      if (first != null) {
        throw ConfigErrors.lakesOverlap("data-path", dataPath, first, lake.name());
      }
    }
  }

  private static void requireOneOwner(Configuration configuration) {
    Map<SourceRef, String> refs = new HashMap<>();
    Map<Target, String> owners = new HashMap<>();
    for (SourceSettings source : configuration.sources().values()) {
      String same = refs.put(source.ref(), source.name());
      if (same != null) {
        throw ConfigErrors.sameSource(source.ref().toString(), same, source.name());
      }
      Target target = configuration.target(source);
      String owner = owners.put(target, source.name());
      if (owner != null) {
        throw ConfigErrors.sameTable(target.schema() + "." + target.table(), owner, source.name());
      }
    }
  }
}
