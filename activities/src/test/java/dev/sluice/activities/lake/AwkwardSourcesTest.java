package dev.sluice.activities.lake;

import static dev.sluice.activities.lake.WriteLake.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.TableRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files and values that DuckDB by itself would read as something else than they say. */
class AwkwardSourcesTest {

  private static final TableName T = new TableName("s", "t");

  @TempDir Path folder;
  private WriteLake lake;

  @BeforeEach
  void createTable() throws SQLException {
    lake = WriteLake.own(folder);
    ColumnSpec map =
        ColumnSpec.nested(
            "m",
            Nested.MAP,
            List.of(ColumnSpec.of("key", Scalar.VARCHAR), ColumnSpec.of("value", Scalar.INT32)));
    lake.create(
        T,
        ColumnSpec.of("id", Scalar.INT32),
        ColumnSpec.of("id_1", Scalar.INT32),
        ColumnSpec.of("json", Scalar.VARCHAR),
        ColumnSpec.of("f", Scalar.FLOAT32),
        ColumnSpec.of("d", Scalar.FLOAT64),
        ColumnSpec.nested("l", Nested.LIST, List.of(ColumnSpec.of("element", Scalar.INT32))),
        ColumnSpec.nested(
            "st",
            Nested.STRUCT,
            List.of(ColumnSpec.of("a", Scalar.INT32), ColumnSpec.of("b", Scalar.VARCHAR))),
        map,
        ColumnSpec.nested(
            "ms", Nested.LIST, List.of(ColumnSpec.nested("element", Nested.STRUCT, List.of(map)))));
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private Path parquet(String name, String select) throws SQLException {
    Path file = folder.resolve(name);
    lake.run("COPY (" + select + ") TO '" + file + "' (FORMAT parquet)");
    return file;
  }

  private WriteResult insert(RowSource source) {
    return lake.tables.insert(InsertRequest.of(T, source));
  }

  private void refused(RowSource source, String... reasons) throws IOException {
    long newest = lake.newest();
    assertThatThrownBy(() -> insert(source))
        .isInstanceOf(WriteException.class)
        .hasMessageContainingAll(reasons)
        .hasMessageContaining("nothing was written");
    assertThat(lake.newest()).isEqualTo(newest);
    assertThat(lake.objects()).isEmpty();
  }

  @Test
  void aFileIsTheOneOfThatNameAndNoPattern() throws Exception {
    file("a1.csv", "id\n666\n");
    file("b1.json", "{\"id\": 666}");
    parquet("c1.parquet", "SELECT 666 AS id");
    Files.move(parquet("plain.parquet", "SELECT 3 AS id"), folder.resolve("c[1]?*.parquet"));

    insert(new RowSource.Csv(file("a[1].csv", "id\n1\n")));
    insert(new RowSource.Json(file("b?*.json", "{\"id\": 2}")));
    insert(new RowSource.Parquet(folder.resolve("c[1]?*.parquet")));

    assertThat(lake.rows("SELECT id FROM s.t ORDER BY id"))
        .containsExactly(row("1"), row("2"), row("3"));
    lake.assertAgreesEverywhere();
  }

  @Test
  void patternsFoldersAndMissingFilesAreRefused() throws Exception {
    file("a1.csv", "id\n666\n");
    file("b1.json", "{\"id\": 666}");
    parquet("c1.parquet", "SELECT 666 AS id");

    refused(new RowSource.Csv(folder.resolve("*.csv")), "*.csv", "there is no such file");
    refused(new RowSource.Json(folder.resolve("*.json")), "*.json", "there is no such file");
    refused(new RowSource.Parquet(folder.resolve("*.parquet")), "there is no such file");
    refused(new RowSource.Parquet(folder), folder.toString(), "there is no such file");
  }

  @Test
  void jsonWithoutObjectsAddsNoRows() throws Exception {
    lake.commit(new Change.SetNulls(TableRef.name("s", "t"), "id", Nulls.FORBIDDEN));
    long newest = lake.newest();
    for (String nothing : List.of("", " \n", "[]", "[ ]\n")) {
      assertThat(insert(new RowSource.Json(file("none.json", nothing))).inserted()).isZero();
    }
    assertThat(lake.newest()).isEqualTo(newest);
  }

  @Test
  void emptyObjectsAreRowsOfDefaults() throws Exception {
    insert(new RowSource.Json(file("empty.json", "[{}, {}]")));
    insert(new RowSource.Json(file("one.json", "{}\n{\"json\": \"x\"}\n")));

    assertThat(lake.rows("SELECT id, json FROM s.t ORDER BY json"))
        .containsExactly(row(null, "x"), row(null, null), row(null, null), row(null, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"5", "[1, 2]", "\"text\"", "[{\"id\": 1}, null]"})
  void jsonOfOtherValuesIsRefused(String content) throws Exception {
    refused(
        new RowSource.Json(file("values.json", content)), "values.json", "that is no JSON object");
  }

  @Test
  void namesThatAreTheSameWithoutCaseAreRefused() throws Exception {
    refused(
        new RowSource.Json(file("twice.json", "{\"id\": 1, \"ID\": 2}")),
        "column",
        "is given twice");
    refused(
        new RowSource.Json(file("rows.json", "{\"id\": 1}\n{\"Id\": 2}")),
        "column",
        "is given twice");
    refused(new RowSource.Json(file("none.json", "{\"\": 1}")), "there is no column ;");
    // DuckDB writes such names into a file, and reads the second one as id_1
    refused(
        new RowSource.Parquet(parquet("twice.parquet", "SELECT 1 AS id, 2 AS \"ID \"")),
        "there is no column ID ");
  }

  @Test
  void aMapThatNobodyCouldReadAgainIsRefused() throws Exception {
    String twice = "'{\"k\": 1, \"k\": 2}'::JSON::MAP(VARCHAR, INT)";
    refused(
        new RowSource.Json(file("map.json", "{\"m\": {\"k\": 1, \"k\": 2}}")),
        "column m has a map with a key twice");
    refused(
        new RowSource.Json(file("maps.json", "{\"ms\": [{}, {\"m\": {\"k\": 1, \"k\": 2}}]}")),
        "column ms");
    refused(
        new RowSource.Select("SELECT " + twice + " AS m"), "column m has a map with a key twice");
    refused(
        new RowSource.Select("SELECT [NULL, {'m': " + twice + "}] AS ms"),
        "column ms has a map with a key twice");
    refused(
        new RowSource.Parquet(parquet("map.parquet", "SELECT " + twice + " AS m")),
        "column m has a map with a key twice");

    insert(
        new RowSource.Select(
            "SELECT MAP {'k': 1, 'l': NULL} AS m, [{'m': MAP {'k': 1}}, {'m': NULL}, NULL] AS ms"));
    insert(new RowSource.Select("SELECT MAP {}::MAP(VARCHAR, INT) AS m, [] AS ms"));
    lake.assertAgreesEverywhere();
  }

  @Test
  void anUpdateMakesNoSuchMapEither() throws Exception {
    insert(new RowSource.Select("SELECT 1 AS id"));
    long newest = lake.newest();

    assertThatThrownBy(
            () ->
                lake.tables.update(
                    UpdateRequest.of(
                        T,
                        Map.of("m", "'{\"k\": 1, \"k\": 2}'::JSON::MAP(VARCHAR, INT)"),
                        RowCondition.sql("id = 1"))))
        .isInstanceOf(WriteException.class)
        .hasMessageContaining("column m has a map with a key twice");
    assertThat(lake.newest()).isEqualTo(newest);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "l  | [1.5]",
        "st | {\"a\": 1.5, \"b\": \"x\"}",
        "m  | {\"k\": 1.5}",
        "ms | [{\"m\": {\"k\": 0.1}}]"
      })
  void wholeNumbersInsideNestedValuesAreNotRounded(String column, String json) throws Exception {
    refused(
        new RowSource.Json(file("rounded.json", "{\"" + column + "\": " + json + "}")),
        "column " + column,
        "takes whole numbers");
  }

  @Test
  void noFieldOfAStructIsLeftOut() throws Exception {
    refused(new RowSource.Select("SELECT [1.5] AS l"), "column l takes whole numbers");
    refused(new RowSource.Select("SELECT ['1.5'] AS l"), "column l takes whole numbers");
    refused(
        new RowSource.Select("SELECT {'a': 1, 'b': 'x', 'c': 2} AS st"),
        "column st is struct and cannot take");
    refused(
        new RowSource.Parquet(parquet("st.parquet", "SELECT {'a': 1, 'b': 'x', 'c': 2} AS st")),
        "st.parquet",
        "column st is struct and cannot take");

    insert(
        new RowSource.Select(
            "SELECT [1::BIGINT, NULL] AS l, {'B': 'x', 'a': 1::UTINYINT} AS st,"
                + " MAP {'k': '7'} AS m"));
    insert(new RowSource.Select("SELECT {'a': NULL} AS st, [] AS l"));
    assertThat(lake.rows("SELECT l, st, m FROM s.t ORDER BY m"))
        .containsExactly(
            row("[1, NULL]", "{'a': 1, 'b': x}", "{k=7}"),
            row("[]", "{'a': NULL, 'b': NULL}", null));
  }

  @ParameterizedTest
  @CsvSource({"f, 1e39", "f, -1e39", "d, 1e999", "d, -1e400"})
  void aNumberThatIsTooLargeDoesNotBecomeInfinite(String column, String number) throws Exception {
    refused(
        new RowSource.Values(List.of(column), List.of(row(number))), "column " + column, number);
    refused(
        new RowSource.Csv(file("large.csv", column + "\n" + number + "\n")),
        "large.csv",
        "column " + column,
        number);
    refused(
        new RowSource.Json(file("large.json", "{\"" + column + "\": " + number + "}")),
        "large.json",
        "column " + column);
  }

  @Test
  void infinityIsTakenWhereItIsMeant() throws Exception {
    insert(
        new RowSource.Values(
            List.of("f", "d"),
            List.of(row("inf", "-Infinity"), row("+INF", "NaN"), row("3e38", "1e-400"))));

    assertThat(lake.rows("SELECT f, d FROM s.t ORDER BY f, d"))
        .containsExactly(row("3e+38", "0.0"), row("inf", "-inf"), row("inf", "nan"));
  }

  @Test
  void theReasonOfABadLineIsTold() throws Exception {
    refused(
        new RowSource.Csv(file("short.csv", "id,json\n1,a\n2\n")),
        "short.csv",
        "Line: 3",
        "Expected Number of Columns: 2 Found: 1");
    refused(
        new RowSource.Csv(file("quote.csv", "id,json\n1,\"a\n")),
        "quote.csv",
        "unterminated quote found");
    refused(new RowSource.Csv(file("empty.csv", "")), "empty.csv", "it is empty");
    refused(
        new RowSource.Json(file("inside.json", "{\"st\": {\"a\": \"x\", \"b\": \"y\"}}")),
        "inside.json",
        "column st cannot take a value");
  }
}
