package dev.sluice.activities.lake.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.lake.sequence.Sequence.Failure;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Steps that do nothing for a failure are left out. */
class ShrinkingTest {

  /** Fails at the first 7 that follows a 3. */
  private static void run(List<Long> steps) throws Failure {
    int three = steps.indexOf(3L);
    int seven = steps.indexOf(7L);
    if (three >= 0 && seven > three) {
      throw new Failure("script of " + steps, seven + 1, new AssertionError("7 after 3"));
    }
  }

  @Test
  void whatIsLeftIsWhatFails() {
    List<Long> steps = LongStream.range(0, 30).boxed().toList();
    Failure first = new Failure("script of all", 8, new AssertionError("7 after 3"));

    Failure smallest = new Shrinking(ShrinkingTest::run).shrink(steps, first);

    assertThat(smallest.steps()).isEqualTo(2);
    assertThat(smallest).hasMessage("script of [3, 7]");
  }

  @Test
  void aFailureThatDoesNotComeAgainStays() {
    Failure first = new Failure("script", 3, new AssertionError("once"));

    assertThat(new Shrinking(steps -> {}).shrink(List.of(1L, 2L, 3L), first)).isSameAs(first);
  }
}
