package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.catalog.error.InvalidChangeException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that new content shares with the live one keeps its row, or is named as one to copy. */
class ReuseTest {

  private static final TableName NAME = new TableName("s", "t");
  private static final List<ColumnSpec> COLUMNS =
      List.of(ColumnSpec.of("id", Scalar.INT32), ColumnSpec.of("v", Scalar.VARCHAR));

  @TempDir Path folder;
  private TestLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = TestLake.create(folder);
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private NewDataFile row(int id) throws SQLException {
    return lake.file("SELECT %d::INT AS id, 'v%d' AS v".formatted(id, id));
  }

  private void replace(List<ColumnSpec> columns, NewDataFile... files) {
    lake.commit(
        new Change.ReplaceContent(
            NAME,
            columns,
            List.of(),
            List.of(files),
            SchemaPolicy.SYNC,
            ForeignContent.REPLACE,
            null));
  }

  private InvalidChangeException refused(List<ColumnSpec> columns, NewDataFile... files) {
    InvalidChangeException refusal =
        catchThrowableOfType(InvalidChangeException.class, () -> replace(columns, files));
    assertThat(refusal.kind()).isEqualTo(InvalidChangeException.Kind.PATH_TAKEN);
    return refusal;
  }

  private String rows() throws SQLException {
    return lake.sql(
        "SELECT data_file_id, begin_snapshot, end_snapshot FROM ducklake_data_file ORDER BY 1");
  }

  @Test
  void sharedFilesKeepTheirRowsVanishedOnesEndAndTotalsAreThoseOfTheNewContent()
      throws SQLException {
    NewDataFile shared = row(1);
    NewDataFile gone = row(2);
    lake.commit(TestLake.publish(NAME, COLUMNS, shared, gone));
    NewDataFile added = row(3);

    lake.commit(TestLake.publish(NAME, COLUMNS, shared, added));

    assertThat(rows())
        .isEqualTo("%d 1 null\n%d 1 2\n%d 2 null".formatted(first(), first() + 1, last()));
    assertThat(lake.ask("FROM s.t ORDER BY id")).isEqualTo("1 v1\n3 v3");
    assertThat(lake.ask("SELECT id FROM s.t AT (VERSION => 1) ORDER BY id")).isEqualTo("1\n2");
    assertThat(lake.sql("SELECT record_count, file_size_bytes FROM ducklake_table_stats"))
        .isEqualTo("2 " + (shared.fileSizeBytes() + added.fileSizeBytes()));
  }

  private long first() throws SQLException {
    return Long.parseLong(lake.sql("SELECT min(data_file_id) FROM ducklake_data_file"));
  }

  private long last() throws SQLException {
    return Long.parseLong(lake.sql("SELECT max(data_file_id) FROM ducklake_data_file"));
  }

  @Test
  void theOrderInWhichAMappingNamesColumnsMakesNoDifference() throws SQLException {
    NewDataFile one = row(1);
    lake.commit(TestLake.publish(NAME, COLUMNS, one));
    String before = rows();
    List<FileMapping.MappedField> fields = ((FileMapping.ByName) one.mapping()).fields();

    lake.commit(
        TestLake.publish(
            NAME,
            COLUMNS,
            new NewDataFile(
                one.path(),
                one.recordCount(),
                one.fileSizeBytes(),
                one.footerSize(),
                new FileMapping.ByName(fields.reversed()),
                List.of(),
                List.of())));

    assertThat(rows()).isEqualTo(before);
  }

  @Test
  void theSameContentAgainEndsAndAddsNothing() throws SQLException {
    NewDataFile one = row(1);
    NewDataFile two = row(2);
    lake.commit(TestLake.publish(NAME, COLUMNS, one, two));
    String before = rows();

    lake.commit(TestLake.publish(NAME, COLUMNS, one, two));

    assertThat(rows()).isEqualTo(before);
    assertThat(lake.ask("FROM s.t ORDER BY id")).isEqualTo("1 v1\n2 v2");
    assertThat(lake.ask("SELECT min(id), max(id) FROM s.t")).isEqualTo("1 2");
  }

  @Test
  void everyFileWhoseRowCannotStayIsNamedAtOnce() throws SQLException {
    NewDataFile ended = row(1);
    NewDataFile deletedFrom = lake.file("SELECT i::INT AS id, 'v' AS v FROM range(10, 20) x(i)");
    NewDataFile fine = row(2);
    lake.commit(TestLake.publish(NAME, COLUMNS, ended, deletedFrom, fine));
    lake.duck.execute("DELETE FROM s.t WHERE id IN (1, 15)");

    InvalidChangeException refusal = refused(COLUMNS, fine, deletedFrom, ended);

    assertThat(refusal.paths()).containsExactlyInAnyOrder(ended.path(), deletedFrom.path());
    assertThat(refusal).hasMessageContaining("rows of it are deleted");
  }

  @Test
  void fileWithRowsDeletedInsideTheCatalogCannotStay() throws SQLException {
    NewDataFile file = lake.file("SELECT i::INT AS id, 'v' AS v FROM range(10, 20) x(i)");
    lake.commit(TestLake.publish(NAME, COLUMNS, file));
    try (var inlining = lake.attachInlining()) {
      inlining.execute("DELETE FROM s.t WHERE id = 15");
    }

    assertThat(refused(COLUMNS, file).paths()).containsExactly(file.path());
  }

  @Test
  void columnThatWasDroppedAndMadeAgainDoesNotLetAnOldRowReadWrongly() throws SQLException {
    NewDataFile file = row(1);
    lake.commit(TestLake.publish(NAME, COLUMNS, file));
    lake.duck.execute("ALTER TABLE s.t DROP COLUMN v");
    lake.duck.execute("ALTER TABLE s.t ADD COLUMN v VARCHAR");
    assertThat(lake.ask("FROM s.t"))
        .as("the row's mapping means the old column")
        .isEqualTo("1 null");

    assertThat(refused(COLUMNS, file)).hasMessageContaining("maps its columns otherwise");
  }

  @Test
  void columnThatTheContentItselfRetypesBeyondWideningMakesItsFilesNew() throws SQLException {
    NewDataFile file = row(1);
    lake.commit(TestLake.publish(NAME, COLUMNS, file));
    List<ColumnSpec> other =
        List.of(ColumnSpec.of("id", Scalar.VARCHAR), ColumnSpec.of("v", Scalar.VARCHAR));

    assertThat(refused(other, file)).hasMessageContaining("maps its columns otherwise");
  }

  @Test
  void renamedColumnDoesNotKeepRowsThatMapTheOldName() throws SQLException {
    NewDataFile file = row(1);
    lake.commit(TestLake.publish(NAME, COLUMNS, file));
    lake.duck.execute("ALTER TABLE s.t RENAME COLUMN v TO w");

    assertThat(refused(COLUMNS, file)).hasMessageContaining("maps its columns otherwise");
  }

  @Test
  void widenedColumnKeepsTheRow() throws SQLException {
    NewDataFile file = row(1);
    lake.commit(TestLake.publish(NAME, COLUMNS, file));
    List<ColumnSpec> wider =
        List.of(
            ColumnSpec.of("id", Scalar.INT64),
            ColumnSpec.of("v", Scalar.VARCHAR),
            ColumnSpec.of("w", Scalar.INT32));
    NewDataFile added = lake.file("SELECT 3000000000::BIGINT AS id, 'b' AS v, 7::INT AS w");

    replace(wider, file, added);

    assertThat(lake.sql("SELECT count(*) FROM ducklake_data_file")).isEqualTo("2");
    assertThat(lake.ask("FROM s.t ORDER BY id")).isEqualTo("1 v1 null\n3000000000 b 7");
    assertThat(lake.ask("SELECT count(*) FROM s.t WHERE id < 5")).isEqualTo("1");
  }

  @Test
  void otherPartitionValuesMakeTheFileNew() throws SQLException {
    lake.createTable(NAME, COLUMNS.get(0), COLUMNS.get(1));
    PartitionKey key = new PartitionKey("id", PartitionTransform.identity());
    lake.commit(new Change.SetPartitioning(new TableRef.ByName(NAME), List.of(key)));
    NewDataFile file = row(1);
    replace(COLUMNS, of(file, new PartitionValue(key, "1")));

    assertThat(refused(COLUMNS, of(file, new PartitionValue(key, "2"))))
        .hasMessageContaining("has other partition values");
    assertThat(refused(COLUMNS, file)).hasMessageContaining("has other partition values");
    replace(COLUMNS, of(file, new PartitionValue(key, "1")));
    assertThat(lake.sql("SELECT count(*) FROM ducklake_data_file")).isEqualTo("1");
  }

  private static NewDataFile of(NewDataFile file, PartitionValue value) {
    return new NewDataFile(
        file.path(),
        file.recordCount(),
        file.fileSizeBytes(),
        file.footerSize(),
        file.mapping(),
        List.of(value),
        file.statistics());
  }

  @Test
  void objectScheduledForDeletionIsNamedAsOneToCopy() throws SQLException {
    NewDataFile file = row(1);
    lake.commit(TestLake.publish(NAME, COLUMNS, file));
    lake.commit(TestLake.publish(NAME, COLUMNS, row(2)));
    lake.duck.execute("CALL ducklake_expire_snapshots('lake', older_than => now())");

    assertThat(refused(COLUMNS, file)).hasMessageContaining("it is scheduled for deletion");
  }
}
