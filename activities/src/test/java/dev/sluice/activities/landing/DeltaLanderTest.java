package dev.sluice.activities.landing;

import static dev.sluice.activities.delta.DeltaActions.add;
import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.delta.DeltaFolder;
import dev.sluice.activities.delta.DeltaSnapshot;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.parquet.DataProbe;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.query.FileRewriter;
import dev.sluice.activities.query.LocalDataFiles;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageException;
import dev.sluice.activities.storage.StorageLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where files of a Delta table land that are written anew, or copied, more than once. */
class DeltaLanderTest {

  private static final String LANDING = "s/t/_imports/source/job/v0/";
  private static final String LISTED = LANDING + "p=q/old.parquet";

  private DeltaFolder table;
  private ObjectStore lake;
  private Path links;

  @BeforeEach
  void folders(@TempDir Path scratch) throws IOException {
    table = new DeltaFolder(scratch.resolve("table"));
    links = scratch.resolve("links");
    lake =
        ObjectStores.localOnly()
            .open(new StorageLocation.Local(Files.createDirectories(scratch.resolve("lake"))));
  }

  @Test
  void everyWritingOfAFileLandsAtAKeyOfItsOwn() {
    version("timestamp_ntz", "DATE '2020-01-01' AS moment");

    LandingFiles.Planned first = landed();
    LandingFiles.Planned second = landed();

    String one = Objects.requireNonNull(first.landedPath(), "first");
    String other = Objects.requireNonNull(second.landedPath(), "second");
    assertThat(LandedFacts.parse(first.landed().facts()).rewritten()).contains("moment");
    assertThat(one).startsWith(LANDING + "p=q/rewritten-").isNotEqualTo(other);
    assertThat(other).startsWith(LANDING + "p=q/rewritten-");
    assertThat(keys()).containsExactlyInAnyOrder(one, other);
    assertThat(lake.head(one).sizeBytes()).isEqualTo(first.landed().bytes());
  }

  @Test
  void aCopiedFileLandsWhereItWasListedAsOftenAsItDoes() {
    version("date", "DATE '2020-01-01' AS moment");

    assertThat(landed().landedPath()).isNull();
    assertThat(landed().landedPath()).isNull();
    assertThat(keys()).containsExactly(LISTED);
  }

  @Test
  void whatTheFooterOfALandedObjectSaysIsNotReadAgain() throws InterruptedException {
    version("date", "DATE '2020-01-01' AS moment");
    LandingFiles.Planned landed = landed();
    LandedFacts facts = LandedFacts.parse(landed.landed().facts());
    Inspection asRead =
        inspect(new LandedFacts(facts.sourceRows(), facts.rewritten(), facts.deletes()));
    lake.delete(List.of(LISTED));

    Inspection asLanded = inspect(facts);

    assertThat(asLanded).isEqualTo(asRead);
    assertThat(asLanded.files())
        .singleElement()
        .returns(1L, file -> file.recordCount())
        .returns(lake.uri(LISTED), file -> file.path());
  }

  @Test
  void theFooterIsReadAgainForColumnsOfAnotherVersion() throws InterruptedException {
    version("date", "DATE '2020-01-01' AS moment");
    LandedFacts facts = LandedFacts.parse(landed().landed().facts());
    table.commit(
        1,
        metadata(schema(field("n", "long"), field("moment", "date"), field("p", "string")), "p"));
    lake.delete(List.of(LISTED));

    assertThatThrownBy(() -> inspect(facts))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("old.parquet");
  }

  private Inspection inspect(LandedFacts facts) throws InterruptedException {
    return new Inspector(lake, DataProbe.NONE, 1)
        .inspect(
            List.of(new Inspector.Landed(LISTED, "p=q/old.parquet")),
            List.of(facts),
            DeltaPlan.of(table.latest()),
            Optional.empty(),
            ParquetFooters.Progress.NONE);
  }

  /** One version with a file that says {@code moment} in some type. */
  private void version(String logType, String moment) {
    table.parquet("old.parquet", "SELECT 1::INT AS n, " + moment);
    table.commit(
        0,
        protocol("timestampNtz"),
        metadata(
            schema(field("n", "integer"), field("moment", logType), field("p", "string")), "p"),
        add("old.parquet").size(table.sizeBytes("old.parquet")).rows(1).partition("p", "q"));
  }

  private LandingFiles.Planned landed() {
    DeltaSnapshot snapshot = table.latest();
    DeltaPlan plan = DeltaPlan.of(snapshot);
    List<LedgerFile> files =
        DeltaFiles.find(table.store(), snapshot).listed(LANDING, DeletedRows.KEEP);
    DeltaLander lander =
        new DeltaLander(
            table.store(),
            lake,
            LANDING,
            plan,
            DeltaMatch.of(plan, Optional.empty(), lake, DataProbe.NONE),
            new DeltaRewriter(lake, new FileRewriter(new LocalDataFiles(links)), plan),
            1);
    return lander.land(files.getFirst(), null);
  }

  private List<String> keys() {
    try (Stream<ObjectInfo> objects = lake.list("")) {
      return objects.map(ObjectInfo::key).toList();
    }
  }
}
