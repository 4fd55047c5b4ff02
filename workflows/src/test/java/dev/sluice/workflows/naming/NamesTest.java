package dev.sluice.workflows.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  private static final String FOLDER = "customers__query_1785365519_02076d94";

  @Test
  void aGenerationIsNamedByWhatFollowsTheQueryMark() {
    assertThat(GenerationToken.ofFolder(FOLDER)).hasToString("1785365519_02076d94");
    assertThat(GenerationToken.ofFolder("customers__query_17")).hasToString("17");
  }

  @Test
  void aGenerationWithoutSuchAMarkIsNamedByAHash() {
    assertThat(GenerationToken.ofFolder("customers__query")).hasToString("ecd7521e431d");
    assertThat(GenerationToken.ofFolder("c__query_17_xyz").value()).matches("[0-9a-f]{12}");
  }

  @Test
  void anAttemptIsNamedByJobAndGeneration() {
    assertThat(AttemptId.register("job-7", GenerationToken.ofFolder(FOLDER)))
        .isEqualTo("job-7:1785365519_02076d94");
  }

  @Test
  void filesLandBelowTheTableAndKeepTheirHiveFolders() {
    LandingPrefix prefix =
        LandingPrefix.of(
            "insights_data_imports_team_123",
            "stripe_prod_invoices",
            "0198c0de-0000-7000-8000-000000000001",
            "job:7/a",
            GenerationToken.ofFolder("invoices__query_1785365519_02076d94"));
    assertThat(prefix)
        .hasToString(
            "insights_data_imports_team_123/stripe_prod_invoices/_imports/"
                + "0198c0de-0000-7000-8000-000000000001/job_7_a/1785365519_02076d94/");
  }

  @Test
  void anEmptyJobIdIsRefused() {
    assertThatThrownBy(() -> JobPath.segment(""))
        .isInstanceOf(InvalidNameException.class)
        .hasMessage("job id '': the id is refused; it is empty; pass the id of the import job");
  }

  @Test
  void aSourcesFolderIsLowerCaseWithoutDashes() {
    assertThat(SourceFolder.path(123, "TikTokAds", "0198-AB"))
        .isEqualTo("team_123_tiktokads_0198_ab");
  }

  @Test
  void schemasAreNamedAfterTheirTeam() {
    assertThat(SchemaNames.defaults().imports(123)).isEqualTo("insights_data_imports_team_123");
    assertThat(SchemaNames.defaults().modeling(123)).isEqualTo("insights_data_modeling_team_123");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "9lives", "Upper", "a-b", "ä"})
  void aSchemaNameUnfitForSqlIsRefused(String name) {
    assertThatThrownBy(() -> SchemaNames.validate(name, "imports of team 1"))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageContaining("(imports of team 1): the name is refused");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a/b", "a\\b", "a\nb"})
  void aFolderNameThatCouldLeaveItsPlaceIsRefused(String name) {
    assertThatThrownBy(() -> new PreparedFolder(name))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageContaining("the name is refused");
  }

  @Test
  void ordersOfOneKindCompareByValue() {
    ProducerOrder older = ProducerOrder.ofFolder("t__query_17");
    ProducerOrder newer = ProducerOrder.ofFolder("t__query_18_0badcafe");
    assertThat(newer.isNewerThan(older)).isTrue();
    assertThat(older.isNewerThan(newer)).isFalse();
    assertThat(ProducerOrder.parse(newer.toString())).isEqualTo(newer);
  }

  @Test
  void ordersOfDifferentKindsCannotBeCompared() {
    assertThatThrownBy(
            () -> ProducerOrder.deltaVersion(3).isNewerThan(ProducerOrder.ofFolder("t__query_1")))
        .isInstanceOf(InvalidNameException.class)
        .hasMessage(
            "producer orders delta_version:3 and folder_epoch:1: they cannot be compared; a source"
                + " keeps to one kind of order; send every trigger of the source with the same"
                + " kind");
  }
}
