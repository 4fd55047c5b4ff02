package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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

  /** Runs a trigger that must fail, and returns the reason. */
  private static String refusedAtLength(Source source, RegisterTrigger trigger)
      throws SQLException {
    CatalogDump before = path.catalogRows();

    RegisterResult result = path.run(trigger);

    assertThat(result.status()).isEqualTo(RegisterStatus.FAILED);
    String reason = Objects.requireNonNull(result.reason(), "reason");
    SourceJob attempt = path.attempts(source).getFirst();
    assertThat(attempt.status()).isEqualTo(JobStatus.FAILED);
    assertThat(attempt.latestError()).isEqualTo(reason);
    assertThat(reason).hasSizeLessThanOrEqualTo(2000);
    assertThat(path.catalogRows().differences(before)).isEmpty();
    return reason;
  }

  /** The same, for a reason that is not cut: it has context, problem, reason and remedy. */
  private static String refused(Source source, RegisterTrigger trigger) throws SQLException {
    String reason = refusedAtLength(source, trigger);
    assertThat(reason.split("; ")).as(reason).hasSizeGreaterThanOrEqualTo(3);
    return reason;
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
    Source source = path.newSource("not_parquet");
    path.put(
        source.folder(100),
        "text.parquet",
        "this is a text, not a Parquet file".getBytes(StandardCharsets.UTF_8));

    assertThat(refused(source, source.trigger(100))).contains("text.parquet");
  }

  @Test
  void footerThatClaimsMoreThanTheFileIsRefused() throws Exception {
    Source source = path.newSource("lying_footer");
    byte[] lying = path.parquet("SELECT 1 AS id");
    // the footer's length stands in the four bytes before the closing magic
    lying[lying.length - 8] = (byte) 0xff;
    lying[lying.length - 7] = (byte) 0xff;
    lying[lying.length - 6] = (byte) 0x7f;
    path.put(source.folder(100), "lying.parquet", lying);

    assertThat(refused(source, source.trigger(100))).contains("lying.parquet");
  }

  @Test
  void footerThatIsNoiseIsRefused() throws Exception {
    Source source = path.newSource("noisy_footer");
    byte[] noisy = path.parquet("SELECT 1 AS id");
    Arrays.fill(noisy, noisy.length / 2, noisy.length - 8, (byte) 0xa5);
    path.put(source.folder(100), "noisy.parquet", noisy);

    assertThat(refused(source, source.trigger(100))).contains("noisy.parquet");
  }

  @Test
  void encryptedFileIsRefused() throws Exception {
    Source source = path.newSource("encrypted");
    byte[] encrypted = path.parquet("SELECT 1 AS id");
    // what the Parquet format puts at the end of a file whose footer is encrypted
    byte[] magic = "PARE".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(magic, 0, encrypted, encrypted.length - 4, 4);
    System.arraycopy(magic, 0, encrypted, 0, 4);
    path.put(source.folder(100), "sealed.parquet", encrypted);

    assertThat(refused(source, source.trigger(100)))
        .contains("sealed.parquet")
        .contains("encrypted");
  }

  @Test
  void conflictingTypesAcrossFilesAreRefused() throws Exception {
    Source source = path.newSource("conflict");
    path.write(source, 100, "a.parquet", "SELECT 1 AS id, 'text' AS v");
    path.write(source, 100, "b.parquet", "SELECT 2 AS id, DATE '2024-01-01' AS v");

    assertThat(refused(source, source.trigger(100))).contains("b.parquet").contains("v");
  }

  @Test
  @DisplayName("REG-06: a partition value that contradicts the file is refused")
  void reg06PartitionValueAgainstTheFileIsRefused() throws Exception {
    Source source = path.newSource("reg06");
    path.write(source, 100, "p=A/f.parquet", "SELECT 1 AS id, 'B' AS p");

    assertThat(refused(source, source.trigger(100)))
        .contains("f.parquet")
        .contains("A")
        .contains("B")
        .contains("p");
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
  @DisplayName("8.2 invariant 10: a long error text is cut and holds no secret")
  void invariant10ErrorTextIsCutAndHoldsNoSecret() throws Exception {
    Source source = path.newSource("long_text");
    String column = "\"" + RegisterFixture.SECRET + " " + "x".repeat(3000) + "\"";
    path.write(source, 100, "a.parquet", "SELECT 1 AS id, 'text' AS " + column);
    path.write(source, 100, "b.parquet", "SELECT 1 AS id, DATE '2024-01-01' AS " + column);

    assertThat(refusedAtLength(source, source.trigger(100)))
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
