package dev.sluice.worker.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.embedded.PostgresDatabase;
import dev.sluice.worker.gate.FlagKey;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.SourceFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes the configuration of a worker on the embedded stack: the same kind of file that a
 * production worker reads, so that every other command can be pointed at the stack with it.
 */
final class StackConfiguration {

  private static final String LAKE = "main";

  private StackConfiguration() {}

  /**
   * Writes {@code sluice.yaml} and the flags file it names into the folder.
   *
   * @return the configuration file
   */
  static Path write(EmbeddedStack stack, List<PreparedSource> sources, Path folder) {
    Path flags = folder.resolve("flags.yaml").toAbsolutePath();
    Path file = folder.resolve("sluice.yaml").toAbsolutePath();
    try {
      Files.createDirectories(folder);
      Files.writeString(flags, yaml(flags(sources)));
      Files.writeString(file, yaml(configuration(stack, sources, flags)));
      return file;
    } catch (IOException e) {
      throw DemoErrors.notWritable(folder, e);
    }
  }

  private static Map<String, Object> configuration(
      EmbeddedStack stack, List<PreparedSource> sources, Path flags) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("mode", "development");
    root.put("home", Map.of("database", database(stack.homeDatabase())));
    Map<String, Object> storage = new LinkedHashMap<>();
    storage.put("data-path", "s3://" + stack.lakeBucket() + "/");
    storage.put("region", stack.s3().region());
    storage.put("endpoint", stack.s3().endpoint().toString());
    storage.put("addressing", "path");
    storage.put(
        "credentials",
        Map.of(
            "type", "fixed",
            "access-key", stack.s3().accessKey(),
            "secret-key", stack.s3().secretKey()));
    Map<String, Object> lake = new LinkedHashMap<>();
    lake.put("database", database(stack.lakeDatabase()));
    lake.put("storage", storage);
    root.put("lakes", Map.of(LAKE, lake));
    Map<String, Object> teams = new TreeMap<>();
    Map<String, Object> configured = new TreeMap<>();
    for (PreparedSource source : sources) {
      teams.put(Long.toString(source.team()), Map.of("lake", LAKE));
      String name = name(source);
      configured.put(
          configured.containsKey(name) ? name + "-team-" + source.team() : name,
          source(stack, source));
    }
    root.put("teams", teams);
    root.put("sources", configured);
    root.put(
        "temporal",
        Map.of("address", stack.temporal().target(), "namespace", stack.temporal().namespace()));
    root.put("flags", Map.of("file", flags.toString()));
    return root;
  }

  private static Map<String, Object> database(PostgresDatabase database) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("host", database.host());
    settings.put("port", database.port());
    settings.put("name", database.name());
    settings.put("user", database.user());
    settings.put("password", database.password());
    settings.put("ssl-mode", "disable");
    return settings;
  }

  private static Map<String, Object> source(EmbeddedStack stack, PreparedSource source) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("team", source.team());
    settings.put("id", source.schemaId());
    settings.put("type", source.sourceType());
    settings.put("table", source.table());
    settings.put(
        "folder",
        "s3://"
            + stack.sourceBucket()
            + "/"
            + SourceFolder.path(source.team(), source.sourceType(), source.schemaId()));
    return settings;
  }

  /**
   * Begins with what a person would look for. Unique within a team, since one source has one id; of
   * a further team's the team is added.
   */
  static String name(PreparedSource source) {
    return (source.sourceType() + "-" + source.table() + "-" + source.schemaId())
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9-]", "-");
  }

  private static Map<String, Object> flags(List<PreparedSource> sources) {
    return Map.of(
        FlagKey.IMPORTS_REGISTRATION.key(), flag(sources, WorkflowPath.REGISTER),
        FlagKey.IMPORTS_COPY.key(), flag(sources, WorkflowPath.COPY),
        // models have tables of their own, so that this path is nobody's rival
        FlagKey.MODELING_COPY.key(), flag(sources, WorkflowPath.COPY));
  }

  private static Map<String, Object> flag(List<PreparedSource> sources, WorkflowPath path) {
    Map<String, Object> teams = new TreeMap<>();
    sources.stream()
        .filter(source -> source.path() == path)
        .forEach(source -> teams.put(Long.toString(source.team()), true));
    return Map.of("default", false, "teams", teams);
  }

  private static String yaml(Map<String, Object> tree) throws JsonProcessingException {
    return new YAMLMapper().writeValueAsString(tree);
  }
}
