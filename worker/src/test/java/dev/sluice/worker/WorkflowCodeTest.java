package dev.sluice.worker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * Workflow code is replayed: it may see no clock, chance, environment, file, network or thread of
 * its own, only what Temporal gives it. Temporal's own checker of byte code is not in the package
 * registries, so these rules hold the whole module instead of what its workflow methods reach.
 */
class WorkflowCodeTest {

  private static final Set<String> FORBIDDEN_CLASSES =
      Set.of(
          "java.lang.Thread",
          "java.lang.ThreadLocal",
          "java.lang.Runtime",
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.lang.System",
          "java.security.SecureRandom",
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.util.Timer");

  private static final Set<String> FORBIDDEN_PACKAGES =
      Set.of("java.io.", "java.net.", "java.nio.file.", "java.sql.", "java.util.concurrent.");

  private static final Set<String> FORBIDDEN_METHODS =
      Set.of("now", "randomUUID", "random", "parallelStream", "parallel", "wait", "notifyAll");

  /** Declares that a class can be serialized; nothing is read or written by it. */
  private static final Set<String> HARMLESS = Set.of("java.io.Serial", "java.io.Serializable");

  // The one class for callers outside of any workflow.
  private static final String CLIENT_CODE = "dev.sluice.workflows.upstream.TriggerSender";

  private static final DescribedPredicate<JavaAccess<?>> NOT_REPLAYABLE =
      new DescribedPredicate<>("what another replay would answer otherwise") {
        @Override
        public boolean test(JavaAccess<?> access) {
          String owner = access.getTargetOwner().getName();
          if (HARMLESS.contains(owner)) {
            return false;
          }
          return FORBIDDEN_CLASSES.contains(owner)
              || FORBIDDEN_PACKAGES.stream().anyMatch(owner::startsWith)
              || (!owner.startsWith("dev.sluice.")
                  && !owner.startsWith("io.temporal.")
                  && FORBIDDEN_METHODS.contains(access.getTarget().getName()));
        }
      };

  private static final ArchRule REPLAYABLE =
      noClasses()
          .that()
          .resideInAPackage("dev.sluice..")
          .and()
          .doNotHaveFullyQualifiedName(CLIENT_CODE)
          .should()
          .accessTargetWhere(NOT_REPLAYABLE);

  private static JavaClasses workflows() {
    return ProjectClasses.ALL.that(
        new DescribedPredicate<>("of the workflows module") {
          @Override
          public boolean test(com.tngtech.archunit.core.domain.JavaClass each) {
            return each.getPackageName().startsWith("dev.sluice.workflows");
          }
        });
  }

  @Test
  void workflowCodeAsksNothingThatAReplayWouldAnswerOtherwise() {
    assertThat(workflows()).isNotEmpty();
    REPLAYABLE.check(workflows());
  }

  @Test
  void workflowCodeSharesNoStateBetweenRuns() {
    assertThat(workflows().stream().flatMap(each -> each.getFields().stream()))
        .filteredOn(field -> field.getModifiers().contains(JavaModifier.STATIC))
        .isNotEmpty()
        .allSatisfy(
            field ->
                assertThat(field.getModifiers())
                    .as(field.getFullName())
                    .contains(JavaModifier.FINAL));
  }

  @Test
  void aClockOrChanceInWorkflowCodeIsFound() {
    JavaClasses bad = new ClassFileImporter().importClasses(Unreplayable.class);

    assertThatThrownBy(() -> REPLAYABLE.check(bad))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Instant.now()")
        .hasMessageContaining("UUID.randomUUID()")
        .hasMessageContaining("System.nanoTime()")
        .hasMessageContaining("ThreadLocalRandom.current()")
        .hasMessageContaining("java.util.Random");
  }

  /** Everything that workflow code must not do. */
  static final class Unreplayable {
    private Unreplayable() {}

    static String bad() {
      return Instant.now()
          + UUID.randomUUID().toString()
          + System.nanoTime()
          + ThreadLocalRandom.current().nextInt()
          + new Random().nextInt();
    }
  }
}
