package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitResult.Outcome;
import dev.sluice.catalog.commit.GroupCommit.Pending;
import dev.sluice.catalog.read.CountingDataSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.Field;
import org.jooq.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that a caller attaches to its commits, in a table of its own that allows or forbids. */
class AttachmentTest {

  private static final ColumnSpec K = ColumnSpec.of("k", Scalar.INT32);

  @TempDir Path folder;
  private TestLake lake;
  private CountingDataSource counting;
  private CommitTransaction transaction;

  /** Publishing a table needs its row to allow it, and marks the row. */
  private record Permit(String table) implements Attachment {
    private static final Field<String> NAME = field(name("name"), String.class);
    private static final Field<Boolean> ALLOWED = field(name("allowed"), Boolean.class);
    private static final RowStatement FIND =
        new RowStatement(
            "SELECT name, allowed FROM public.permit WHERE name IN (", "?", ") FOR UPDATE");
    private static final RowStatement MARK =
        new RowStatement(
            "UPDATE public.permit AS permit SET snapshot_id = used.snapshot_id,"
                + " table_id = used.table_id, allowed = false FROM (VALUES ",
            "(?, ?::bigint, ?::bigint)",
            ") AS used (name, snapshot_id, table_id) WHERE permit.name = used.name");

    @Override
    public Question question() {
      return new Question(FIND, List.of(NAME, ALLOWED), List.of(table));
    }

    @Override
    public void decide(List<? extends Record> answers) {
      if (answers.stream()
          .noneMatch(row -> table.equals(row.get(NAME)) && Boolean.TRUE.equals(row.get(ALLOWED)))) {
        throw new IllegalStateException(table + " is not allowed");
      }
    }

    @Override
    public void write(PlannedCommit commit, Rows rows) {
      rows.add(
          MARK,
          table,
          commit.snapshotId(),
          commit.tableId(new TableName("s", table)).orElseThrow());
    }
  }

  @BeforeEach
  void createTables() throws SQLException {
    lake = TestLake.create(folder);
    lake.tamper(
        "CREATE TABLE public.permit (name varchar PRIMARY KEY, allowed boolean,"
            + " snapshot_id bigint, table_id bigint);"
            + " INSERT INTO public.permit VALUES ('t0', true), ('t1', true), ('t2', false)");
    for (int table = 0; table < 3; table++) {
      lake.createTable(new TableName("s", "t" + table), K);
    }
    counting = new CountingDataSource(lake.database.dataSource());
    transaction =
        new CommitTransaction(counting.proxied(), lake.catalog.info(), CommitSettings.defaults());
    // from here on the layouts of the tables are known, and that nobody else has written to them
    run(publishes("known", "t0"), publishes("known", "t1"), publishes("known", "t2"));
    counting.reset();
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private CommitRequest publishes(String file, String table) {
    String key = file + "-" + table;
    return CommitRequest.of(
            key,
            new Base.Newest(),
            List.of(TestLake.publish(new TableName("s", table), List.of(K), lake.invented(key, 1))))
        .withKey(key);
  }

  private CommitRequest permitted(String file, String table) {
    return publishes(file, table).withAttachments(new Permit(table));
  }

  private List<Pending> run(CommitRequest... requests) {
    List<Pending> group = Arrays.stream(requests).map(Pending::new).toList();
    transaction.run(group);
    return group;
  }

  private static CommitResult committed(long snapshot) {
    return new CommitResult(snapshot, Outcome.COMMITTED, 1);
  }

  private String permits() throws SQLException {
    return lake.sql("SELECT name, snapshot_id, table_id FROM public.permit ORDER BY name");
  }

  @Test
  @DisplayName("Publications that are attached to share the round trips of the others")
  void attachmentsShareRoundTrips() throws SQLException {
    List<Pending> group = run(permitted("a", "t0"), publishes("a", "t2"), permitted("a", "t1"));

    assertThat(counting.statements()).isEqualTo(3);
    assertThat(group.get(0).result(1)).isEqualTo(committed(7));
    assertThat(group.get(1).result(1)).isEqualTo(committed(8));
    assertThat(group.get(2).result(1)).isEqualTo(committed(9));
    assertThat(permits()).isEqualTo("t0 7 2\nt1 9 3\nt2 null null");
  }

  @Test
  void refusalReachesTheCallerUntouchedAndLeavesTheOthersTogether() throws SQLException {
    List<Pending> group = run(permitted("a", "t2"), permitted("a", "t0"), permitted("a", "t1"));

    assertThat(counting.statements()).isEqualTo(3);
    assertThat(group.get(0).failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("t2 is not allowed");
    assertThat(group.get(1).result(1)).isEqualTo(committed(7));
    assertThat(group.get(2).result(1)).isEqualTo(committed(8));
    assertThat(permits()).isEqualTo("t0 7 2\nt1 8 3\nt2 null null");
    assertThat(lake.sql("SELECT count(*), max(snapshot_id) FROM ducklake_snapshot"))
        .isEqualTo("9 8");
  }

  @Test
  void whatIsCommittedIsAnsweredWithoutBeingJudgedAgain() throws SQLException {
    run(permitted("a", "t1"));

    List<Pending> group = run(permitted("a", "t0"), permitted("a", "t1"), permitted("a", "t0"));

    assertThat(group.get(0).result(1)).isEqualTo(committed(8));
    assertThat(group.get(1).result(1)).isEqualTo(new CommitResult(7, Outcome.ALREADY_COMMITTED, 1));
    assertThat(group.get(2).result(1)).isEqualTo(new CommitResult(8, Outcome.ALREADY_COMMITTED, 1));
    assertThat(permits()).isEqualTo("t0 8 2\nt1 7 3\nt2 null null");
  }

  @Test
  void whatOnePublicationWroteIsSeenByTheNextOfItsTable() throws SQLException {
    List<Pending> group = run(permitted("a", "t0"), permitted("b", "t0"));

    assertThat(group.get(0).result(1)).isEqualTo(committed(7));
    assertThat(group.get(1).failure()).hasMessage("t0 is not allowed");
    assertThat(permits()).isEqualTo("t0 7 2\nt1 null null\nt2 null null");
  }

  @Test
  void publicationThatMakesItsTableIsAttachedToAsWell() throws SQLException {
    lake.tamper("INSERT INTO public.permit VALUES ('new', true)");

    List<Pending> group = run(permitted("a", "t0"), permitted("a", "new"));

    assertThat(group.get(1).result(1)).isEqualTo(committed(8));
    assertThat(permits()).isEqualTo("new 8 5\nt0 7 2\nt1 null null\nt2 null null");
  }

  @Test
  @DisplayName("A set of more tables than one statement has room for is published in one snapshot")
  void aSetOfManyTablesIsPublishedInOneSnapshot() throws SQLException {
    int tables = 1_400;
    List<ColumnSpec> columns =
        IntStream.range(0, 6).mapToObj(n -> ColumnSpec.of("c" + n, Scalar.INT32)).toList();
    LeafStatistics[] statistics =
        columns.stream()
            .map(column -> TestLake.bounds(column.name(), 1, "1", "1"))
            .toArray(LeafStatistics[]::new);
    lake.tamper(
        "INSERT INTO public.permit SELECT 'many' || n, true FROM generate_series(1, %d) AS n"
            .formatted(tables));
    List<String> names = IntStream.rangeClosed(1, tables).mapToObj(n -> "many" + n).toList();

    List<Pending> group =
        run(
            CommitRequest.of(
                    "set",
                    new Base.Newest(),
                    names.stream()
                        .<Change>map(
                            name ->
                                TestLake.publish(
                                    new TableName("s", name),
                                    columns,
                                    lake.invented(name, 1, statistics)))
                        .toList())
                .withAttachments(names.stream().map(Permit::new).toArray(Permit[]::new)));

    assertThat(group.get(0).result(1)).isEqualTo(committed(7));
    assertThat(
            lake.sql(
                "SELECT count(*), count(DISTINCT table_id), min(snapshot_id) FROM public.permit"
                    + " WHERE name LIKE 'many%'"))
        .isEqualTo("%1$d %1$d 7".formatted(tables));
    assertThat(lake.sql("SELECT count(*) FROM ducklake_file_column_stats"))
        .isEqualTo(Integer.toString(tables * columns.size()));
  }
}
