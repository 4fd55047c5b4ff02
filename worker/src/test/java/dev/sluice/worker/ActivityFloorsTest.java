package dev.sluice.worker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The floors inside activities: imports go down, never up and never to a neighbour. */
class ActivityFloorsTest {

  private static final String ROOT = "dev.sluice.activities.";

  // From the ground; packages of one floor do not know each other.
  private static final List<Set<String>> FLOORS =
      List.of(
          Set.of("parallel"),
          Set.of("storage"),
          Set.of("parquet"),
          Set.of("delta", "query"),
          Set.of("landing", "lake"),
          Set.of("verify"),
          Set.of("publish"),
          Set.of("temporal"));

  // Beside the floors: others may use it, it uses none of them.
  private static final String BESIDE = "jobs";

  @ParameterizedTest
  @MethodSource("floorPackages")
  void noPackageImportsUpward(String name) {
    noClasses()
        .that()
        .resideInAPackage(ROOT + name + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(forbiddenFrom(name))
        .allowEmptyShould(true)
        .check(ProjectClasses.ALL);
  }

  @Test
  void jobsStandsBesideTheFloors() {
    String[] floors =
        FLOORS.stream()
            .flatMap(Set::stream)
            .filter(each -> !each.equals("parallel"))
            .map(each -> ROOT + each + "..")
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(ROOT + BESIDE + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(floors)
        .allowEmptyShould(true)
        .check(ProjectClasses.ALL);
  }

  @Test
  void everyPackageOfActivitiesHasAFloor() {
    Set<String> found =
        ProjectClasses.ALL.stream()
            .map(each -> each.getPackageName())
            .filter(each -> each.startsWith(ROOT))
            .map(each -> each.substring(ROOT.length()).split("\\.", 2)[0])
            .collect(Collectors.toSet());

    assertThat(Stream.concat(floorPackages(), Stream.of(BESIDE))).containsAll(found);
  }

  static Stream<String> floorPackages() {
    return FLOORS.stream().flatMap(Set::stream).sorted();
  }

  private static String[] forbiddenFrom(String name) {
    int own = 0;
    while (!FLOORS.get(own).contains(name)) {
      own++;
    }
    return FLOORS.subList(own, FLOORS.size()).stream()
        .flatMap(Set::stream)
        .filter(each -> !each.equals(name))
        .map(each -> ROOT + each + "..")
        .toArray(String[]::new);
  }
}
