package dev.sluice.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BoundTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          int32 | 9 | 10
          int64 | -10 | -9
          uint64 | 9223372036854775807 | 18446744073709551615
          int128 | -170141183460469231731687303715884105728 | 170141183460469231731687303715884105727
          decimal(9,3) | 9.99 | 10
          decimal(38,2) | -1.00 | 99999999999999999999999999999999999.99
          float64 | -inf | -1e+300
          float64 | 1e+20 | inf
          float32 | 2.0 | 10.0
          date | 0045-03-15 (BC) | 0044-03-15 (BC)
          date | 0001-12-31 (BC) | 0001-01-01
          date | 9999-12-31 | 12024-01-01
          date | -infinity | 290000-01-01
          date | 294247-01-10 | infinity
          time | 23:59:59.999999 | 24:00:00
          time | 12:34:56 | 12:34:56.789
          timestamp | 2024-01-02 03:04:05.9 | 2024-01-02 03:04:06
          timestamp | 0045-03-15 (BC) 12:00:00 | 0045-03-16 (BC) 00:00:00
          timestamp | -infinity | 2024-01-01 00:00:00
          timestamp_ns | 2024-01-02 03:04:05.123456788 | 2024-01-02 03:04:05.123456789
          timestamptz | 2024-01-01 00:30:00+02 | 2024-01-01 00:00:00+00
          timestamptz | 2023-12-31 23:00:00-00:30 | 2024-01-01 00:00:00+00
          boolean | 0 | 1
          boolean | false | 1
          varchar | Z | a
          varchar | '' | a
          uuid | 00000000-0000-0000-0000-000000000001 | F0000000-0000-0000-0000-000000000000
          """)
  void theFirstIsLess(String type, String less, String more) {
    ColumnType parsed = ColumnType.parse(type);
    assertThat(BoundText.compare(parsed, less, more).orElseThrow()).isNegative();
    assertThat(BoundText.compare(parsed, more, less).orElseThrow()).isPositive();
    assertThat(BoundText.compare(parsed, less, less)).hasValue(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          boolean | true | 1
          float64 | -0.0 | 0
          float32 | 0.1 | 0.10000000149011612
          decimal(9,3) | 1.5 | 1.500
          timestamp | 2024-01-01 | 2024-01-01 00:00:00
          timestamp | 2024-01-01 24:00:00 | 2024-01-02 00:00:00
          timestamptz | 2024-01-01 02:00:00+02 | 2024-01-01 00:00:00+00
          uuid | ABCDEFAB-0000-0000-0000-000000000001 | abcdefab-0000-0000-0000-000000000001
          int32 | 007 | 7
          """)
  void bothMeanTheSame(String type, String left, String right) {
    assertThat(BoundText.compare(ColumnType.parse(type), left, right)).hasValue(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          int8 | 128
          uint8 | -1
          uint64 | 18446744073709551616
          int32 | 1.5
          int32 | 0x10
          int32 | ' 5'
          decimal(4,2) | 1.555
          decimal(4,2) | 100
          decimal(4,2) | 1e1
          float64 | nan
          float64 | 1e999
          float32 | 1e39
          date | 2023-02-29
          date | 0000-01-01
          date | 20240102
          date | 19723
          time | 24:00:01
          timestamp | 2024-01-01 00:00:00.1234567
          timestamp_s | 2024-01-01 00:00:00.5
          timestamp_ms | 2024-01-01 00:00:00.0001
          timestamptz | 2024-01-01 00:00:00
          boolean | yes
          uuid | 1234
          blob | DEAD
          interval | 1 day
          """)
  void whatIsNotSurelyAValueIsUnknown(String type, String text) {
    assertThat(BoundText.parse(ColumnType.parse(type), text)).isEmpty();
    assertThat(BoundText.compare(ColumnType.parse(type), text, text))
        .isEqualTo(OptionalInt.empty());
  }

  @ParameterizedTest
  @EnumSource(Nested.class)
  void nestedKindsHaveNoOrder(Nested type) {
    assertThat(BoundText.isOrdered(type)).isFalse();
    assertThat(BoundText.parse(type, "[1]")).isEmpty();
  }

  @Test
  void nanIsKnownForFloatsOnly() {
    assertThat(BoundText.isNan(Scalar.FLOAT32, "-NaN")).isTrue();
    assertThat(BoundText.isNan(Scalar.VARCHAR, "nan")).isFalse();
  }

  @Property
  void textIsOrderedByItsUtf8Bytes(@ForAll String left, @ForAll String right) {
    // unpaired surrogates are no text: PostgreSQL never gives them
    String validLeft = utf8(left);
    String validRight = utf8(right);
    int expected =
        Arrays.compareUnsigned(
            validLeft.getBytes(StandardCharsets.UTF_8),
            validRight.getBytes(StandardCharsets.UTF_8));
    assertThat(BoundText.compare(Scalar.VARCHAR, validLeft, validRight).orElseThrow())
        .matches(actual -> Integer.signum(actual) == Integer.signum(expected));
  }

  @Property
  void integersAreOrderedAsNumbers(
      @ForAll @BigRange(min = "-9223372036854775808", max = "9223372036854775807") BigInteger left,
      @ForAll @BigRange(min = "-9223372036854775808", max = "9223372036854775807")
          BigInteger right) {
    for (ColumnType type : List.of(Scalar.INT64, Scalar.INT128, new Decimal(38, 4))) {
      assertThat(BoundText.compare(type, left.toString(), right.toString()))
          .hasValue(left.compareTo(right));
    }
  }

  @Property
  void doublesAreOrderedAsNumbers(
      @ForAll @DoubleRange(min = -1e300, max = 1e300) double left,
      @ForAll @DoubleRange(min = -1e300, max = 1e300) double right) {
    int expected = left == right ? 0 : Double.compare(left, right);
    assertThat(BoundText.compare(Scalar.FLOAT64, Double.toString(left), Double.toString(right)))
        .hasValue(expected);
  }

  private static String utf8(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
