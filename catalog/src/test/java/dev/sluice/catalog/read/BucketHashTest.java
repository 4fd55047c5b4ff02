package dev.sluice.catalog.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.ColumnType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketHashTest {

  @ParameterizedTest
  @CsvSource({
    "int32, 34, 2017239379",
    "int64, 0, 1669671676",
    "int8, 1, 1392991556",
    "boolean, true, 1392991556",
    "int32, -1, 1651860712",
    "varchar, iceberg, 1210000089",
    "varchar, '', 0",
    "float64, 1.0, 2005098639",
    "float32, 1, 2005098639",
    "date, 2017-11-16, 1494153226",
    "'decimal(9,2)', 14.20, 1525056465",
    "timestamp, 2017-11-16 22:31:08, 99539207"
  })
  void hashesAreThoseOfDuckLake(String type, String text, int hash) {
    assertThat(BucketHash.bucket(ColumnType.parse(type), text, Integer.MAX_VALUE)).hasValue(hash);
    assertThat(BucketHash.bucket(ColumnType.parse(type), text, 16)).hasValue(hash % 16);
  }

  @Test
  void whatDoesNotParseHasNoBucket() {
    assertThat(BucketHash.bucket(ColumnType.parse("int32"), "x", 4)).isEmpty();
    assertThat(BucketHash.bucket(ColumnType.parse("timestamp_ns"), "290000-01-01 00:00:00", 4))
        .isEmpty();
  }
}
