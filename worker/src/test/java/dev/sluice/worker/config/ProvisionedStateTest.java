package dev.sluice.worker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.Migrations;
import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.StateException;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProvisionedStateTest {
  private static final String TEAM = "mode: development\nteams: {2: {}}\n";

  private final PostgresDatabase postgres = EmbeddedDatabase.shared().newDatabase();
  private final HikariDataSource pool = postgres.dataSource(1);
  private final StateDatabase home = new StateDatabase("home database", pool);
  private final Provisioning provisioning = new Provisioning(home);
  private final TableNames names = new TableNames(home);

  @BeforeEach
  void migrate() {
    Migrations.migrate(Migrations.Part.HOME, "home database", postgres.dataSource());
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void whatIsConfiguredIsWrittenAndWritingAgainIsHarmless() throws IOException {
    String yaml =
        TEAM + "sources: {f: {team: 2, id: s-1, type: Postgres, prefix: eu, table: flights}}";
    write(yaml);
    write(yaml);

    SourceRef source = new SourceRef(2, "s-1");
    assertThat(provisioning.findLake("main"))
        .contains(
            new Provisioning.Lake(
                "main", "public", "localhost:5432/ducklake", "s3://ducklake-dev/"));
    assertThat(provisioning.requireTeam(2).importsSchema())
        .isEqualTo("insights_data_imports_team_2");
    assertThat(provisioning.findSource(source))
        .contains(new Provisioning.Source(source, "Postgres", "eu", "flights", null));
    TableNames.Assigned assigned = names.find(source).orElseThrow();
    assertThat(assigned.target())
        .hasToString("lake main, table insights_data_imports_team_2.postgres_eu_flights");
    assertThat(assigned.namingVersion()).isEqualTo("copy_v1");
  }

  @Test
  void aNameThatAnEarlierConfigurationGaveAwayIsRefusedNamingBoth() throws IOException {
    write(TEAM + "sources: {a: {team: 2, id: s-1, type: Stripe, prefix: eu_prod, table: inv}}");

    assertThatThrownBy(
            () ->
                write(
                    TEAM
                        + "sources: {b: {team: 2, id: s-2, type: Stripe, prefix: eu, table:"
                        + " prod_inv}}"))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("assigned to team 2, source s-1")
        .hasMessageContaining("claimed by team 2, source s-2");
    assertThat(provisioning.findSource(new SourceRef(2, "s-2"))).isEmpty();
  }

  @Test
  void aNamingPolicyMayChangeBeforeAnythingIsWritten() throws IOException {
    String source = "sources: {a: {team: 2, id: s-1, type: TikTokAds, table: ads}}";
    write(TEAM + source);
    write("mode: development\nteams: {2: {naming: legacy_batch_v1}}\n" + source);

    assertThat(names.find(new SourceRef(2, "s-1")).orElseThrow().target().table())
        .isEqualTo("tik_tok_ads_ads");
  }

  private void write(String yaml) throws IOException {
    new ProvisionedState(provisioning, names).write(Configuration.parse(yaml, Map.of()));
  }
}
