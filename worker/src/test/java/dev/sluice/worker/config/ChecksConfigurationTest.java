package dev.sluice.worker.config;

import static dev.sluice.worker.config.Configurations.assertRefused;
import static dev.sluice.worker.config.Configurations.development;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.temporal.Verifier;
import dev.sluice.activities.verify.CheckPlan;
import dev.sluice.activities.verify.Depth;
import dev.sluice.activities.verify.SqlCheck;
import dev.sluice.catalog.TableName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is checked of which table: defaults, every key, overrides, and what is refused. */
class ChecksConfigurationTest {

  private static final TableName TABLE = new TableName("imports", "orders");
  private static final TableName OTHER = new TableName("imports", "other");

  private static final String LAYERS =
      """
      defaults:
        depth: columns
        key-columns: [id, "a,b"]
        tolerances: {row_count: 1, null_count: 2.5, null_count.t: 0}
        queries:
          sum: {sql: 'SELECT sum(x) FROM {table}', tolerance: 0.5}
          kept: {sql: 'SELECT 1 FROM {landed}', description: stays, expected: 1}
      sources:
        s-1: {depth: content, tolerances: {row_count: 7}}
        s-2: {inherit: false, key-columns: 'x, y'}
      tables:
        imports.orders:
          tolerances: {null_count.t: 9}
          queries:
            sum: {sql: 'SELECT sum(y) FROM {table}', tolerance: 100}
        imports.bare: {inherit: false}
      """;

  private static String checks(String layers) {
    return "checks:\n" + layers.indent(2);
  }

  private static CheckPlan plan(Configuration configuration, TableName table, String source) {
    return configuration.checks().rules().of(table, source);
  }

  @Test
  void countsAreTheDefault() {
    CheckSettings settings = development("").checks();

    assertThat(settings).isEqualTo(CheckSettings.DEFAULTS);
    assertThat(settings.rules().of(TABLE, "s-1")).isEqualTo(CheckPlan.DEFAULT);
    assertThat(settings.limits()).isEqualTo(new Verifier.Settings(512L << 20, 2));
  }

  @Test
  void everyKeyCanBeSet() {
    Configuration configuration = development(checks("memory-mib: 64\nat-a-time: 3\n" + LAYERS));

    assertThat(configuration.checks().limits()).isEqualTo(new Verifier.Settings(64L << 20, 3));
    CheckPlan plan = plan(configuration, OTHER, "s-9");
    assertThat(plan.depth()).isEqualTo(Depth.COLUMNS);
    assertThat(plan.keyColumns()).containsExactly("id", "a,b");
    assertThat(plan.tolerances())
        .isEqualTo(Map.of("row_count", 1.0, "null_count", 2.5, "null_count.t", 0.0));
    assertThat(plan.queries()).extracting(SqlCheck::name).containsExactly("sum", "kept");
    assertThat(plan.queries().get(0).description()).isEqualTo("SELECT sum(x) FROM {table}");
    assertThat(plan.queries().get(1).description()).isEqualTo("stays");
    assertThat(plan.queries().get(1).expected()).isEqualByComparingTo("1");
  }

  @Test
  void theSameNameReplacesAndNothingRunsTwice() {
    CheckPlan plan = plan(development(checks(LAYERS)), TABLE, "s-9");

    assertThat(plan.queries()).extracting(SqlCheck::name).containsExactly("sum", "kept");
    assertThat(plan.queries().get(0).query()).hasToString("SELECT sum(y) FROM {table}");
    assertThat(plan.queries().get(0).tolerance()).isEqualTo(100);
    assertThat(plan.tolerances())
        .containsEntry("null_count.t", 9.0)
        .containsEntry("row_count", 1.0);
  }

  @Test
  void theTableWinsOverTheSourceAndTheSourceOverTheDefaults() {
    Configuration configuration =
        development(checks(LAYERS + "  imports.deep: {depth: counts, key-columns: []}\n"));

    assertThat(plan(configuration, OTHER, "s-1").depth()).isEqualTo(Depth.CONTENT);
    assertThat(plan(configuration, OTHER, "s-1").tolerances()).containsEntry("row_count", 7.0);
    CheckPlan deep = plan(configuration, new TableName("imports", "deep"), "s-1");
    assertThat(deep.depth()).isEqualTo(Depth.COUNTS);
    assertThat(deep.keyColumns()).isEmpty();
  }

  @Test
  void withoutInheritanceNothingBelowCounts() {
    Configuration configuration = development(checks(LAYERS));

    assertThat(plan(configuration, new TableName("imports", "bare"), "s-1"))
        .isEqualTo(CheckPlan.DEFAULT);
    assertThat(plan(configuration, OTHER, "s-2"))
        .isEqualTo(new CheckPlan(Depth.COUNTS, List.of("x", "y"), Map.of(), List.of()));
  }

  @Test
  void aFileOfItsOwnSaysTheSame(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("checks.yaml"), LAYERS);

    Configuration configuration = development(checks("file: '" + file + "'\n"));

    assertThat(plan(configuration, TABLE, "s-1"))
        .usingRecursiveComparison()
        .isEqualTo(plan(development(checks(LAYERS)), TABLE, "s-1"));
    assertRefused(
        checks("file: '" + file + "'\ndefaults: {}\n"),
        "configuration: keys checks.file and checks.defaults exclude each other; both say the same"
            + " thing; remove one");
    Files.writeString(file, "default: {}");
    assertRefused(
        checks("file: '" + file + "'\n"),
        "configuration: unknown key checks.default; no section has it; did you mean"
            + " checks.defaults?");
  }

  @Test
  void aFileThatIsNotThereStopsTheStart(@TempDir Path folder) {
    assertThatThrownBy(() -> development(checks("file: '" + folder.resolve("gone") + "'\n")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("the file cannot be read");
  }

  @Test
  void aVariableWinsOverTheFile() {
    Configuration configuration =
        Configurations.read(
            "mode: development\n" + checks(LAYERS),
            Map.of(
                "SLUICE_CHECKS_DEFAULTS_DEPTH", "content",
                "SLUICE_CHECKS_TABLES_IMPORTS_ORDERS_KEY_COLUMNS", "k, l"));

    assertThat(plan(configuration, TABLE, "s-9").depth()).isEqualTo(Depth.CONTENT);
    assertThat(plan(configuration, TABLE, "s-9").keyColumns()).containsExactly("k", "l");
  }

  @Test
  void aMisspeltKeyIsNamedWithTheNearest() {
    assertRefused(
        checks("tables: {a.b: {toleranzes: {}}}"),
        "configuration: unknown key checks.tables.a.b.toleranzes; no section has it; did you mean"
            + " checks.tables.a.b.tolerances?");
  }

  @Test
  void whatCannotBeMeantIsRefused() {
    assertRefused(
        checks("defaults: {queries: {q: {sql: 'SELEC 1 FROM {table}'}}}"),
        "configuration: key checks.defaults.queries.q.sql is no query that can be run; syntax error"
            + " at or near \"SELEC\"; correct it");
    assertRefused(
        checks("defaults: {queries: {q: {sql: 'SELECT 1'}}}"),
        "configuration: key checks.defaults.queries.q.sql is no query that can be run; it reads"
            + " neither {table} nor {source} and {landed}, so it checks nothing; correct it");
    assertRefused(
        checks("defaults: {queries: {row_count: {sql: 'SELECT 1 FROM {table}'}}}"),
        "configuration: key checks.defaults.queries.row_count.sql has a wrong value; required is a"
            + " name that no built-in check has, got row_count; correct it");
    assertRefused(
        checks("defaults: {tolerances: {content: 1}}"),
        "configuration: key checks.defaults.tolerances.content has a wrong value; required is the"
            + " name of a check with numbers, beginning with one of byte_count, file_count,"
            + " key_cardinality, max, min, null_count, partition_counts, row_count, got content;"
            + " correct it");
    assertRefused(
        checks("defaults: {tolerances: {row_count: -1}}"),
        "configuration: key checks.defaults.tolerances.row_count has a wrong value; required is a"
            + " number from 0, got -1; correct it");
    assertRefused(
        checks("tables: {orders: {depth: content}}"),
        "configuration: key checks.tables.orders has a wrong value; required is SCHEMA.TABLE as the"
            + " key, got orders; correct it");
    assertRefused(
        checks("defaults: {depth: all}"),
        "configuration: key checks.defaults.depth has a wrong value; required is one of counts,"
            + " columns, content, got all; correct it");
    assertRefused(
        checks("defaults: {inherit: maybe}"),
        "configuration: key checks.defaults.inherit has a wrong value; required is true or false,"
            + " got maybe; correct it");
  }
}
