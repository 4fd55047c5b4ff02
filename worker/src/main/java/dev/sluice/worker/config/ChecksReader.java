package dev.sluice.worker.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.sluice.activities.query.SqlTemplate;
import dev.sluice.activities.temporal.Verifier;
import dev.sluice.activities.verify.CheckKinds;
import dev.sluice.activities.verify.CheckLayer;
import dev.sluice.activities.verify.CheckLayer.Below;
import dev.sluice.activities.verify.CheckRules;
import dev.sluice.activities.verify.Depth;
import dev.sluice.activities.verify.SqlCheck;
import dev.sluice.catalog.TableName;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what is checked of which table, from the section itself or from the file that it names. */
final class ChecksReader {

  private static final long BYTES_PER_MIB = 1L << 20;
  private static final List<String> LAYERS = List.of("defaults", "sources", "tables");

  private ChecksReader() {}

  static CheckSettings checks(Section section) {
    long memoryMib =
        section.count(
            "memory-mib", Math.toIntExact(Verifier.Settings.DEFAULT_MEMORY_BYTES / BYTES_PER_MIB));
    int atATime = section.count("at-a-time", Verifier.Settings.DEFAULT_AT_A_TIME);
    Optional<Path> file = section.text("file").map(Path::of);
    Section layers = section;
    if (file.isPresent()) {
      for (String key : LAYERS) {
        if (section.names().contains(key)) {
          throw ConfigErrors.exclusive(section.path("file"), section.path(key));
        }
      }
      layers = section.beside(read(file.get()));
    }
    return new CheckSettings(
        rules(layers), new Verifier.Settings(memoryMib * BYTES_PER_MIB, atATime));
  }

  private static Map<String, Object> read(Path file) {
    try {
      return YamlText.parse(Files.readString(file));
    } catch (JsonProcessingException e) {
      throw ConfigErrors.unreadable(file, YamlText.withoutSource(e));
    } catch (IOException e) {
      throw ConfigErrors.unreadable(file, e);
    }
  }

  private static CheckRules rules(Section section) {
    Map<String, CheckLayer> bySource = new LinkedHashMap<>();
    Section sources = section.section("sources");
    for (String id : sources.names()) {
      bySource.put(id, layer(sources.section(id)));
    }
    Map<TableName, CheckLayer> byTable = new LinkedHashMap<>();
    Section tables = section.section("tables");
    for (String name : tables.names()) {
      byTable.put(tableName(tables.path(name), name), layer(tables.section(name)));
    }
    return new CheckRules(layer(section.section("defaults")), bySource, byTable);
  }

  private static TableName tableName(String key, String name) {
    int dot = name.indexOf('.');
    if (dot <= 0 || dot == name.length() - 1) {
      throw ConfigErrors.wrong(key, name, "SCHEMA.TABLE as the key");
    }
    return new TableName(name.substring(0, dot), name.substring(dot + 1));
  }

  private static CheckLayer layer(Section section) {
    Map<String, Double> tolerances = new LinkedHashMap<>();
    Section ofChecks = section.section("tolerances");
    for (String check : ofChecks.names()) {
      if (!CheckKinds.isTolerant(check)) {
        throw ConfigErrors.wrong(
            ofChecks.path(check),
            check,
            "the name of a check with numbers, beginning with one of "
                + String.join(", ", CheckKinds.tolerant()));
      }
      tolerances.put(check, tolerance(ofChecks, check));
    }
    List<SqlCheck> queries = new ArrayList<>();
    Section ofQueries = section.section("queries");
    for (String name : ofQueries.names()) {
      queries.add(query(name, ofQueries.section(name)));
    }
    return new CheckLayer(
        section.truth("inherit").orElse(true) ? Below.INHERIT : Below.FORGET,
        section.text("depth").isEmpty() ? null : section.choice("depth", Depth.class, Depth.COUNTS),
        section.texts("key-columns").orElse(null),
        tolerances,
        queries);
  }

  private static SqlCheck query(String name, Section section) {
    if (CheckKinds.isBuiltIn(name)) {
      throw ConfigErrors.wrong(section.path("sql"), name, "a name that no built-in check has");
    }
    SqlTemplate sql;
    String text = section.requiredText("sql");
    try {
      sql = SqlCheck.parse(text);
    } catch (IllegalArgumentException e) {
      throw ConfigErrors.badQuery(section.path("sql"), String.valueOf(e.getMessage()));
    }
    return new SqlCheck(
        name,
        sql,
        section.text("description").orElse(text.strip()),
        number(section, "expected"),
        tolerance(section, "tolerance"));
  }

  private static double tolerance(Section section, String key) {
    BigDecimal tolerance = number(section, key);
    if (tolerance.signum() < 0) {
      throw ConfigErrors.wrong(section.path(key), tolerance.toPlainString(), "a number from 0");
    }
    return tolerance.doubleValue();
  }

  private static BigDecimal number(Section section, String key) {
    Optional<String> text = section.text(key);
    try {
      return new BigDecimal(text.orElse("0").strip());
    } catch (NumberFormatException e) {
      throw ConfigErrors.wrong(section.path(key), text.orElse(""), "a number such as 0.5");
    }
  }
}
