package dev.sluice.workflows.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacesTest {
  private static final String SOURCE = "0198F2D0-1111-7000-8000-000000000001";

  @Test
  void landingKeysHaveTheContractsLayout() {
    LandingPrefix prefix =
        LandingPrefix.of(
            "insights_data_imports_team_123",
            "stripe_prod_invoices",
            SOURCE,
            "job:7/a",
            new GenerationToken("1785365519_02076d94"));
    assertThat(prefix.key("_ph_partition_key=2026-07/part-0.parquet"))
        .isEqualTo(
            "insights_data_imports_team_123/stripe_prod_invoices/_imports/"
                + SOURCE
                + "/job_7_a/1785365519_02076d94/_ph_partition_key=2026-07/part-0.parquet");
  }

  @ParameterizedTest
  @CsvSource({
    "'',is empty",
    "/a,has an empty segment",
    "a//b,has an empty segment",
    "a/,has an empty segment",
    "../a,has the segment ..",
    "a/../b,has the segment ..",
    "./a,has the segment .",
  })
  void relativePathsThatLeaveThePrefixAreRefused(String path, String reason) {
    LandingPrefix prefix = LandingPrefix.of("s", "t", "id", "job", new GenerationToken("1"));
    assertThatThrownBy(() -> prefix.key(path))
        .isInstanceOf(InvalidNameException.class)
        .hasMessage(
            "landing path '"
                + path
                + "': the path is refused; it "
                + reason
                + "; list only objects below the prepared folder");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", "..", "a b"})
  void sourceSchemaIdsThatAreNoSegmentAreRefused(String id) {
    assertThatThrownBy(() -> LandingPrefix.of("s", "t", id, "job", new GenerationToken("1")))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageStartingWith("source schema id '" + id + "': the id is refused;");
  }

  @Test
  void anEmptyJobIdIsRefused() {
    assertThatThrownBy(() -> JobPath.segment(""))
        .isInstanceOf(InvalidNameException.class)
        .hasMessage("job id '': the id is refused; it is empty; pass the id of the import job");
  }

  @Test
  void theSourceFolderIsLowerCaseWithoutDashes() {
    assertThat(SourceFolder.path(123, "TikTokAds", SOURCE))
        .isEqualTo("team_123_tiktokads_0198f2d0_1111_7000_8000_000000000001");
  }

  @ParameterizedTest
  @CsvSource({
    "'',is empty",
    ".,points to another folder",
    "..,points to another folder",
    "a/b,contains a slash",
    "../a,contains a slash",
    "a\\b,contains a slash",
    "'a\tb',contains a control character",
  })
  void folderNamesThatAreNoBareNamesAreRefused(String name, String reason) {
    assertThatThrownBy(() -> new PreparedFolder(name))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageContaining("the name is refused; it " + reason + "; pass the bare name");
  }

  @Test
  void controlCharactersAreShownEscaped() {
    assertThatThrownBy(() -> new PreparedFolder("a\nb"))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageStartingWith("prepared folder 'a\\u000ab': the name is refused;");
  }

  @Test
  void aBareFolderNameHasAGeneration() {
    assertThat(new PreparedFolder("customers__query_12").generation().value()).isEqualTo("12");
  }

  @Test
  void schemasAreNamedByTeamUnlessOverridden() {
    SchemaNames names =
        new SchemaNames("imports_", "models_", Map.of(7L, "acme_imports"), Map.of(8L, "acme"));
    assertThat(names.imports(7)).isEqualTo("acme_imports");
    assertThat(names.imports(8)).isEqualTo("imports_8");
    assertThat(names.modeling(7)).isEqualTo("models_7");
    assertThat(names.modeling(8)).isEqualTo("acme");
    assertThat(SchemaNames.defaults().imports(123)).isEqualTo("insights_data_imports_team_123");
    assertThat(SchemaNames.defaults().modeling(123)).isEqualTo("insights_data_modeling_team_123");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1abc", "Abc", "a-b", "a;b", "ä"})
  void schemaNamesUnsafeInSqlAreRefused(String name) {
    Map<Long, String> override = Map.of(7L, name);
    assertThatThrownBy(() -> new SchemaNames("i_", "m_", override, Map.of()))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageStartingWith("schema name '" + name + "' (imports of team 7): the name is");
  }

  @Test
  void schemaNamesAreLimitedTo63Characters() {
    assertThat(SchemaNames.validate("a".repeat(63), "test")).hasSize(63);
    assertThatThrownBy(() -> SchemaNames.validate("a".repeat(64), "test"))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageContaining("it must be 1 to 63 of a-z, 0-9 and '_'");
  }

  @Test
  void workflowIdsAreBusinessIds() {
    assertThat(WorkflowIds.of("ducklake-register.data-imports", 123, SOURCE))
        .isEqualTo("ducklake-register.data-imports-123-" + SOURCE);
  }
}
