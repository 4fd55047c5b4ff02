package dev.sluice.activities.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.sluice.activities.jobs.Migrations.Part;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import org.flywaydb.core.api.MigrationInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MigrationsTest {
  private final PostgresDatabase postgres = EmbeddedDatabase.shared().newDatabase();
  private final StateDatabase database = new StateDatabase("home database", postgres.dataSource());

  @ParameterizedTest
  @EnumSource(Part.class)
  void theVersionInTheCodeIsTheNewestMigration(Part part) {
    MigrationInfo[] pending = Migrations.flyway(part, postgres.dataSource()).info().pending();

    assertThat(pending[pending.length - 1].getVersion().getVersion())
        .isEqualTo(Integer.toString(part.version()));
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void anEmptyDatabaseIsRefusedWithTheCommandToRun(Part part) {
    assertThatThrownBy(() -> Migrations.checkVersion(part, database))
        .hasMessage(
            "home database: the database is not ready; it has no tables of Sluice; run ./sluice"
                + " migrate")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.NOT_MIGRATED, StateException::kind);
  }

  @Test
  void bothPartsLiveInOneDatabaseInEitherOrder() {
    assertThat(migrate(Part.LAKE)).isEqualTo(1);
    assertThatThrownBy(() -> Migrations.checkVersion(Part.HOME, database))
        .hasMessageContaining("it has no tables of Sluice");
    assertThat(migrate(Part.HOME)).isEqualTo(1);

    Migrations.checkVersion(Part.HOME, database);
    Migrations.checkVersion(Part.LAKE, database);
    assertThat(migrate(Part.HOME)).isZero();
    assertThat(migrate(Part.LAKE)).isZero();
  }

  @Test
  void anOlderAndANewerStateAreToldApart() {
    migrate(Part.HOME);
    rename("0");
    assertThatThrownBy(() -> Migrations.checkVersion(Part.HOME, database))
        .hasMessage(
            "home database: the database is not ready; its state has version 0, required is version"
                + " 1; run ./sluice migrate");
    rename("2");
    assertThatThrownBy(() -> Migrations.checkVersion(Part.HOME, database))
        .hasMessage(
            "home database: the database is of a newer Sluice; its state has version 2, this program"
                + " knows version 1; use the program that migrated it, or a newer one");
  }

  @Test
  void aDatabaseThatIsDownIsRetryableAndItsOutcomeUnknown() {
    StateDatabase nowhere =
        new StateDatabase("home database", postgres.throughPort(1).dataSource());

    assertThatThrownBy(() -> Migrations.checkVersion(Part.HOME, nowhere))
        .hasMessageStartingWith("home database: the database cannot be used now; ")
        .asInstanceOf(type(StateException.class))
        .returns(true, StateException::retryable)
        .returns(false, StateException::outcomeKnown);
  }

  private int migrate(Part part) {
    return Migrations.migrate(part, "home database", postgres.dataSource());
  }

  private void rename(String version) {
    database.write(
        dsl ->
            dsl.execute(
                "UPDATE sluice.home_migration SET version = ? WHERE type = 'SQL'", version));
  }
}
