package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates of one SELECT, and what they give over files. */
class TableQueriesTest {

  private static final Set<String> RELATIONS = Set.of("left", "right");
  private static final Set<String> PARAMETERS = Set.of("team_id", "table_name", "nothing");

  @TempDir private static Path folder;
  private static FileTables files;
  private static TableQueries queries;

  @BeforeAll
  static void open() throws SQLException {
    files = new FileTables(folder);
    List<ColumnSpec> columns =
        List.of(
            ColumnSpec.of("order", Scalar.INT64), ColumnSpec.of("it's \"odd\"", Scalar.VARCHAR));
    FileTable left =
        files.table(
            columns, "SELECT range AS \"order\", 'x' AS \"it's \"\"odd\"\"\" FROM range(3)");
    FileTable right = files.table(columns, List.of());
    queries = TableQueries.open(Map.of("left", left, "right", right), files.limits());
  }

  @AfterAll
  static void close() throws SQLException {
    queries.close();
    files.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT sum(\"order\") FROM {left} | 3",
        "SELECT count(*) FROM {left} l ANTI JOIN {right} r USING (\"order\") | 3",
        "SELECT count(*) FROM {right} | 0",
        "SELECT count(*) FROM {left} WHERE \"it's \"\"odd\"\"\" = 'x' -- {nothing} $nothing | 3",
        "SELECT $team_id + $team_id FROM {left} LIMIT 1 | 14",
        "SELECT length($table_name) FROM {left} LIMIT 1 | 13",
        "SELECT count(*) FROM {left} WHERE '$nothing {x}' <> $$ {y} $z $$ | 3",
        "SELECT count($nothing) FROM {left} | 0",
        "WITH t AS (SELECT * FROM {left}) SELECT 0.5 * count(*) FROM t | 1.5",
        "SELECT 18446744073709551616::HUGEINT | 18446744073709551616",
      })
  void numbersAreThoseOfTheFiles(String sql, String expected) {
    assertThat(number(sql)).isEqualByComparingTo(expected);
  }

  private static BigDecimal number(String sql) {
    Map<String, @Nullable Object> parameters = new HashMap<>();
    parameters.put("team_id", 7L);
    // a value is a value, whatever it looks like
    parameters.put("table_name", "' OR 1 = 1 --");
    parameters.put("nothing", null);
    return queries.number(
        SqlTemplate.parse(sql, RELATIONS, PARAMETERS), UnaryOperator.identity(), parameters);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT \"order\" FROM {right} | it gives no row",
        "SELECT \"order\" FROM {left} | it gives more than one row",
        "SELECT NULL FROM {left} LIMIT 1 | it gives NULL, no number",
        "SELECT 'x' FROM {left} LIMIT 1 | it gives x, no number",
        "SELECT 'NaN'::DOUBLE FROM {left} LIMIT 1 | it gives NaN, no number",
        "SELECT no_such_column FROM {left} | no_such_column",
        "SELECT error('boom') FROM {left} | boom",
      })
  void anythingButOneNumberIsAnError(String sql, String reason) {
    assertThatThrownBy(() -> number(sql))
        .isInstanceOf(QueryException.class)
        .hasMessageStartingWith("the query gives no number to compare; ")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT 1 FROM {middle} | relation middle is not known; known are left, right",
        "SELECT $who FROM {left} | parameter who is not known; known are nothing, table_name, team_id",
        "SELECT 1 FRM {left} | syntax error",
        "DROP TABLE {left} | Only SELECT statements",
        "COPY {left} TO 'x' | Only SELECT statements",
        "SELECT 1; SELECT 2 | it holds 2 statements; required is one",
        "SELECT ? FROM {left} | its parameters cannot be told; write them as $name outside of quotes",
        "SELECT $1 FROM {left} | parameter 1 is not known",
        "SELECT 'open FROM {left} | unterminated quoted string",
      })
  void whatCannotRunIsRefusedWhenItIsRead(String sql, String reason) {
    assertThatThrownBy(() -> SqlTemplate.parse(sql, RELATIONS, PARAMETERS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT {'a': 1}.a FROM {left}", "SELECT E'\\'{x}' FROM {left}"})
  void bracesAndQuotesOfTheLanguageStayWhatTheyAre(String sql) {
    SqlTemplate template = SqlTemplate.parse(sql, RELATIONS, PARAMETERS);

    assertThat(template.relations()).containsExactly("left");
    assertThat(template.rendered(name -> "the " + name))
        .isEqualTo(sql.replace("{left}", "\"the left\""));
  }

  @Test
  void namesAreToldInTheOrderOfTheirUse() {
    SqlTemplate template =
        SqlTemplate.parse(
            "SELECT $team_id, $nothing, $team_id FROM {right}, {left}", RELATIONS, PARAMETERS);

    assertThat(template.parameters()).containsExactly("team_id", "nothing");
    assertThat(template.relations()).containsExactly("right", "left");
  }
}
