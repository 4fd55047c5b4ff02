package dev.sluice.activities.jobs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.Migrations.Part;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MigrationsTest {
  private final PostgresDatabase postgres = EmbeddedDatabase.shared().newDatabase();
  private final HikariDataSource pool = postgres.dataSource(1);
  private final StateDatabase database = new StateDatabase("home database", pool);

  @AfterEach
  void close() {
    pool.close();
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void anEmptyDatabaseIsRefusedNamingTheCommand(Part part) {
    assertThatThrownBy(() -> Migrations.checkVersion(part, database))
        .hasMessage(
            "home database: the database is not ready; it has no tables of Sluice; run ./sluice"
                + " migrate")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.NOT_MIGRATED, StateException::kind);
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void migratingIsSafeToRepeatAndEitherPartMayComeFirst(Part first) {
    Part second = first == Part.HOME ? Part.LAKE : Part.HOME;
    migrate(first);
    assertThatThrownBy(() -> Migrations.checkVersion(second, database))
        .hasMessageContaining("run ./sluice migrate");
    migrate(second);
    migrate(first);
    migrate(second);

    Migrations.checkVersion(first, database);
    Migrations.checkVersion(second, database);
    Integer rows =
        database.read(dsl -> dsl.fetchCount(DSL.table(DSL.name("sluice", "publication"))));
    assertThat(rows).isZero();
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void aNewerDatabaseIsRefused(Part part) {
    migrate(part);
    database.write(
        dsl ->
            dsl.execute(
                "UPDATE sluice."
                    + (part == Part.HOME ? "home_state_history" : "lake_state_history")
                    + " SET version = '99' WHERE version = '1'"));

    assertThatThrownBy(() -> Migrations.checkVersion(part, database))
        .hasMessage(
            "home database: the database is of a newer Sluice; its state has version 99, this"
                + " program knows version "
                + part.version()
                + "; use the program that migrated it, or a newer one");
  }

  /** Flyway refuses a database whose applied migration has changed: kept stacks would not start. */
  @ParameterizedTest
  @CsvSource({
    "/dev/sluice/activities/jobs/migration/V1__home_state.sql,"
        + "b55dddf0d5451bad340954bb8d1c1018b9fe0cab68327425f07072aa743d1717",
    "/dev/sluice/activities/jobs/migration/V4__reaper.sql,"
        + "83510a014f2fe7b32747bfd07e9034a657be198dca511fed25a2c03cbff3fc3c",
    "/dev/sluice/activities/jobs/migration/V5__table_rename.sql,"
        + "5fdddceaae5e3dbf1e60995b091b3c53cafb21e98fbf1cb246028f51fa7c8a0b",
    "/dev/sluice/catalog/migration/V1__lake_state.sql,"
        + "bccba2ba3f156e435f69df2ce1862df3e7a1f5339b3e0b1a92765c33dcad8a39"
  })
  void aMigrationThatWasAppliedSomewhereIsNeverEdited(String migration, String sha256)
      throws Exception {
    try (InputStream text = MigrationsTest.class.getResourceAsStream(migration)) {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(requireNonNull(text).readAllBytes());
      assertThat(HexFormat.of().formatHex(digest))
          .as("changes go into a migration of their own")
          .isEqualTo(sha256);
    }
  }

  @Test
  void aFailedMigrationNamesReasonAndRemedy() {
    database.write(
        dsl -> {
          dsl.execute("CREATE SCHEMA sluice");
          return dsl.execute("CREATE TABLE sluice.trigger (x integer)");
        });

    assertThatThrownBy(() -> migrate(Part.HOME))
        .hasMessageStartingWith("home database: the migration failed; ")
        .hasMessageContaining("already exists")
        .hasMessageEndingWith(
            "run ./sluice migrate again over a direct connection (not through a pooler)");
  }

  @Test
  void aDatabaseThatCannotBeReachedIsUnavailable() {
    PostgresDatabase nowhere = postgres.throughPort(1);

    assertThatThrownBy(
            () ->
                Migrations.checkVersion(
                    Part.HOME, new StateDatabase("home database", nowhere.dataSource())))
        .hasMessageStartingWith("home database: the database cannot be used now; ")
        .asInstanceOf(type(StateException.class))
        .returns(true, StateException::retryable)
        .returns(false, StateException::outcomeKnown);
  }

  private void migrate(Part part) {
    Migrations.migrate(part, "home database", postgres.dataSource());
  }
}
