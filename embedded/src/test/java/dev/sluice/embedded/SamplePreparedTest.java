package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SamplePreparedTest {

  @Test
  void theFirstGenerationHoldsWhatItsRecordsSayInAFolder(@TempDir Path folder) throws SQLException {
    try (DuckLakeSession session = DuckLakeSession.open(List.of())) {
      List<PreparedTable> tables = SamplePrepared.inFolder(session, folder).writeFirstGeneration();

      assertThat(tables)
          .extracting(PreparedTable::name)
          .containsExactly("customers", "invoices", "subscriptions");
      for (PreparedTable table : tables) {
        assertThat(count(session, folder.toString(), table)).isEqualTo(Long.toString(table.rows()));
        assertThat(filesFound(session, folder.toString(), table)).isEqualTo(table.files().size());
      }
      PreparedTable invoices = tables.get(1);
      assertThat(invoices.folderPath())
          .isEqualTo("team_1_stripe_0198d000_2222_7a00_8000_00000000c002");
      assertThat(invoices.files())
          .hasSize(7)
          .contains(
              invoices.prefix() + "/_ph_partition_key=2026-01/part-1.parquet",
              invoices.prefix() + "/_ph_partition_key=2026-06/part-0.parquet");
    }
  }

  @Test
  void theSameGenerationWrittenTwiceIsTheSame(@TempDir Path one, @TempDir Path two)
      throws SQLException {
    try (DuckLakeSession session = DuckLakeSession.open(List.of())) {
      List<PreparedTable> first = SamplePrepared.inFolder(session, one).writeSecondGeneration();
      List<PreparedTable> again = SamplePrepared.inFolder(session, two).writeSecondGeneration();

      assertThat(again).isEqualTo(first);
      for (PreparedTable table : first) {
        assertThat(session.queryText("FROM " + parquet(one.toString(), table) + " ORDER BY id"))
            .isEqualTo(
                session.queryText("FROM " + parquet(two.toString(), table) + " ORDER BY id"));
      }
    }
  }

  @Test
  void theSecondGenerationInABucketDiffersAsTheNextImportWould() throws SQLException {
    DuckDbReferee.assumeAvailable();
    EmbeddedS3 s3 = EmbeddedS3.shared();
    String bucket = s3.newBucket("sample");
    try (DuckLakeSession session = DuckLakeSession.open().useS3(s3)) {
      SamplePrepared sample = SamplePrepared.inBucket(session, bucket);
      PreparedTable first = sample.writeFirstGeneration().get(1);
      PreparedTable second = sample.writeSecondGeneration().get(1);

      assertThat(second.folderPath()).isEqualTo(first.folderPath());
      assertThat(second.rows()).isGreaterThan(first.rows());
      String root = "s3://" + bucket;
      assertThat(session.columns("FROM " + parquet(root, first)))
          .containsExactly(
              "id", "customer_id", "amount", "status", "discount", "created", "_ph_partition_key");
      assertThat(session.columns("FROM " + parquet(root, second))).contains("tax");
      assertThat(count(session, root, second)).isEqualTo(Long.toString(second.rows()));
      assertThat(
              session.queryText(
                  "SELECT typeof(amount), typeof(created), typeof(_ph_partition_key) FROM "
                      + parquet(root, second)
                      + " LIMIT 1"))
          .containsExactly(List.of("DECIMAL(18,2)", "TIMESTAMP WITH TIME ZONE", "VARCHAR"));
    }
  }

  private static String count(DuckLakeSession session, String root, PreparedTable table)
      throws SQLException {
    return String.valueOf(session.valueText("SELECT count(*) FROM " + parquet(root, table)));
  }

  private static int filesFound(DuckLakeSession session, String root, PreparedTable table)
      throws SQLException {
    return session.query("FROM glob('" + root + "/" + table.prefix() + "/**/*.parquet')").size();
  }

  private static String parquet(String root, PreparedTable table) {
    return "read_parquet('"
        + root
        + "/"
        + table.prefix()
        + "/**/*.parquet', hive_partitioning = true)";
  }
}
