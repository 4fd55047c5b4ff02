package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.parquet.MatchOptions.ExtraColumns;
import dev.sluice.activities.parquet.MatchOptions.MissingColumns;
import dev.sluice.activities.parquet.MatchOptions.PartitionValues;
import dev.sluice.activities.parquet.ParquetRefusedException.Kind;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.PartitionTransform.Bucket;
import dev.sluice.catalog.PartitionTransform.Simple;
import dev.sluice.catalog.read.BucketHash;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Partition values: what paths claim, what files show. */
class PartitionMatchTest {

  private static final ColumnSpec ID = ColumnSpec.of("id", Scalar.INT32);
  private static final ColumnSpec P = ColumnSpec.of("p", Scalar.VARCHAR);
  private static final ColumnSpec TS = ColumnSpec.of("ts", Scalar.TIMESTAMP);

  @TempDir Path folder;

  @Test
  @DisplayName("REG-05: a column that path and file have alike is read once, from the file")
  void reg05_aColumnThatPathAndFileHaveAlikeIsReadOnce() {
    NewDataFile file =
        register(
            "p=A/f.parquet", "SELECT 1 AS id, 'A' AS p", keys(PartitionKey.identity("p")), ID, P);

    assertThat(file.mapping())
        .isEqualTo(
            new FileMapping.ByName(
                List.of(mapped("id", Origin.FILE_COLUMN), mapped("p", Origin.FILE_COLUMN))));
    assertThat(values(file)).containsExactly("A");
  }

  @Test
  @DisplayName("REG-06: a path that contradicts the file is refused with both values")
  void reg06_aPathThatContradictsTheFileIsRefused() {
    assertRefused(
        () ->
            register(
                "p=A/f.parquet",
                "SELECT 1 AS id, 'B' AS p",
                keys(PartitionKey.identity("p")),
                ID,
                P),
        "column 'p' is 'A' in its path and B in the file; readers would disagree about the rows");
    assertRefused(
        () ->
            register(
                "p=A/f.parquet",
                "SELECT 1 AS id, unnest(['A', 'B']) AS p",
                keys(PartitionKey.identity("p")),
                ID,
                P),
        "column 'p' is 'A' in its path and values from A to B in the file");
    assertRefused(
        () -> register("p=A/f.parquet", "SELECT 1 AS id, unnest(['A', NULL]) AS p", keys(), ID, P),
        "column 'p' is 'A' in its path and values from A to A and NULL in the file");
  }

  @Test
  @DisplayName("REG-06: a contradiction that the footer cannot rule out is refused, or looked into")
  void reg06_aContradictionThatCannotBeRuledOutIsRefused() {
    Path file = write("p=A/f.parquet", "SELECT 1 AS id, 'A' AS p");
    TestFiles.editFooter(
        file,
        footer ->
            footer.getRow_groups().get(0).getColumns().get(1).getMeta_data().unsetStatistics());

    assertRefused(
        () -> match(file, "p=A/f.parquet", DataProbe.NONE, MatchOptions.STRICT, keys(), ID, P),
        "column 'p' is 'A' in its path and values that its footer does not tell in the file");
    assertThat(match(file, "p=A/f.parquet", distinct("A"), MatchOptions.STRICT, keys(), ID, P))
        .isInstanceOf(MatchResult.Register.class);
    assertRefused(
        () -> match(file, "p=A/f.parquet", distinct("B"), MatchOptions.STRICT, keys(), ID, P),
        "column 'p' is 'A' in its path and B in the file");
  }

  @ParameterizedTest
  @DisplayName("REG-07: NULL and empty values of paths")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          NULL                       | -  | -
          null                       | -  | -
          __HIVE_DEFAULT_PARTITION__ | -  | -
          ''                         | '' | -
          """)
  void reg07_nullAndEmptyValuesOfPaths(
      String value, @Nullable String text, @Nullable String number) {
    String path = "p=" + value + "/f.parquet";

    assertThat(values(register(path, "SELECT 1 AS id", keys(PartitionKey.identity("p")), ID, P)))
        .containsExactly(text);
    NewDataFile asNumber =
        register(
            path,
            "SELECT 1 AS id",
            keys(PartitionKey.identity("p")),
            ID,
            ColumnSpec.of("p", Scalar.INT32));
    assertThat(values(asNumber)).containsExactly(number);
    LeafStatistics statistics = statistics(asNumber, "p");
    assertThat(statistics.nullCount()).isEqualTo(1);
    assertThat(statistics.valueCount()).isZero();
    assertThat(statistics.min()).isNull();
  }

  @Test
  @DisplayName("REG-08: values of paths are cast to the column's type, or refused")
  void reg08_valuesOfPathsAreCastOrRefused() {
    ColumnSpec number = ColumnSpec.of("p", Scalar.INT32);
    ColumnSpec date = ColumnSpec.of("d", Scalar.DATE);
    NewDataFile hex = register("p=0x10/f.parquet", "SELECT 1 AS id", keys(), ID, number);

    assertThat(statistics(hex, "p"))
        .extracting(
            LeafStatistics::min,
            LeafStatistics::max,
            LeafStatistics::valueCount,
            LeafStatistics::nullCount,
            LeafStatistics::columnSizeBytes)
        .containsExactly("16", "16", 1L, 0L, 0L);
    assertThat(
            statistics(register("p=007/f.parquet", "SELECT 1 AS id", keys(), ID, number), "p")
                .min())
        .isEqualTo("7");
    assertThat(
            statistics(register("d=2024-01-02/f.parquet", "SELECT 1 AS id", keys(), ID, date), "d")
                .max())
        .isEqualTo("2024-01-02");
    assertRefused(
        () -> register("d=20240102/f.parquet", "SELECT 1 AS id", keys(), ID, date),
        "the value '20240102' of column 'd' in its path is no date");
  }

  @Test
  @DisplayName("REG-09: values belong to their key, whatever the order of folders")
  void reg09_valuesBelongToTheirKeyWhateverTheOrderOfFolders() {
    NewDataFile file =
        register(
            "a=1/m=2/z=3/f.parquet",
            "SELECT 'x' AS v",
            keys(
                PartitionKey.identity("z"), PartitionKey.identity("a"), PartitionKey.identity("m")),
            ColumnSpec.of("z", Scalar.INT32),
            ColumnSpec.of("a", Scalar.INT32),
            ColumnSpec.of("m", Scalar.INT32),
            ColumnSpec.of("v", Scalar.VARCHAR));

    assertThat(file.partitionValues())
        .containsExactly(
            new PartitionValue(PartitionKey.identity("z"), "3"),
            new PartitionValue(PartitionKey.identity("a"), "1"),
            new PartitionValue(PartitionKey.identity("m"), "2"));
  }

  @ParameterizedTest
  @DisplayName("REG-10: calendar parts are numbers, checked against the column")
  @CsvSource({"2026-05-31 10:00:00,2026,5,31", "2026-06-01 00:00:00,2026,6,1"})
  void reg10_calendarPartsAreNumbersCheckedAgainstTheColumn(
      String ts, String year, String month, String day) {
    NewDataFile file =
        register(
            "year=2026/month=" + ts.substring(5, 7) + "/day=" + ts.substring(8, 10) + "/f.parquet",
            "SELECT 1 AS id, TIMESTAMP '" + ts + "' AS ts",
            calendar(),
            ID,
            TS);

    assertThat(values(file)).containsExactly(year, month, day);
  }

  @Test
  @DisplayName("REG-11: a folder that is a column stays a column beside calendar folders")
  void reg11_aFolderThatIsAColumnStaysAColumn() {
    NewDataFile file =
        register(
            "team_id=2/year=2026/month=03/day=30/f.parquet",
            "SELECT 2 AS team_id, TIMESTAMP '2026-03-30 12:00:00' AS ts",
            calendar(),
            ColumnSpec.of("team_id", Scalar.INT32),
            TS);

    assertThat(values(file)).containsExactly("2026", "3", "30");
    assertThat(((FileMapping.ByName) file.mapping()).fields())
        .extracting(MappedField::sourceName)
        .containsExactly("team_id", "ts");
  }

  @Test
  @DisplayName("REG-12: a bucket that does not exist is refused")
  void reg12_aBucketThatDoesNotExistIsRefused() {
    assertRefused(
        () ->
            register(
                "bucket=999/f.parquet",
                "SELECT 'alice' AS user_id, 1 AS v",
                keys(new PartitionKey("user_id", new Bucket(4))),
                ColumnSpec.of("user_id", Scalar.VARCHAR),
                ColumnSpec.of("v", Scalar.INT32)),
        "its path says bucket=999, but bucket(4) of user_id is buckets 0 to 3");
  }

  @Test
  @DisplayName("REG-12: a bucket is computed from the data and compared with the path")
  void reg12_aBucketIsComputedAndCompared() {
    int right = BucketHash.bucket(Scalar.VARCHAR, "alice", 4).orElseThrow();
    int wrong = (right + 1) % 4;
    ColumnSpec user = ColumnSpec.of("user_id", Scalar.VARCHAR);
    List<PartitionKey> keys = keys(new PartitionKey("user_id", new Bucket(4)));
    String select = "SELECT unnest(['alice', 'alice']) AS user_id";

    assertThat(values(register("bucket=" + right + "/f.parquet", select, keys, user)))
        .containsExactly(Integer.toString(right));
    assertThat(values(register("f.parquet", select, keys, user)))
        .containsExactly(Integer.toString(right));
    assertRefused(
        () -> register("bucket=" + wrong + "/f.parquet", select, keys, user),
        "its path says bucket=" + wrong + ", but bucket(4) of user_id is " + right);
    assertRefused(
        () ->
            register(
                "bucket=" + right + "/f.parquet",
                "SELECT unnest(['alice', 'bob']) AS user_id",
                keys,
                user),
        "its path says bucket=" + right + ", which its columns do not show");
  }

  @Test
  @DisplayName("REG-13: a year that the rows are not of, or not all of, is refused")
  void reg13_aYearThatTheRowsAreNotOfIsRefused() {
    List<PartitionKey> keys = keys(new PartitionKey("ts", Simple.YEAR));

    assertRefused(
        () -> register("year=2024/f.parquet", "SELECT TIMESTAMP '2023-06-01' AS ts", keys, TS),
        "its path says year=2024, but year of ts is 2023; queries for one partition would miss");
    assertRefused(
        () ->
            register(
                "year=2024/f.parquet",
                "SELECT unnest([TIMESTAMP '2023-12-31', TIMESTAMP '2024-01-01']) AS ts",
                keys,
                TS),
        "its path says year=2024, which its columns do not show; column 'ts' has values from"
            + " 2023-12-31 00:00:00 to 2024-01-01 00:00:00, so year of ts is not one value for"
            + " sure");
  }

  @Test
  void equalMonthsOfTwoYearsAreNotOneMonth() {
    assertRefused(
        () ->
            register(
                "f.parquet",
                "SELECT unnest([TIMESTAMP '2023-01-31', TIMESTAMP '2024-01-01']) AS ts",
                keys(new PartitionKey("ts", Simple.MONTH)),
                TS),
        "it does not belong to one partition; column 'ts' has values from");
  }

  @Test
  void valuesAreDerivedFromTheFileWhereThePathSaysNothing() {
    NewDataFile file =
        register(
            "f.parquet",
            "SELECT 1 AS id, 'A' AS p, TIMESTAMP '2026-03-30 12:34:00' AS ts",
            keys(
                PartitionKey.identity("p"),
                new PartitionKey("ts", Simple.YEAR),
                new PartitionKey("ts", Simple.HOUR)),
            ID,
            P,
            TS);

    assertThat(values(file)).containsExactly("A", "2026", "12");
  }

  @Test
  void aFileOfSeveralPartitionsIsRefusedOrRegisteredWithoutValuesAsAskedFor() {
    String select = "SELECT 1 AS id, unnest(['A', 'B']) AS p";
    List<PartitionKey> keys = keys(PartitionKey.identity("p"));
    MatchOptions whenKnown =
        new MatchOptions(MissingColumns.REFUSE, ExtraColumns.REFUSE, PartitionValues.WHEN_KNOWN);

    assertRefused(
        () -> register("f.parquet", select, keys, ID, P),
        "it does not belong to one partition; column 'p' has values from A to B, so p is not one"
            + " value for sure");
    assertThat(
            ((MatchResult.Register)
                    match(
                        write("f.parquet", select),
                        "f.parquet",
                        DataProbe.NONE,
                        whenKnown,
                        keys,
                        ID,
                        P))
                .file()
                .partitionValues())
        .isEmpty();
  }

  @Test
  void aPathValueThatDuckDbWouldFindElsewhereIsRefused() {
    Path file = write("f.parquet", "SELECT 1 AS id");

    assertRefused(
        () ->
            FileMatcher.forColumns(List.of(ID, P), List.of(), MatchOptions.STRICT, DataProbe.NONE)
                .match(
                    TestFiles.read(file), "s3://b/p=other/p=A/f.parquet", HivePath.parse("p=A/f")),
        "the value 'A' of column 'p' cannot be found in s3://b/p=other/p=A/f.parquet; DuckDB takes"
            + " the first folder named p= of the whole path");
  }

  @Test
  void aNullOfThePathIsRefusedByANotNullColumn() {
    assertRefused(
        () ->
            register(
                "p=NULL/f.parquet",
                "SELECT 1 AS id",
                keys(),
                ID,
                new ColumnSpec("p", Scalar.VARCHAR, Nulls.FORBIDDEN, null, List.of())),
        "its path says that column 'p' is NULL ('NULL')");
  }

  @Test
  void foldersThatTheTableHasNoColumnForAreLeftAlone() {
    assertThat(register("q=1/f.parquet", "SELECT 1 AS id", keys(), ID).recordCount()).isEqualTo(1);
  }

  private static List<PartitionKey> keys(PartitionKey... keys) {
    return List.of(keys);
  }

  private static List<PartitionKey> calendar() {
    return keys(
        new PartitionKey("ts", Simple.YEAR),
        new PartitionKey("ts", Simple.MONTH),
        new PartitionKey("ts", Simple.DAY));
  }

  private Path write(String path, String select) {
    return TestFiles.copy(folder.resolve(path), select);
  }

  private NewDataFile register(
      String path, String select, List<PartitionKey> keys, ColumnSpec... columns) {
    MatchResult result =
        match(write(path, select), path, DataProbe.NONE, MatchOptions.STRICT, keys, columns);
    return ((MatchResult.Register) result).file();
  }

  private static MatchResult match(
      Path file,
      String path,
      DataProbe probe,
      MatchOptions options,
      List<PartitionKey> keys,
      ColumnSpec... columns) {
    return FileMatcher.forColumns(List.of(columns), keys, options, probe)
        .match(TestFiles.read(file), file.toString(), HivePath.parse(path));
  }

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ParquetRefusedException.class,
            refusal -> assertThat(refusal.kind()).isIn(Kind.PARTITION_VALUE, Kind.NULL_VALUE))
        .hasMessageContaining(message);
  }

  private static List<@Nullable String> values(NewDataFile file) {
    return file.partitionValues().stream().map(PartitionValue::value).toList();
  }

  private static LeafStatistics statistics(NewDataFile file, String column) {
    return file.statistics().stream()
        .filter(statistics -> statistics.column().equals(List.of(column)))
        .findFirst()
        .orElseThrow();
  }

  private static MappedField mapped(String name, Origin origin) {
    return new MappedField(name, name, origin, List.of());
  }

  private static DataProbe distinct(String... values) {
    return new DataProbe() {
      @Override
      public OptionalLong nulls(ParquetFile file, String path, String column) {
        return OptionalLong.empty();
      }

      @Override
      public Optional<List<@Nullable String>> distinct(
          ParquetFile file,
          String path,
          String column,
          ColumnType type,
          PartitionTransform.Simple transform,
          int limit) {
        return Optional.of(Arrays.asList(values));
      }
    };
  }
}
