package dev.sluice.worker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows between modules: worker → activities → {catalog, workflows}, worker → embedded. */
class ModuleArrowsTest {

  @Test
  void catalogKnowsNoOtherModule() {
    check(moduleUsesNone("catalog", "workflows", "activities", "worker", "embedded"));
  }

  @Test
  void workflowsKnowsNoOtherModule() {
    check(moduleUsesNone("workflows", "catalog", "activities", "worker", "embedded"));
  }

  @Test
  void activitiesKnowsOnlyCatalogAndWorkflows() {
    check(moduleUsesNone("activities", "worker", "embedded"));
  }

  @Test
  void embeddedKnowsNoOtherModule() {
    check(moduleUsesNone("embedded", "catalog", "workflows", "activities", "worker"));
  }

  @Test
  void catalogIsFreeOfTemporalS3AndParquet() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.sluice.catalog..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.temporal..", "software.amazon..", "org.apache.parquet..", "org.duckdb.."));
  }

  @Test
  void workflowsNeedsTheTemporalSdkAndNothingHeavier() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.sluice.workflows..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java..",
                "io.temporal..",
                "com.fasterxml.jackson.annotation..",
                "org.jspecify..",
                "org.slf4j..",
                "dev.sluice.workflows.."));
  }

  @ParameterizedTest
  @ValueSource(strings = {"catalog", "workflows", "activities", "worker", "embedded"})
  void internalPackagesStayInsideTheirModule(String module) {
    String root = "dev.sluice." + module;
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(root + "..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(root + "..internal.."));
  }

  private static ArchRule moduleUsesNone(String module, String... others) {
    String[] packages =
        List.of(others).stream().map(each -> "dev.sluice." + each + "..").toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage("dev.sluice." + module + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages);
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(ProjectClasses.ALL);
  }
}
