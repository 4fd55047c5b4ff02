package dev.sluice.activities.jobs;

import static dev.sluice.activities.jobs.StateFixture.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.activities.jobs.LandingFiles.Copied;
import dev.sluice.activities.jobs.LandingFiles.Counted;
import dev.sluice.activities.jobs.LandingFiles.Inspected;
import dev.sluice.activities.jobs.LandingFiles.Totals;
import dev.sluice.activities.jobs.LandingLedger.Landing;
import dev.sluice.activities.jobs.LandingLedger.LandingState;
import dev.sluice.activities.jobs.LedgerFile.FileState;
import dev.sluice.catalog.TableName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LandingLedgerTest {
  private static final LandingLedger.Key KEY =
      new LandingLedger.Key("lake_main", "2/source/job-1/g1");
  private static final Target TARGET = new Target("lake_main", "imports", "flights");
  private static final Instant MODIFIED = Instant.parse("2026-11-29T09:00:00Z");

  private final StateFixture state = new StateFixture();

  @AfterEach
  void close() {
    state.close();
  }

  @Test
  void aGenerationGoesThroughItsStatesAndKeepsWhatWasPublished() {
    open();
    assertThat(landing())
        .isEqualTo(new Landing(KEY, SOURCE, "g1", TARGET, LandingState.LISTED, null, null));

    in(dsl -> LandingLedger.advance(dsl, KEY, LandingState.LANDED));
    assertThat(landing().state()).isEqualTo(LandingState.LANDED);
    in(dsl -> LandingLedger.quarantine(dsl, KEY, "row counts differ"));
    assertThat(landing().state()).isEqualTo(LandingState.QUARANTINED);
    assertThat(landing().reason()).isEqualTo("row counts differ");

    open();
    assertThat(landing().state()).isEqualTo(LandingState.LISTED);
    assertThat(landing().reason()).isNull();
    in(dsl -> LandingLedger.advance(dsl, KEY, LandingState.VERIFIED));
    in(dsl -> LandingLedger.advance(dsl, KEY, LandingState.INSPECTED));
    assertThat(landing().state()).isEqualTo(LandingState.VERIFIED);
    in(dsl -> publish(dsl));
    in(dsl -> LandingLedger.advance(dsl, KEY, LandingState.LANDED));
    in(dsl -> LandingLedger.quarantine(dsl, KEY, "late"));
    open();
    assertThat(landing().state()).isEqualTo(LandingState.PUBLISHED);
  }

  @Test
  void whatAPublishedLandingConsistsOfStaysWhenALateCallHasWrittenAFileAnew() {
    open();
    list(file("a", 10, "one"));
    in(dsl -> LandingFiles.landed(dsl, KEY, List.of(writtenAnew("a", "imports/first"))));
    assertThat(files())
        .singleElement()
        .returns("imports/first", LedgerFile::objectKey)
        .returns(FileState.LANDED, LedgerFile::state);
    in(dsl -> LandingFiles.inspected(dsl, KEY, "content", List.of(new Inspected("a", 3, 1, ""))));
    in(dsl -> LandingLedger.advance(dsl, KEY, LandingState.VERIFIED));
    in(dsl -> publish(dsl));
    List<LedgerFile> published = files();

    in(dsl -> LandingFiles.landed(dsl, KEY, List.of(writtenAnew("a", "imports/late"))));

    assertThat(files()).isEqualTo(published);
  }

  private static LandingFiles.Planned writtenAnew(String sourceKey, String key) {
    return new LandingFiles.Planned(sourceKey, null, key, new LedgerFile.Landed(7L, 0, "facts"));
  }

  private static void publish(DSLContext dsl) {
    OneAttachment.OF_TABLE_42.run(
        dsl,
        new PublicationRecord(
            KEY,
            new TableName(TARGET.schema(), TARGET.table()),
            made -> PublicationsTest.publication(TARGET, made.snapshotId(), 1)));
  }

  @Test
  void onlyAVerifiedLandingCanBePublished() {
    open();
    in(dsl -> LandingLedger.advance(dsl, KEY, LandingState.INSPECTED));

    assertThatThrownBy(() -> in(dsl -> publish(dsl)))
        .isInstanceOfSatisfying(
            StateException.class,
            refused -> assertThat(refused.kind()).isEqualTo(StateException.Kind.ATTEMPT_FENCED))
        .hasMessageContaining("it is inspected and not verified any more");
    assertThat(landing().state()).isEqualTo(LandingState.INSPECTED);
  }

  @Test
  void filesAreListedLandedAndInspected() {
    open();
    list(file("a", 10, "crc64:1"), file("b", 20, null), file("c", 30, null));
    assertThat(files()).extracting(LedgerFile::state).containsOnly(FileState.LISTED);
    assertThat(totals()).isEqualTo(new Totals(3, 0, 0, 60, 0, 0));

    in(dsl -> LandingFiles.landed(dsl, KEY, List.of("a", "c")));
    assertThat(totals()).isEqualTo(new Totals(3, 2, 0, 60, 40, 0));
    assertThat(filesThatAre(FileState.LISTED)).containsExactly("b");

    in(
        dsl ->
            LandingFiles.inspected(
                dsl,
                KEY,
                "{\"columns\":[]}",
                List.of(
                    new Inspected("a", 5, 300, "{\"x\":1}"), new Inspected("c", 7, 400, "{}"))));
    assertThat(totals()).isEqualTo(new Totals(3, 2, 2, 60, 40, 12));
    assertThat(landing().content()).isEqualTo("{\"columns\":[]}");
    LedgerFile first = files().getFirst();
    assertThat(first)
        .isEqualTo(
            new LedgerFile(
                "a",
                10,
                "crc64:1",
                MODIFIED,
                "imports/flights/_imports/a",
                null,
                FileState.INSPECTED,
                5L,
                300L,
                "{\"x\":1}"));
  }

  @Test
  void whatTheSourceTellsIsKeptAsLongAsTheFileIsTheSame() {
    open();
    list(file("a", 10, "etag:1"), file("b", 20, "etag:1"), file("c", 30, "etag:1"));

    in(
        dsl ->
            LandingFiles.copied(
                dsl,
                KEY,
                List.of(new Copied("a", 7L), new Copied("b", 0L), new Copied("c", null))));
    in(dsl -> LandingFiles.landed(dsl, KEY, List.of("a")));
    in(dsl -> LandingFiles.copied(dsl, KEY, List.of(new Copied("a", null))));
    assertThat(totals().landed()).isEqualTo(3);
    assertThat(counted())
        .containsOnlyKeys("a", "b")
        .containsEntry("a", new Counted(file("a", 10, "etag:1"), 7))
        .extractingByKey("b")
        .returns(0L, Counted::sourceRows);

    list(file("a", 10, "etag:2"), file("b", 20, "etag:1"), file("c", 30, "etag:1"));
    assertThat(counted()).containsOnlyKeys("b");
  }

  @Test
  void listingAgainKeepsHowFarUnchangedFilesAre() {
    open();
    list(file("a", 10, "crc64:1"), file("b", 20, null), file("gone", 1, null));
    in(dsl -> LandingFiles.landed(dsl, KEY, List.of("a", "b", "gone")));

    list(file("a", 10, "crc64:2"), file("b", 20, null), file("new", 2, null));

    assertThat(files())
        .extracting(LedgerFile::sourceKey, LedgerFile::state)
        .containsExactly(
            tuple("a", FileState.LISTED),
            tuple("b", FileState.LANDED),
            tuple("new", FileState.LISTED));
  }

  @Test
  void aFileOfAnotherSizeOrPlaceOrTimeIsAnotherFile() {
    open();
    list(file("a", 10, null), file("b", 10, null), file("c", 10, null));
    in(dsl -> LandingFiles.landed(dsl, KEY, List.of("a", "b", "c")));

    list(
        file("a", 11, null),
        LedgerFile.listed("b", 10, null, MODIFIED, "elsewhere/b"),
        LedgerFile.listed("c", 10, null, MODIFIED.plusSeconds(1), "imports/flights/_imports/c"));

    assertThat(files()).extracting(LedgerFile::state).containsOnly(FileState.LISTED);
  }

  @Test
  void aLiveObjectStandsInForACopyUntilTheFileIsCopiedAfterAll() {
    open();
    list(file("a", 10, "etag:1"), file("b", 20, "etag:2"), file("c", 30, "etag:3"));
    in(dsl -> LandingFiles.landed(dsl, KEY, List.of("c")));
    in(
        dsl ->
            LandingFiles.reused(
                dsl, KEY, Map.of("a", "earlier/a", "b", "earlier/b", "c", "earlier/c")));
    in(dsl -> LandingFiles.inspected(dsl, KEY, "{}", List.of(new Inspected("a", 5, 300, "x"))));

    assertThat(files())
        .extracting(LedgerFile::sourceKey, LedgerFile::objectKey, LedgerFile::state)
        .containsExactly(
            tuple("a", "earlier/a", FileState.INSPECTED),
            tuple("b", "earlier/b", FileState.LANDED),
            tuple("c", "imports/flights/_imports/c", FileState.LANDED));
    assertThat(totals().landed()).isEqualTo(3);

    in(dsl -> LandingFiles.landed(dsl, KEY, List.of("a")));
    list(file("a", 10, "etag:1"), file("b", 20, "changed"), file("c", 30, "etag:3"));

    assertThat(files())
        .extracting(LedgerFile::sourceKey, LedgerFile::reusedPath, LedgerFile::state)
        .containsExactly(
            tuple("a", null, FileState.INSPECTED),
            tuple("b", null, FileState.LISTED),
            tuple("c", null, FileState.LANDED));
    assertThat(files().getFirst().recordCount()).isEqualTo(5);
  }

  @Test
  void anEmptyListEmptiesTheLedger() {
    open();
    list(file("a", 10, null));
    in(dsl -> LandingFiles.list(dsl, KEY, List.of()));

    assertThat(files()).isEmpty();
  }

  @Test
  void keysOfAnySpellingComeBackInByteOrder() {
    open();
    list(file("é=ü/a'b", 1, null), file("B", 1, null), file("a\\b\"{},", 1, null));

    assertThat(files())
        .extracting(LedgerFile::sourceKey)
        .containsExactly("B", "a\\b\"{},", "é=ü/a'b");
  }

  @Test
  void twentyFourThousandFilesAreAFewStatements() {
    open();
    List<LedgerFile> all =
        IntStream.range(0, 24_000)
            .mapToObj(i -> file("p=" + i % 50 + "/part-" + i + ".parquet", 1000 + i, null))
            .toList();
    in(dsl -> LandingFiles.list(dsl, KEY, all));
    in(dsl -> LandingFiles.landed(dsl, KEY, all.stream().map(LedgerFile::sourceKey).toList()));
    in(
        dsl ->
            LandingFiles.inspected(
                dsl,
                KEY,
                "{}",
                all.stream()
                    .map(file -> new Inspected(file.sourceKey(), 10, 500, "{\"s\":[1,2]}"))
                    .toList()));

    assertThat(totals().files()).isEqualTo(24_000);
    assertThat(totals().rows()).isEqualTo(240_000);
    assertThat(files()).hasSize(24_000);
  }

  @Test
  void anotherLakeInTheSameDatabaseKeepsItsOwnLedger() {
    open();
    list(file("a", 10, null));
    LandingLedger.Key twin = new LandingLedger.Key("lake_other", KEY.landingId());

    assertThat(state.find(dsl -> LandingLedger.find(dsl, twin))).isEmpty();
    assertThat(state.list(dsl -> LandingFiles.files(dsl, twin))).isEmpty();
  }

  private void open() {
    in(dsl -> LandingLedger.open(dsl, KEY, SOURCE, "g1", TARGET));
  }

  private void list(LedgerFile... files) {
    in(dsl -> LandingFiles.list(dsl, KEY, List.of(files)));
  }

  private Landing landing() {
    return state.find(dsl -> LandingLedger.find(dsl, KEY)).orElseThrow();
  }

  private List<LedgerFile> files() {
    return state.list(dsl -> LandingFiles.files(dsl, KEY));
  }

  private List<String> filesThatAre(FileState wanted) {
    return state.list(dsl -> LandingFiles.files(dsl, KEY, wanted)).stream()
        .map(LedgerFile::sourceKey)
        .toList();
  }

  private Map<String, Counted> counted() {
    return state.home.read(dsl -> LandingFiles.counted(dsl, KEY));
  }

  private Totals totals() {
    return state.home.read(dsl -> LandingFiles.totals(dsl, KEY));
  }

  private void in(Consumer<DSLContext> work) {
    state.home.write(
        dsl -> {
          work.accept(dsl);
          return KEY;
        });
  }

  private static LedgerFile file(String key, long size, @Nullable String checksum) {
    return LedgerFile.listed(key, size, checksum, MODIFIED, "imports/flights/_imports/" + key);
  }
}
