package dev.sluice.worker;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.properties.CanBeAnnotated;
import com.tngtech.archunit.library.GeneralCodingRules;
import io.temporal.common.Experimental;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** House rules that hold in every module. */
class HouseRulesTest {

  private static final String GENERATED = "dev.sluice.catalog.internal.jooq";

  /** Experimental parts of the Temporal SDK we use on purpose. */
  private static final Set<String> ALLOWED_EXPERIMENTS = Set.of();

  @Test
  void everyPackageIsNullMarked() {
    Set<String> unmarked =
        ProjectClasses.ALL.stream()
            .map(JavaClass::getPackage)
            .filter(each -> !each.getName().startsWith(GENERATED))
            .filter(each -> !each.isAnnotatedWith(NullMarked.class))
            .map(JavaPackage::getName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(unmarked).as("packages without @NullMarked in a package-info.java").isEmpty();
  }

  @Test
  void publicMethodsHaveNeitherBooleanParametersNorAGetPrefix() {
    Set<String> found =
        ProjectClasses.ALL.stream()
            .filter(each -> !each.getPackageName().startsWith(GENERATED))
            .flatMap(each -> each.getMethods().stream())
            .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(each -> !each.getModifiers().contains(JavaModifier.SYNTHETIC))
            .filter(each -> takesBoolean(each) || each.getName().matches("get[A-Z].*"))
            .filter(each -> !overrides(each))
            .map(JavaMethod::getFullName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(found)
        .as("say it with two methods, an enum or a verb that tells the cost")
        .isEmpty();
  }

  private static boolean takesBoolean(JavaMethod method) {
    return method.getRawParameterTypes().stream()
        .anyMatch(each -> each.isEquivalentTo(boolean.class));
  }

  // Names and parameters of somebody else's interface are not ours to choose.
  private static boolean overrides(JavaMethod method) {
    JavaClass owner = method.getOwner();
    String[] parameters =
        method.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new);
    return Stream.concat(
            owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
        .filter(each -> !each.getPackageName().startsWith("dev.sluice"))
        .anyMatch(each -> each.tryGetMethod(method.getName(), parameters).isPresent());
  }

  @Test
  void onlyASleeperSleeps() {
    noClasses()
        .that()
        .haveSimpleNameNotEndingWith("Sleeper")
        .should()
        .callMethodWhere(target(owner(equivalentTo(Thread.class))).and(target(name("sleep"))))
        .because("whoever waits gets its sleeper injected, so that tests need not wait")
        .check(ProjectClasses.ALL);
  }

  @Test
  void onlyTheProgramWritesToTheStandardStreams() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.sluice.worker..")
        .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
        .because("standard output belongs to the commands' results")
        .check(ProjectClasses.ALL);
  }

  @Test
  void experimentalPartsOfTemporalAreUsedOnPurposeOnly() {
    Set<String> used =
        ProjectClasses.ALL.stream()
            .flatMap(each -> each.getAccessesFromSelf().stream())
            .filter(HouseRulesTest::isExperimental)
            .map(each -> each.getTargetOwner().getSimpleName() + "." + each.getTarget().getName())
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(ALLOWED_EXPERIMENTS).containsAll(used);
  }

  private static boolean isExperimental(JavaAccess<?> access) {
    return access.getTargetOwner().isAnnotatedWith(Experimental.class)
        || access
            .getTarget()
            .resolveMember()
            .filter(member -> ((CanBeAnnotated) member).isAnnotatedWith(Experimental.class))
            .isPresent();
  }
}
