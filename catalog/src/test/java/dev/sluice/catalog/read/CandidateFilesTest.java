package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.catalog.internal.LakeDatabase;
import dev.sluice.catalog.read.Predicate.And;
import dev.sluice.catalog.read.Predicate.Comparison;
import dev.sluice.catalog.read.Predicate.Not;
import dev.sluice.catalog.read.Predicate.Operator;
import dev.sluice.catalog.read.Predicate.Or;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jooq.Condition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the database leaves out must be a part of what the pruner would leave out. */
class CandidateFilesTest {

  private static final TableName NAME = new TableName("main", "t");
  private static final long SEED = 20261130;
  private static final int FILES = 80;
  private static final int PREDICATES = 250;
  private static final List<Operator> OPERATORS = List.of(Operator.values());

  private static final List<ColumnSpec> COLUMNS =
      List.of(
          ColumnSpec.of("k", Scalar.INT64),
          ColumnSpec.of("m", new Decimal(10, 2)),
          ColumnSpec.of("d", Scalar.DATE),
          ColumnSpec.of("ts", Scalar.TIMESTAMP),
          ColumnSpec.of("v", Scalar.VARCHAR),
          ColumnSpec.of("x", Scalar.FLOAT64),
          ColumnSpec.of("u", Scalar.UUID));

  /** Texts that bounds have and texts that only a foreign writer would write. */
  private static final Map<String, List<String>> TEXTS =
      Map.of(
          "k", List.of("-30", "-3", "0", "7", "12", "100", "+5", "1e2", "seven", "99999999999"),
          "m", List.of("-3.50", "0.00", "7.25", "7.2", "12", "100.01", "1e1", ""),
          "d",
              List.of(
                  "2020-01-01",
                  "2020-12-31",
                  "1999-06-30",
                  "infinity",
                  "-infinity",
                  "0044-03-15 (BC)",
                  "12020-01-01"),
          "ts",
              List.of(
                  "2020-01-01 00:00:00",
                  "2020-01-01 00:00:00.5",
                  "2020-01-01 00:00:00.50",
                  "2020-01-01 00:00:00.500000",
                  "2020-01-01 00:00:00.0",
                  "2020-01-01",
                  "2019-12-31 24:00:00",
                  "1999-06-30 12:00:00",
                  "2021-05-05T10:00:00",
                  "infinity",
                  "10000-01-01 00:00:00"),
          "v", List.of("", "a", "A", "ab", "ä", "z", "10", "9", "it's", "\ud83d\ude00", "\uff5e"),
          "x", List.of("-1.5", "0.0", "2.5", "1e3", "inf", "-inf"),
          "u",
              List.of(
                  "00000000-0000-0000-0000-0000000000aa",
                  "00000000-0000-0000-0000-0000000000AA",
                  "80000000-0000-0000-0000-000000000000",
                  "F0000000-0000-0000-0000-00000000000b",
                  "00000000000000000000000000000000aaaa",
                  "no uuid"));

  private final PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
  private final Random random = new Random(SEED);
  private CatalogReader reader;

  @BeforeEach
  void makeFiles(@TempDir Path folder) {
    Catalog.create(database.dataSource(), "public", folder + "/");
    Catalog catalog = Catalog.open(database.dataSource(), "public");
    List<NewDataFile> files =
        IntStream.range(0, FILES)
            .mapToObj(
                i ->
                    new NewDataFile(
                        folder + "/f" + i + ".parquet",
                        10,
                        1000,
                        null,
                        new FileMapping.ByFieldId(),
                        List.of(),
                        statistics()))
            .toList();
    for (Change change :
        List.of(
            new Change.CreateTable(NAME, COLUMNS, List.of(), Change.IfExists.REFUSE),
            new Change.AddDataFiles(new TableRef.ByName(NAME), files))) {
      catalog.commit(CommitRequest.of("test", new CommitRequest.Base.Newest(), List.of(change)));
    }
    reader = catalog.reader();
  }

  private List<LeafStatistics> statistics() {
    List<LeafStatistics> statistics = new ArrayList<>();
    for (ColumnSpec column : COLUMNS) {
      if (random.nextInt(10) > 0) {
        statistics.add(
            new LeafStatistics(
                List.of(column.name()),
                10,
                10L,
                0L,
                bound(column.name()),
                bound(column.name()),
                null,
                null));
      }
    }
    return statistics;
  }

  private @Nullable String bound(String column) {
    return random.nextInt(12) == 0 ? null : text(column);
  }

  private String text(String column) {
    List<String> texts = TEXTS.getOrDefault(column, List.of());
    return texts.get(random.nextInt(texts.size()));
  }

  private Predicate predicate(int depth) {
    return switch (depth == 0 ? 0 : random.nextInt(5)) {
      case 1 -> new And(List.of(predicate(depth - 1), predicate(depth - 1)));
      case 2 -> new Or(List.of(predicate(depth - 1), predicate(depth - 1)));
      case 3 -> new Not(predicate(depth - 1));
      default -> comparison();
    };
  }

  private Predicate comparison() {
    ColumnSpec column = COLUMNS.get(random.nextInt(COLUMNS.size()));
    Operator operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
    ColumnType type = column.type();
    if (column.name().equals("k") && random.nextBoolean()) {
      type = random.nextBoolean() ? new Decimal(10, 2) : Scalar.INT32;
    }
    return new Comparison(List.of(column.name()), operator, new Literal(type, text(column.name())));
  }

  @Test
  void nothingIsLeftOutThatThePrunerKeeps() {
    Snapshot snapshot = reader.latest();
    Table table = reader.view(snapshot).table(NAME);
    int narrowed = 0;
    for (int i = 0; i < PREDICATES; i++) {
      Predicate predicate = predicate(2);
      List<Long> kept =
          reader.plan(snapshot, table, predicate).files().stream()
              .map(ScanFile::dataFileId)
              .toList();
      Optional<List<Long>> candidates = candidates(table, predicate);
      if (candidates.isPresent()) {
        narrowed++;
        assertThat(candidates.get()).as("seed %d: %s", SEED, predicate).containsAll(kept);
      }
    }
    assertThat(narrowed).as("predicates that were looked at").isGreaterThan(PREDICATES / 5);
  }

  @Test
  void aPlainComparisonLeavesOutWhatThePrunerDoes() {
    Snapshot snapshot = reader.latest();
    Table table = reader.view(snapshot).table(NAME);
    Predicate predicate =
        new Comparison(List.of("k"), Operator.EQUAL, new Literal(Scalar.INT64, "7"));

    assertThat(candidates(table, predicate).orElseThrow()).hasSizeLessThan(FILES);
  }

  private Optional<List<Long>> candidates(Table table, Predicate predicate) {
    Map<Long, Set<ColumnType>> history =
        Map.of(
            1L, Set.<ColumnType>of(Scalar.INT64),
            2L, Set.<ColumnType>of(new Decimal(10, 2)),
            3L, Set.<ColumnType>of(Scalar.DATE),
            4L, Set.<ColumnType>of(Scalar.TIMESTAMP),
            5L, Set.<ColumnType>of(Scalar.VARCHAR),
            6L, Set.<ColumnType>of(Scalar.FLOAT64),
            7L, Set.<ColumnType>of(Scalar.UUID));
    Condition live =
        DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id()).and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull());
    return new LakeDatabase(database.dataSource(), "public")
        .read(dsl -> new CandidateFiles(table, history, 0).find(dsl, FILES, live, predicate));
  }
}
