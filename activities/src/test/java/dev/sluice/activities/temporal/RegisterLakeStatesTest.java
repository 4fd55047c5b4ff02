package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.catalog.Catalog;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lakes that may not or cannot be written: the failure is written down all the same. */
class RegisterLakeStatesTest {

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
  void withoutFaults() {
    path.lakeFault = lake -> lake;
  }

  /** A lake of its own, altered by a statement, that the worker has to open for every stage. */
  private static RegisterResult runInto(Source source, String alteration) throws SQLException {
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    Catalog.create(database.dataSource(), "public", path.lakeRoot.resolve("other").uri());
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(alteration);
    }
    path.write(source, 100, "a.parquet", "SELECT 1 AS id");
    try (HikariDataSource pool = database.dataSource(1)) {
      path.lakeFault =
          lake ->
              new LakeAccess(
                  lake.name(),
                  Catalog.open(pool, "public"),
                  lake.store(),
                  lake.state(),
                  lake.probe());
      return path.run(source.trigger(100));
    }
  }

  private static void assertWrittenDown(Source source, RegisterResult result) {
    assertThat(result.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(path.attempts(source))
        .singleElement()
        .satisfies(
            attempt -> {
              assertThat(attempt.status()).isEqualTo(JobStatus.FAILED);
              assertThat(attempt.latestError()).isEqualTo(result.reason());
            });
  }

  @Test
  void olderLakeIsRefusedWithTheRemedy() throws Exception {
    Source source = path.newSource("older");

    RegisterResult result =
        runInto(source, "UPDATE public.ducklake_metadata SET value = '0.3' WHERE key = 'version'");

    assertWrittenDown(source, result);
    assertThat(result.reason()).contains("0.3").contains("1.0").contains("DuckDB");
  }

  @Test
  void newerLakeIsRefused() throws Exception {
    Source source = path.newSource("newer");

    RegisterResult result =
        runInto(source, "UPDATE public.ducklake_metadata SET value = '1.1' WHERE key = 'version'");

    assertWrittenDown(source, result);
    assertThat(result.reason()).contains("1.1").contains("1.0");
  }

  @Test
  void encryptedLakeIsRefused() throws Exception {
    Source source = path.newSource("sealed");

    RegisterResult result =
        runInto(
            source, "UPDATE public.ducklake_metadata SET value = 'true' WHERE key = 'encrypted'");

    assertWrittenDown(source, result);
    assertThat(result.reason()).contains("encrypted");
  }

  @Test
  @DisplayName("CAT-10: a catalog that cannot be reached fails the attempt without the password")
  void cat10UnreachableCatalogFailsTheAttempt() throws Exception {
    Source source = path.newSource("unreachable");
    path.write(source, 100, "a.parquet", "SELECT 1 AS id");
    PostgresDatabase nobody =
        new PostgresDatabase("127.0.0.1", 1, "lake", "sluice", RegisterFixture.SECRET);
    path.lakeFault =
        lake ->
            new LakeAccess(
                lake.name(),
                Catalog.open(nobody.dataSource(), "public"),
                lake.store(),
                lake.state(),
                lake.probe());

    RegisterResult result = path.run(source.trigger(100));

    assertWrittenDown(source, result);
    assertThat(result.reason()).doesNotContain(RegisterFixture.SECRET).contains("reach");
  }
}
