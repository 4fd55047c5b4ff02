package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A lake that DuckDB writes and one that we write, for the same operations: their catalog rows must
 * be the same but for the columns listed in docs/reference/catalog-differences.md.
 */
final class TwoLakes implements AutoCloseable {

  final TestLake ours;
  final DuckLakeSession theirs;
  final PostgresDatabase theirDatabase;

  private TwoLakes(TestLake ours, DuckLakeSession theirs, PostgresDatabase theirDatabase) {
    this.ours = ours;
    this.theirs = theirs;
    this.theirDatabase = theirDatabase;
  }

  static TwoLakes create(Path folder) throws SQLException {
    TestLake ours = TestLake.create(folder);
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    DuckLakeSession theirs =
        DuckLakeSession.open().attach(DuckLakeAttachment.of(database, folder + "/data"));
    theirs.execute("CALL lake.set_option('data_inlining_row_limit', '0')");
    return new TwoLakes(ours, theirs, database);
  }

  /** Does the same on both sides and compares all rows. */
  void same(String sql, Change... changes) throws SQLException {
    theirs.execute(sql);
    ours.commit(changes);
    assertSame(sql);
  }

  void assertSame(String what) throws SQLException {
    assertSame(what, Set.of());
  }

  void assertSame(String what, Set<String> mayDiffer) throws SQLException {
    CatalogDump made = dump(ours.database).masking(mayDiffer);
    assertThat(made.differences(dump(theirDatabase).masking(mayDiffer))).as(what).isEmpty();
  }

  /** Our mark is the one value of the list that DuckDB leaves NULL; text NULL is not SQL NULL. */
  static CatalogDump dump(PostgresDatabase database) throws SQLException {
    return CatalogDump.of(database)
        .comparable()
        .rewriting(value -> value.equals("NULL") ? "'NULL'" : value)
        .rewriting(value -> value.equals(GoodNeighbour.OUR_MARK) ? "NULL" : value);
  }

  /** Every snapshot of our lake shows in DuckDB what the same snapshot of its own lake shows. */
  void assertSameAnswers(String table, long fromSnapshot) throws SQLException {
    long newest = ours.catalog.reader().latest().id();
    for (long snapshot = fromSnapshot; snapshot <= newest; snapshot++) {
      String sql = "SELECT * FROM %s AT (VERSION => %d) ORDER BY ALL".formatted(table, snapshot);
      assertThat(ours.duck.queryText(sql)).as(sql).isEqualTo(theirs.queryText(sql));
      assertThat(ours.duck.columns(sql)).as(sql).isEqualTo(theirs.columns(sql));
    }
  }

  /** A file with statistics whose sizes, and whose footer's, are those of the file. */
  NewDataFile fileWithBounds(String query, LeafStatistics... statistics) throws SQLException {
    NewDataFile file = ours.file(query);
    List<LeafStatistics> sized = new ArrayList<>();
    for (LeafStatistics leaf : statistics) {
      String size =
          ours.duck.valueText(
              "SELECT sum(total_compressed_size) FROM parquet_metadata('%s') WHERE path_in_schema = '%s'"
                  .formatted(file.path(), String.join(", ", leaf.column())));
      sized.add(
          new LeafStatistics(
              leaf.column(),
              Long.parseLong(String.valueOf(size)),
              leaf.valueCount(),
              leaf.nullCount(),
              leaf.min(),
              leaf.max(),
              leaf.containsNan(),
              leaf.extraStats()));
    }
    long footer =
        Long.parseLong(
            String.valueOf(
                ours.duck.valueText(
                    "SELECT footer_size FROM parquet_file_metadata('%s')".formatted(file.path()))));
    return new NewDataFile(
        file.path(),
        file.recordCount(),
        file.fileSizeBytes(),
        footer,
        file.mapping(),
        file.partitionValues(),
        sized);
  }

  @Override
  public void close() throws SQLException {
    theirs.close();
    ours.close();
  }
}
