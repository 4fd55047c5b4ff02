package dev.sluice.worker.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.lake.WriteLimits;
import dev.sluice.activities.storage.S3Credentials;
import dev.sluice.activities.storage.Secret;
import dev.sluice.workflows.RegisterTrigger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be set, complete and checked: every name resolves, and no two sources own one
 * table. Immutable; its text form shows no secret.
 *
 * @param mode how strict it was read
 * @param home the home database
 * @param lakes lakes by name; at least one
 * @param teams teams by number
 * @param sources sources by name
 * @param options sets of per-source options that triggers can ask for, by name
 * @param naming naming where a team says nothing
 * @param temporal the Temporal service
 * @param flagsFile the file of the gate's flags; null when every gate is closed
 * @param log what is logged
 * @param limits how much one worker does at a time
 * @param reaper how what runs is looked after
 * @param writes what one write of rows may take
 * @param checks what is checked of a generation before it is published
 * @param unusedVariables variables that are set and recognized, but not used yet
 */
public record Configuration(
    Mode mode,
    DatabaseSettings home,
    Map<String, LakeSettings> lakes,
    Map<Long, TeamSettings> teams,
    Map<String, SourceSettings> sources,
    Map<String, SourceOptions> options,
    NamingSettings naming,
    TemporalSettings temporal,
    @Nullable Path flagsFile,
    LogSettings log,
    LimitSettings limits,
    ReaperSettings reaper,
    WriteLimits writes,
    CheckSettings checks,
    List<String> unusedVariables) {

  /** Copies the collections; the file's order is kept. */
  public Configuration {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(home, "home");
    lakes = ordered(lakes);
    teams = ordered(teams);
    sources = ordered(sources);
    options = ordered(options);
    Objects.requireNonNull(naming, "naming");
    Objects.requireNonNull(temporal, "temporal");
    Objects.requireNonNull(log, "log");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(reaper, "reaper");
    Objects.requireNonNull(writes, "writes");
    Objects.requireNonNull(checks, "checks");
    unusedVariables = List.copyOf(unusedVariables);
  }

  /**
   * Reads a file and the environment.
   *
   * @throws ConfigurationException when the file cannot be read, a key is unknown, missing or wrong
   */
  public static Configuration read(Path file, Map<String, String> environment) {
    try {
      return parse(Files.readString(file), environment);
    } catch (JsonProcessingException e) {
      // Its message would quote the file, and the file may hold secrets.
      throw ConfigErrors.unreadable(file, YamlText.withoutSource(e));
    } catch (IOException e) {
      throw ConfigErrors.unreadable(file, e);
    }
  }

  /**
   * Reads the environment alone.
   *
   * @throws ConfigurationException when a variable is unknown, missing or wrong
   */
  public static Configuration ofEnvironment(Map<String, String> environment) {
    return new ConfigurationReader(Map.of(), environment).read();
  }

  static Configuration parse(String yaml, Map<String, String> environment) throws IOException {
    return new ConfigurationReader(YamlText.parse(yaml), environment).read();
  }

  /**
   * The lake of that name.
   *
   * @throws ConfigurationException when there is none
   */
  public LakeSettings lake(String name) {
    LakeSettings lake = lakes.get(name);
    if (lake == null) {
      throw ConfigErrors.noSuchLake("lake", name, lakes.keySet());
    }
    return lake;
  }

  /**
   * The team of that number.
   *
   * @throws ConfigurationException when there is none
   */
  public TeamSettings team(long id) {
    TeamSettings team = teams.get(id);
    if (team == null) {
      throw ConfigErrors.noSuchTeam("team", id);
    }
    return team;
  }

  /**
   * The source of that name.
   *
   * @throws ConfigurationException when there is none
   */
  public SourceSettings source(String name) {
    SourceSettings source = sources.get(name);
    if (source == null) {
      throw ConfigErrors.noSuchSource(name, sources.keySet());
    }
    return source;
  }

  /** Finds the source with this team and id. */
  public Optional<SourceSettings> findSource(SourceRef ref) {
    return sources.values().stream().filter(source -> source.ref().equals(ref)).findFirst();
  }

  /**
   * The table of a source, by its team's naming; the target's lake is the lake's configured name.
   *
   * @throws ConfigurationException when the source's team is not configured
   */
  public Target target(SourceSettings source) {
    TeamSettings team = team(source.ref().team());
    return new Target(
        team.lake(),
        team.importsSchema(),
        team.naming().importTable(source.type(), source.prefix(), source.table()));
  }

  /**
   * The options of a trigger: those it asks for by name, else those of its source, else the
   * defaults.
   *
   * @throws ConfigurationException when it asks for options that do not exist
   */
  public SourceOptions optionsOf(RegisterTrigger trigger) {
    String asked = trigger.options();
    if (asked != null) {
      SourceOptions named = options.get(asked);
      if (named == null) {
        throw ConfigErrors.unknownOptions(asked, options.keySet());
      }
      return named;
    }
    return findSource(new SourceRef(trigger.team(), trigger.sourceSchemaId()))
        .map(SourceSettings::options)
        .orElse(SourceOptions.DEFAULTS);
  }

  /**
   * The secrets in clear text, for what redacts texts before they are stored; without the
   * development passwords, which are ordinary words.
   */
  public List<String> secretsToRedact() {
    List<Secret> all = new ArrayList<>();
    all.add(home.password());
    for (LakeSettings lake : lakes.values()) {
      all.add(lake.database().password());
      addSecrets(lake.storage().credentials(), all);
    }
    return all.stream()
        .map(Secret::reveal)
        .filter(value -> !value.equals(DevelopmentDefaults.PASSWORD))
        .distinct()
        .toList();
  }

  private static void addSecrets(S3Credentials credentials, List<Secret> all) {
    switch (credentials) {
      case S3Credentials.Ambient ambient -> {
        return;
      }
      case S3Credentials.Fixed fixed -> {
        all.add(fixed.secretAccessKey());
        if (fixed.sessionToken() != null) {
          all.add(fixed.sessionToken());
        }
      }
      case S3Credentials.AssumedRole role -> addSecrets(role.base(), all);
    }
  }

  private static <K, V> Map<K, V> ordered(Map<K, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }
}
