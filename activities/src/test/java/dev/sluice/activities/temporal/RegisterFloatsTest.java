package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.query.ScanRequest;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.Predicate.Operator;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** NaN in files of parquet-java, whose footers count it apart and leave it out of the bounds. */
class RegisterFloatsTest {

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  private static byte[] parquetJava(String type) throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message m { required int32 k; required %s x; }".formatted(type));
    SimpleGroupFactory groups = new SimpleGroupFactory(schema);
    Path file = PreparedFiles.temporary();
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .build()) {
      double[] values = {1.0, Double.NaN, 2.0};
      for (int row = 0; row < values.length; row++) {
        Group group = groups.newGroup().append("k", row);
        writer.write(
            type.equals("float")
                ? group.append("x", (float) values[row])
                : group.append("x", values[row]));
      }
    }
    return PreparedFiles.bytes(file);
  }

  private static int found(Source source, Operator operator, String literal) {
    return path.scan(
            ScanRequest.all(RegisterFixture.name(source), path.catalog.reader().latest())
                .where(
                    new Predicate.Comparison(
                        List.of("x"), operator, new Literal(Scalar.FLOAT64, literal))))
        .size();
  }

  @ParameterizedTest
  @ValueSource(strings = {"double", "float"})
  @DisplayName(
      "REG-27: NaN is greater than everything, also when the footer's maximum leaves it out")
  void reg27NanOutsideTheFootersBoundsIsFound(String type) throws Exception {
    Source source = path.newSource("reg27_" + type);
    path.put(source.folder(100), "a.parquet", parquetJava(type));

    assertThat(path.run(source.trigger(100)).reason()).isNull();

    assertThat(found(source, Operator.GREATER, "100")).isEqualTo(1);
    assertThat(found(source, Operator.NOT_EQUAL, "1.0")).isEqualTo(2);
    assertThat(found(source, Operator.EQUAL, "NaN")).isEqualTo(1);
    assertThat(found(source, Operator.LESS, "5")).isEqualTo(2);
    assertThat(found(source, Operator.GREATER_OR_EQUAL, "2")).isEqualTo(2);
  }

  @Test
  void duckDbFindsNanWhenAskedWithoutTheFooter() throws Exception {
    Source source = path.newSource("nan_in_duckdb");
    path.put(source.folder(100), "a.parquet", parquetJava("double"));
    path.run(source.trigger(100));

    assertThat(
            path.duckDb(
                "SELECT count(*) FROM "
                    + source.sql()
                    + " WHERE (CASE WHEN isnan(x) THEN 'NaN'::DOUBLE ELSE x END) > 100"))
        .as("the way out that docs/ gives to DuckDB readers")
        .containsExactly(List.of("1"));
  }
}
