package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.workflows.RegisterTrigger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bad generations: each is refused with problem, reason and remedy, its attempt is failed with that
 * text, and nothing of the lake has changed.
 */
class RegisterRefusalsTest {

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  private static String refused(Source source, RegisterTrigger trigger) throws SQLException {
    return Refusal.of(path, source, trigger);
  }

  /** A source with one good generation live. */
  private static Source live(String table, String select) throws SQLException {
    Source source = path.newSource(table);
    path.write(source, 100, "good.parquet", select);
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    return source;
  }

  @Test
  void emptyFolderIsRefused() throws Exception {
    Source source = live("empty_folder", "SELECT 1 AS id");
    path.put(source.folder(200), "_SUCCESS", new byte[0]);
    path.folder(source.folder(200)).delete(List.of("_SUCCESS"));

    assertThat(refused(source, source.trigger(200)))
        .contains(source.folder(200))
        .contains("holds no object");
    assertThat(path.scan(source)).containsExactly(List.of("1"));
  }

  @Test
  void missingFolderIsRefused() throws Exception {
    Source source = live("missing_folder", "SELECT 1 AS id");

    assertThat(refused(source, source.trigger(200))).contains(source.folder(200));
    assertThat(path.scan(source)).containsExactly(List.of("1"));
  }

  @Test
  void folderWithoutParquetIsRefused() throws Exception {
    Source source = live("no_parquet", "SELECT 1 AS id");
    path.put(source.folder(200), "data.csv", "a,b\n".getBytes(StandardCharsets.UTF_8));

    assertThat(refused(source, source.trigger(200)))
        .contains(source.folder(200))
        .contains("none of the folder's 1 objects is a Parquet file");
  }

  @Test
  @DisplayName(
      "REG-35: a file of no bytes among 100 is refused by name before anything is committed")
  void reg35FileWithoutBytesAmongAHundredIsRefused() throws Exception {
    Source source = live("reg35_empty", "SELECT 1 AS id");
    byte[] good = path.parquet("SELECT 2 AS id");
    for (int file = 0; file < 99; file++) {
      path.put(source.folder(200), "good-%02d.parquet".formatted(file), good);
    }
    path.put(source.folder(200), "hollow.parquet", new byte[0]);

    assertThat(refused(source, source.trigger(200))).contains("hollow.parquet");
    assertThat(path.scan(source)).containsExactly(List.of("1"));
  }

  @Test
  @DisplayName("REG-35: a file cut at its end is refused by name, also when it is one of 100")
  void reg35TruncatedFileAmongAHundredIsRefused() throws Exception {
    Source source = live("reg35_cut", "SELECT 1 AS id");
    byte[] good = path.parquet("SELECT 2 AS id");
    for (int file = 0; file < 99; file++) {
      path.put(source.folder(200), "good-%02d.parquet".formatted(file), good);
    }
    path.put(source.folder(200), "cut.parquet", Arrays.copyOf(good, good.length - 20));

    assertThat(refused(source, source.trigger(200))).contains("cut.parquet");
    assertThat(path.scan(source)).containsExactly(List.of("1"));
  }

  @Test
  void fileThatIsNoParquetIsRefused() throws Exception {
    Source source = live("not_parquet", "SELECT 1 AS id");
    path.put(
        source.folder(200),
        "text.parquet",
        "this is a text, not a Parquet file".getBytes(StandardCharsets.UTF_8));

    assertThat(refused(source, source.trigger(200))).contains("text.parquet");
  }

  @Test
  void footerThatClaimsMoreThanTheFileIsRefused() throws Exception {
    Source source = live("lying_footer", "SELECT 1 AS id");
    byte[] lying = path.parquet("SELECT 1 AS id");
    // the footer's length stands in the four bytes before the closing magic
    lying[lying.length - 8] = (byte) 0xff;
    lying[lying.length - 7] = (byte) 0xff;
    lying[lying.length - 6] = (byte) 0x7f;
    path.put(source.folder(200), "lying.parquet", lying);

    assertThat(refused(source, source.trigger(200))).contains("lying.parquet");
  }

  @Test
  void footerThatIsNoiseIsRefused() throws Exception {
    Source source = live("noisy_footer", "SELECT 1 AS id");
    byte[] noisy = path.parquet("SELECT 1 AS id");
    Arrays.fill(noisy, noisy.length / 2, noisy.length - 8, (byte) 0xa5);
    path.put(source.folder(200), "noisy.parquet", noisy);

    assertThat(refused(source, source.trigger(200))).contains("noisy.parquet");
  }

  @Test
  void footerThatLiesAboutItsRowsIsRefused() throws Exception {
    Source source = live("lying_rows", "SELECT 1 AS id");
    path.write(source, 200, "good.parquet", "SELECT 2 AS id");
    path.put(
        source.folder(200),
        "lying.parquet",
        PreparedFiles.withFooter(
            path.parquet("SELECT range AS id FROM range(10)"), footer -> footer.setNum_rows(9)));

    assertThat(refused(source, source.trigger(200)))
        .contains("lying.parquet")
        .contains("it counts 9 rows, its row groups 10");
  }

  @Test
  void footerThatLiesAboutThePlaceOfAColumnIsRefused() throws Exception {
    Source source = live("lying_place", "SELECT 1 AS id");
    path.put(
        source.folder(200),
        "lying.parquet",
        PreparedFiles.withFooter(
            path.parquet("SELECT 2 AS id"),
            footer ->
                footer
                    .getRow_groups()
                    .getFirst()
                    .getColumns()
                    .getFirst()
                    .getMeta_data()
                    .setTotal_compressed_size(1L << 30)));

    assertThat(refused(source, source.trigger(200)))
        .contains("lying.parquet")
        .contains("column 'id' is said to lie at");
  }

  @Test
  void encryptedFileIsRefused() throws Exception {
    Source source = live("encrypted", "SELECT 1 AS id");
    byte[] encrypted = path.parquet("SELECT 1 AS id");
    // what the Parquet format puts at the end of a file whose footer is encrypted
    byte[] magic = "PARE".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(magic, 0, encrypted, encrypted.length - 4, 4);
    System.arraycopy(magic, 0, encrypted, 0, 4);
    path.put(source.folder(200), "sealed.parquet", encrypted);

    assertThat(refused(source, source.trigger(200)))
        .contains("sealed.parquet")
        .contains("encrypted");
  }

  @Test
  void conflictingTypesAcrossFilesAreRefused() throws Exception {
    Source source = live("conflict", "SELECT 1 AS id");
    path.write(source, 200, "a.parquet", "SELECT 1 AS id, 'text' AS v");
    path.write(source, 200, "b.parquet", "SELECT 2 AS id, DATE '2024-01-01' AS v");

    assertThat(refused(source, source.trigger(200))).contains("b.parquet").contains("'v'");
  }

  @Test
  @DisplayName("REG-06: a partition value that contradicts the file is refused")
  void reg06PartitionValueAgainstTheFileIsRefused() throws Exception {
    Source source = live("reg06", "SELECT 1 AS id");
    path.write(source, 200, "p=A/f.parquet", "SELECT 1 AS id, 'B' AS p");

    assertThat(refused(source, source.trigger(200)))
        .contains("p=A/f.parquet: column 'p' is 'A' in its path and B in the file;");
  }

  @Test
  void twoSourcesCannotOwnOneTable() throws Exception {
    Source owner = live("owned", "SELECT 1 AS id");
    Source second = new Source(owner.team(), owner.schemaId() + "-other", owner.table());
    path.provision(second);
    path.write(second, 300, "f.parquet", "SELECT 2 AS id");

    assertThat(refused(second, second.trigger(300)))
        .contains(owner.published())
        .contains(owner.schemaId());
    assertThat(path.scan(owner)).containsExactly(List.of("1"));
  }

  @Test
  void contentThatSluiceDidNotPutThereIsRefused() throws Exception {
    Source source = live("foreign_content", "SELECT 1 AS id");
    path.session().execute("INSERT INTO " + source.sql() + " VALUES (7)");
    path.write(source, 200, "f.parquet", "SELECT 2 AS id");

    assertThat(refused(source, source.trigger(200)))
        .contains(source.published())
        .contains("was changed by others since Sluice last published it")
        .contains("1 data files were added");
    assertThat(path.scan(source)).containsExactlyInAnyOrder(List.of("1"), List.of("7"));
  }

  @Test
  @DisplayName("8.2 invariant 10: a long error text is cut and holds no secret")
  void invariant10ErrorTextIsCutAndHoldsNoSecret() throws Exception {
    Source source = live("long_text", "SELECT 1 AS id");
    String column = "\"" + RegisterFixture.SECRET + " " + "x".repeat(3000) + "\"";
    path.write(source, 200, "a.parquet", "SELECT 1 AS id, 'text' AS " + column);
    path.write(source, 200, "b.parquet", "SELECT 1 AS id, DATE '2024-01-01' AS " + column);

    assertThat(Refusal.cutOf(path, source, source.trigger(200)))
        .hasSize(2000)
        .contains("xxx")
        .doesNotContain(RegisterFixture.SECRET);
  }

  @Test
  @DisplayName("8.2 invariant 9: the last completed attempt survives a later failure")
  void invariant9LastCompletedSurvivesALaterFailure() throws Exception {
    Source source = live("completed_survives", "SELECT 1 AS id");
    path.put(source.folder(200), "bad.parquet", new byte[0]);

    refused(source, source.trigger(200));

    assertThat(path.statuses.of(RegisterFixture.ref(source)).completed())
        .isNotNull()
        .extracting(SourceJob::generation)
        .isEqualTo("100");
    assertThat(path.statuses.of(RegisterFixture.ref(source)).latest())
        .isNotNull()
        .extracting(SourceJob::status)
        .isEqualTo(JobStatus.FAILED);
  }
}
