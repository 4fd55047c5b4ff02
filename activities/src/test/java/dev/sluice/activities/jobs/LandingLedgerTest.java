package dev.sluice.activities.jobs;

import static dev.sluice.activities.jobs.StateFixture.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.LandingLedger.Inspected;
import dev.sluice.activities.jobs.LandingLedger.LandingState;
import dev.sluice.activities.jobs.LandingLedger.Totals;
import dev.sluice.activities.jobs.LedgerFile.FileState;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LandingLedgerTest {
  private static final LandingLedger.Key KEY = new LandingLedger.Key("ducklake", "2/s/job/g1");
  private static final Target TARGET = new Target("ducklake", "imports", "flights");
  private static final Instant MODIFIED = Instant.parse("2026-11-29T09:00:00.123456Z");

  private final StateFixture state = new StateFixture();

  @BeforeEach
  void open() {
    write(dsl -> LandingLedger.open(dsl, KEY, SOURCE, "g1", TARGET));
  }

  @AfterEach
  void close() {
    state.close();
  }

  @Test
  void aNewAttemptGoesOnWhereTheLastOneStopped() {
    list(file("a", 10, "SHA256:aa"), file("b", 20, "SHA256:bb"), file("c", 30, null));
    write(dsl -> LandingLedger.landed(dsl, KEY, List.of("a", "c")));
    list(file("a", 10, "SHA256:aa"), file("b", 20, "SHA256:bb"), file("c", 30, null));

    assertThat(keys(FileState.LISTED)).containsExactly("b");
    assertThat(keys(FileState.LANDED)).containsExactly("a", "c");
    assertThat(totals()).isEqualTo(new Totals(3, 2, 0, 60, 40, 0));
  }

  @Test
  @DisplayName("OBJ-06: sameness is judged by size and checksum, never by an ETag")
  void obj06_aFileThatChangedIsLandedAgain() {
    list(
        file("same", 10, "SHA256:aa"),
        file("size", 10, "SHA256:bb"),
        file("sum", 10, "SHA256:cc"),
        file("touched", 10, null));
    write(dsl -> LandingLedger.landed(dsl, KEY, List.of("same", "size", "sum", "touched")));

    write(
        dsl ->
            LandingLedger.list(
                dsl,
                KEY,
                List.of(
                    LedgerFile.listed("same", 10, "SHA256:aa", MODIFIED.plusSeconds(9), "l/same"),
                    file("size", 11, "SHA256:bb"),
                    file("sum", 10, "SHA256:xx"),
                    LedgerFile.listed("touched", 10, null, MODIFIED.plusSeconds(1), "l/touched"))));

    assertThat(keys(FileState.LANDED)).containsExactly("same");
    assertThat(keys(FileState.LISTED)).containsExactly("size", "sum", "touched");
  }

  @Test
  void whatIsNoLongerListedLeavesTheLedger() {
    list(file("a", 10, null), file("b", 20, null));
    list(file("b", 20, null));
    assertThat(keys(FileState.LISTED)).containsExactly("b");
    list();
    assertThat(totals().files()).isZero();
  }

  @Test
  void inspectionIsReadBackWhole() {
    list(file("é=1/x y+z%20.parquet", 10, null));
    write(dsl -> LandingLedger.landed(dsl, KEY, List.of("é=1/x y+z%20.parquet")));
    int known =
        state.home.write(
            dsl ->
                LandingLedger.inspected(
                    dsl,
                    KEY,
                    "{\"columns\":[]}",
                    List.of(
                        new Inspected("é=1/x y+z%20.parquet", 7, 512, "[0,\"it's\",\"\\\\\"]"),
                        new Inspected("unknown", 1, 1, "[]"))));

    assertThat(known).isEqualTo(1);
    LedgerFile read = state.home.read(dsl -> LandingLedger.files(dsl, KEY)).getFirst();
    assertThat(read.recordCount()).isEqualTo(7);
    assertThat(read.footerSize()).isEqualTo(512);
    assertThat(read.facts()).isEqualTo("[0,\"it's\",\"\\\\\"]");
    assertThat(read.modifiedAt()).isEqualTo(MODIFIED);
    assertThat(landing().content()).isEqualTo("{\"columns\":[]}");
    assertThat(totals()).isEqualTo(new Totals(1, 1, 1, 10, 10, 7));
  }

  @Test
  void aQuarantinedGenerationOpensAgainAndAPublishedOneStays() {
    write(dsl -> LandingLedger.quarantine(dsl, KEY, "row_count: 9 instead of 10"));
    assertThat(landing().state()).isEqualTo(LandingState.QUARANTINED);
    assertThat(landing().reason()).isEqualTo("row_count: 9 instead of 10");

    open();
    assertThat(landing().state()).isEqualTo(LandingState.OPEN);
    write(dsl -> LandingLedger.published(dsl, KEY));
    open();
    write(dsl -> LandingLedger.quarantine(dsl, KEY, "late"));
    assertThat(landing().state()).isEqualTo(LandingState.PUBLISHED);
    assertThat(landing().source()).isEqualTo(SOURCE);
    assertThat(landing().target()).isEqualTo(TARGET);
  }

  @Test
  void twentyFourThousandFilesGoThroughInOneStatementEach() {
    List<LedgerFile> files =
        IntStream.range(0, 24_000)
            .mapToObj(number -> file("part-" + number + ".parquet", number, null))
            .toList();
    list(files.toArray(LedgerFile[]::new));
    write(
        dsl -> LandingLedger.landed(dsl, KEY, files.stream().map(LedgerFile::sourceKey).toList()));
    write(
        dsl ->
            LandingLedger.inspected(
                dsl,
                KEY,
                "{}",
                files.stream()
                    .map(file -> new Inspected(file.sourceKey(), 10, 400, "facts".repeat(40)))
                    .toList()));

    assertThat(totals().inspected()).isEqualTo(24_000);
    assertThat(totals().rows()).isEqualTo(240_000);
    List<LedgerFile> read = state.home.read(dsl -> LandingLedger.files(dsl, KEY));
    assertThat(read).hasSize(24_000);
  }

  private void list(LedgerFile... files) {
    write(dsl -> LandingLedger.list(dsl, KEY, List.of(files)));
  }

  private List<String> keys(FileState wanted) {
    return state.home.read(dsl -> LandingLedger.files(dsl, KEY, wanted)).stream()
        .map(LedgerFile::sourceKey)
        .toList();
  }

  private Totals totals() {
    return state.home.read(dsl -> LandingLedger.totals(dsl, KEY));
  }

  private LandingLedger.Landing landing() {
    return state.home.read(dsl -> LandingLedger.find(dsl, KEY)).orElseThrow();
  }

  private void write(Consumer<DSLContext> work) {
    state.home.write(
        dsl -> {
          work.accept(dsl);
          return "done";
        });
  }

  private static LedgerFile file(String key, long size, @Nullable String checksum) {
    return LedgerFile.listed(key, size, checksum, MODIFIED, "l/" + key);
  }
}
