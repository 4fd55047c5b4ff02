package dev.sluice.activities.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.landing.Inspector;
import dev.sluice.activities.parquet.DataProbe;
import dev.sluice.activities.parquet.MatchOptions;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.parquet.StoredFooters;
import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.EngineLimits;
import dev.sluice.activities.query.TableFile;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.embedded.DuckLakeSession;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks that look inside, between a prepared folder and what an inspection of files says. */
class VerificationTest {

  private static final CheckPlan COLUMNS = new CheckPlan(Depth.COLUMNS, null, Map.of(), List.of());
  private static final CheckPlan CONTENT = new CheckPlan(Depth.CONTENT, null, Map.of(), List.of());

  @TempDir private Path folder;
  private ObjectStores stores;
  private DuckLakeSession duckDb;

  @BeforeEach
  void open() throws SQLException, IOException {
    Files.createDirectories(folder.resolve("landed"));
    stores = ObjectStores.localOnly();
    duckDb = DuckLakeSession.open(List.of());
  }

  @AfterEach
  void close() throws SQLException {
    duckDb.close();
    stores.close();
  }

  @Test
  void footersSufficeWhereTheyKnow() throws Exception {
    write(
        "source",
        "p=1/a.parquet",
        "SELECT 1 AS x, 'a' AS t, [1, NULL] AS l UNION ALL SELECT NULL, 'b', NULL");
    write("source", "p=2/b.parquet", "SELECT 5 AS x, NULL::VARCHAR AS t, NULL::INTEGER[] AS l");
    copy();
    Side landed = landed(UnaryOperator.identity());

    ColumnChecks checks =
        new ColumnChecks(
            COLUMNS,
            source().side(landed.columns(), folder.resolve("copies")),
            landed,
            inspection().partitioning(),
            new CheckMaker(COLUMNS));

    assertThat(checks.wanted().isNothing()).isTrue();
    assertThat(run(COLUMNS, UnaryOperator.identity()))
        .allMatch(CheckResult::passed)
        .extracting(CheckResult::name, CheckResult::observed)
        .contains(
            tuple("schema_hash", "no difference"),
            tuple("null_count.x", "1"),
            tuple("max.x", "5"),
            tuple("min.t", "a"),
            tuple("max.p", "2"),
            tuple("partition_counts.p", "2 values"),
            tuple("key_cardinality.p", "2"));
  }

  @Test
  void whatFootersDoNotTellIsRead() throws Exception {
    // no bounds are written for a column with NaN
    write(
        "source",
        "a.parquet",
        "SELECT unnest(['NaN', '1.5', '2.5'])::DOUBLE AS f, unnest([7, 8, 7]) AS some_id");
    copy();

    assertThat(run(COLUMNS, UnaryOperator.identity()))
        .allMatch(CheckResult::passed)
        .extracting(CheckResult::name, CheckResult::observed)
        .contains(
            tuple("min.f", "1.5"), tuple("max.f", "2.5"), tuple("key_cardinality.some_id", "2"));
  }

  @Test
  void boundsThatAreOnlyWiderPassAndNarrowerOnesFail() throws Exception {
    write("source", "a.parquet", "SELECT range AS x FROM range(10, 20)");
    copy();

    assertThat(failed(COLUMNS, withBounds("5", "25"))).isEmpty();
    assertThat(failed(COLUMNS, withBounds("10", "18")))
        .singleElement()
        .satisfies(
            check -> {
              assertThat(check.name()).isEqualTo("max.x");
              assertThat(check.error())
                  .isEqualTo(
                      "the data has 19, but 18 is to be registered, which would hide rows from filters");
            });
  }

  @Test
  void aNullCountThatWouldBeRegisteredWronglyFails() throws Exception {
    write("source", "a.parquet", "SELECT range AS x FROM range(3)");
    copy();

    assertThat(failed(COLUMNS, statistics(leaf -> with(leaf, 1L, leaf.min(), leaf.max()))))
        .singleElement()
        .satisfies(
            check -> {
              assertThat(check.name()).isEqualTo("null_count.x");
              assertThat(check.expected()).isEqualTo("0");
              assertThat(check.observed()).isEqualTo("1");
            });
    CheckPlan tolerant = new CheckPlan(Depth.COLUMNS, null, Map.of("null_count", 1.0), List.of());
    assertThat(failed(tolerant, statistics(leaf -> with(leaf, 1L, leaf.min(), leaf.max()))))
        .isEmpty();
  }

  @Test
  void rowsOfAnotherPartitionAreNamed() throws Exception {
    write("source", "day=2024-01-01/a.parquet", "SELECT 1 AS x");
    write("source", "day=2024-01-02/b.parquet", "SELECT 2 AS x UNION ALL SELECT 3");
    copy();

    List<CheckResult> failed =
        failed(
            COLUMNS,
            file ->
                new NewDataFile(
                    file.path(),
                    file.recordCount(),
                    file.fileSizeBytes(),
                    file.footerSize(),
                    file.mapping(),
                    file.partitionValues().stream()
                        .map(value -> new PartitionValue(value.key(), "2024-01-01"))
                        .toList(),
                    file.statistics()));

    assertThat(failed)
        .extracting(CheckResult::name, CheckResult::expected, CheckResult::observed)
        .contains(
            tuple(
                "partition_counts.day",
                "2024-01-01: 1, 2024-01-02: 2",
                "2024-01-01: 3, 2024-01-02: 0"));
  }

  @Test
  void differencesOfTheSchemaAreTold() throws Exception {
    write(
        "source",
        "a.parquet",
        "SELECT 1 AS a, 2 AS b, 3 AS c, 4 AS d, 5 AS e, 6 AS f, 7::SMALLINT AS wide");
    write("landed", "a.parquet", "SELECT 'x' AS \"A\", 7::BIGINT AS wide, {'z': 1} AS g");

    assertThat(failed(COLUMNS, UnaryOperator.identity()))
        .filteredOn(check -> check.name().equals("schema_hash"))
        .singleElement()
        .satisfies(
            check ->
                assertThat(check.observed())
                    .isEqualTo(
                        "column a is int32 in the source and varchar in what was landed; column b is"
                            + " only in the source; column c is only in the source; column d is only"
                            + " in the source; column e is only in the source; and 2 more"));
  }

  @Test
  void keyColumnsThatAreNoneAreFailures() throws Exception {
    write("source", "a.parquet", "SELECT 1 AS x, [1] AS l");
    copy();
    CheckPlan plan = new CheckPlan(Depth.COLUMNS, List.of("X", "l", "gone"), Map.of(), List.of());

    List<CheckResult> results = run(plan, UnaryOperator.identity());

    assertThat(results)
        .filteredOn(check -> check.name().startsWith("key_cardinality"))
        .extracting(CheckResult::name, CheckResult::passed)
        .containsExactly(
            tuple("key_cardinality.x", true),
            tuple("key_cardinality.l", false),
            tuple("key_cardinality.gone", false));
  }

  @Test
  void contentSeesDeletesOnEitherSide() throws Exception {
    write("source", "a.parquet", "SELECT range AS x FROM range(10)");
    write("landed", "a.parquet", "SELECT range AS x FROM range(10) WHERE range <> 4");

    assertThat(results(CONTENT, landed(UnaryOperator.identity()), withoutRow(4)))
        .allMatch(CheckResult::passed);
    assertThat(results(CONTENT, landed(UnaryOperator.identity()), withoutRow(5)))
        .filteredOn(check -> !check.passed())
        .extracting(CheckResult::name)
        .containsExactly("content", "content.x");
  }

  @Test
  void deleteFilesThatWillBeRegisteredApply() throws Exception {
    write("source", "a.parquet", "SELECT range AS x FROM range(10)");
    write("landed", "a.parquet", "SELECT range AS x FROM range(10)");
    write("deletes", "a.parquet", "SELECT 'a' AS file_path, 4::BIGINT AS pos");
    Path deletes = folder.resolve("deletes/a.parquet");
    UnaryOperator<NewDataFile> deleted =
        file ->
            file.with(
                new NewDataFile.Deletes(
                    deletes.toString(), 1, deletes.toFile().length(), null, null));

    assertThat(results(CONTENT, landed(deleted), withoutRow(4))).allMatch(CheckResult::passed);
    assertThat(failed(CONTENT, deleted))
        .extracting(CheckResult::name)
        .containsExactly("content", "content.x");
  }

  @Test
  void anEmptyGenerationPasses() throws Exception {
    write("source", "a.parquet", "SELECT 1 AS id, 'a' AS t LIMIT 0");
    copy();
    CheckPlan plan =
        new CheckPlan(
            Depth.CONTENT,
            null,
            Map.of(),
            List.of(
                new SqlCheck(
                    "none",
                    SqlCheck.parse("SELECT count(*) FROM {source}"),
                    "",
                    BigDecimal.ZERO,
                    0)));

    assertThat(run(plan, UnaryOperator.identity())).allMatch(CheckResult::passed);
  }

  /** The prepared folder, of which one row of the only file is deleted. */
  private SourceSide withoutRow(long row) throws InterruptedException {
    SourceSide whole = source();
    return new SourceSide() {
      @Override
      public List<ColumnSpec> columns(List<Column> landed) {
        return whole.columns(landed);
      }

      @Override
      public Side side(List<Column> landed, Path scratch) {
        Side side = whole.side(landed, scratch);
        Side.Part part = side.files().get(0);
        TableFile file = part.file();
        TableFile.DeletedRows deleted =
            new TableFile.DeletedRows() {
              @Override
              public boolean isEmpty() {
                return false;
              }

              @Override
              public LongStream positions() {
                return LongStream.of(row);
              }
            };
        return new Side(
            side.name(),
            side.columns(),
            List.of(
                new Side.Part(
                    new TableFile(
                        file.path(),
                        file.sizeBytes(),
                        file.rows(),
                        file.mapping(),
                        file.values(),
                        file.deleteFiles(),
                        deleted),
                    part.statistics(),
                    part.partition())),
            side.access());
      }
    };
  }

  private static UnaryOperator<NewDataFile> withBounds(String min, String max) {
    return statistics(leaf -> with(leaf, leaf.nullCount(), min, max));
  }

  private static UnaryOperator<NewDataFile> statistics(UnaryOperator<LeafStatistics> change) {
    return file ->
        new NewDataFile(
            file.path(),
            file.recordCount(),
            file.fileSizeBytes(),
            file.footerSize(),
            file.mapping(),
            file.partitionValues(),
            file.statistics().stream().map(change).toList());
  }

  private static LeafStatistics with(
      LeafStatistics leaf, @Nullable Long nulls, @Nullable String min, @Nullable String max) {
    return new LeafStatistics(
        leaf.column(),
        leaf.columnSizeBytes(),
        leaf.valueCount(),
        nulls,
        min,
        max,
        leaf.containsNan(),
        leaf.extraStats());
  }

  private List<CheckResult> failed(CheckPlan plan, UnaryOperator<NewDataFile> registered)
      throws Exception {
    return run(plan, registered).stream().filter(check -> !check.passed()).toList();
  }

  private List<CheckResult> run(CheckPlan plan, UnaryOperator<NewDataFile> registered)
      throws Exception {
    return results(plan, landed(registered), source());
  }

  private List<CheckResult> results(CheckPlan plan, Side landed, SourceSide source)
      throws Exception {
    return new Verification(
            plan,
            source,
            landed,
            inspection().partitioning(),
            new QueryParameters(Map.of()),
            new EngineLimits(256L << 20, folder.resolve("scratch")))
        .run();
  }

  private Side landed(UnaryOperator<NewDataFile> registered) throws InterruptedException {
    Inspection found = inspection();
    Inspection content =
        new Inspection(
            found.columns(),
            found.partitioning(),
            found.files().stream().map(registered).toList(),
            found.emptyFiles());
    return LandedSide.of(
        content,
        Optional.empty(),
        DataFiles.of(store("landed"), folder.resolve("links"), 1L << 20));
  }

  private Inspection inspection() throws InterruptedException {
    ObjectStore landed = store("landed");
    return new Inspector(landed, DataProbe.NONE, 4)
        .inspect(
            keys(landed).stream().map(key -> new Inspector.Landed(key, key)).toList(),
            Optional.empty(),
            MatchOptions.STRICT,
            ParquetFooters.Progress.NONE);
  }

  private PreparedSide source() throws InterruptedException {
    ObjectStore source = store("source");
    List<ParquetFile> footers =
        new ParquetFooters(new StoredFooters(source), 4)
            .readAll(keys(source), ParquetFooters.Progress.NONE);
    return new PreparedSide(source, footers, Optional.empty());
  }

  private static List<String> keys(ObjectStore store) {
    return store.list("").map(ObjectInfo::key).sorted().toList();
  }

  private ObjectStore store(String name) {
    return stores.open(new StorageLocation.Local(folder.resolve(name)));
  }

  private void write(String store, String key, String select) throws Exception {
    Path file = folder.resolve(store).resolve(key);
    Files.createDirectories(file.getParent());
    duckDb.execute("COPY (" + select + ") TO '" + file + "' (FORMAT parquet)");
  }

  private void copy() {
    for (String key : new ArrayList<>(keys(store("source")))) {
      store("landed").copyFrom(store("source"), key, key);
    }
  }
}
