package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.SourceEvent;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a publication does that somebody should know is an event. */
class PublicationEventsTest {

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  @AfterEach
  void usualOptions() {
    path.options = Sources.Options.defaults();
  }

  private static void options(SchemaPolicy schema, ForeignContent foreign) {
    path.options = new Sources.Options(Sources.Options.defaults().match(), schema, foreign);
  }

  private static Source published(String table, String select) throws SQLException {
    Source source = path.newSource(table);
    path.write(source, 100, "a.parquet", select);
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    return source;
  }

  private static List<String> reasons(Source source, EventKind kind) {
    return path.events.newest(RegisterFixture.ref(source), 50).stream()
        .filter(event -> event.kind() == kind)
        .map(SourceEvent::reason)
        .map(String::valueOf)
        .toList();
  }

  @Test
  void rowsThatOthersDeletedAreRefusedOrReplacedWithAnEventThatNamesThem() throws Exception {
    Source source = published("foreign_delete", "SELECT 1 AS id UNION ALL SELECT 2");
    path.session().execute("DELETE FROM " + source.sql());
    path.write(source, 200, "a.parquet", "SELECT 3 AS id");

    RegisterResult refused = path.run(source.trigger(200));

    assertThat(refused.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(refused.reason())
        .contains("was changed by others since Sluice last published it")
        .contains("1 data files were ended (");
    assertThat(path.duckDb("SELECT count(*) FROM " + source.sql()))
        .isEqualTo(List.of(List.of("0")));

    options(SchemaPolicy.SYNC, ForeignContent.REPLACE);
    assertThat(path.run(source.trigger(200)).status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(reasons(source, EventKind.FOREIGN_CONTENT_REPLACED))
        .singleElement()
        .asString()
        .contains("replaced by policy; found was: 1 data files were ended (");
    assertThat(path.publications(source).getFirst().replaced()).contains("were ended");
  }

  @Test
  void policyWarnChangesTheTableAndSaysWhatChanged() throws Exception {
    options(SchemaPolicy.WARN, ForeignContent.REFUSE);
    Source source = published("warned", "SELECT 1::INT AS id, 'a' AS old, 5::INT AS n");
    assertThat(reasons(source, EventKind.SCHEMA_CHANGED)).as("a new table").isEmpty();
    path.write(source, 200, "a.parquet", "SELECT 1::BIGINT AS id, 2.5::DOUBLE AS added, 'x' AS n");

    assertThat(path.run(source.trigger(200)).reason()).isNull();

    assertThat(path.duckDb("SELECT id, added, n FROM " + source.sql()))
        .isEqualTo(List.of(List.of("1", "2.5", "x")));
    assertThat(reasons(source, EventKind.SCHEMA_CHANGED))
        .containsExactly(
            "column added float64 is new; column id was int32 and is int64;"
                + " column n was int32 and is varchar; column old is gone");
    path.write(source, 300, "a.parquet", "SELECT 1::BIGINT AS id, 2.5::DOUBLE AS added, 'y' AS n");
    assertThat(path.run(source.trigger(300)).reason()).isNull();
    assertThat(reasons(source, EventKind.SCHEMA_CHANGED)).as("nothing changed").hasSize(1);
  }
}
