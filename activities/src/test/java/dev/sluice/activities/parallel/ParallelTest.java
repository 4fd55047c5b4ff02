package dev.sluice.activities.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParallelTest {

  @Test
  void handsEveryResultToTheCallingThread() throws InterruptedException {
    Thread caller = Thread.currentThread();
    List<Integer> results = new ArrayList<>();

    Parallel.run(
        IntStream.range(0, 1_000).boxed().toList(),
        16,
        item -> item * 2,
        (item, result) -> {
          assertThat(Thread.currentThread()).isSameAs(caller);
          results.add(result);
        });

    assertThat(results)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 1_000).map(i -> i * 2).boxed().toList());
  }

  @Test
  void neverRunsMoreTasksThanAllowed() throws InterruptedException {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();

    Parallel.run(
        IntStream.range(0, 200).boxed().toList(),
        3,
        item -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          Thread.yield();
          return now.decrementAndGet();
        },
        (item, result) -> {});

    assertThat(most).hasValueLessThanOrEqualTo(3);
  }

  @Test
  void firstFailureInterruptsTheRestAndBeginsNothingMore() {
    AtomicInteger begun = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);

    assertThatThrownBy(
            () ->
                Parallel.run(
                    IntStream.range(0, 100).boxed().toList(),
                    2,
                    item -> {
                      begun.incrementAndGet();
                      if (item == 1) {
                        throw new IllegalStateException("item 1 is broken");
                      }
                      return awaitUninterrupted(never);
                    },
                    (item, result) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("item 1 is broken")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(begun).hasValue(2);
  }

  @Test
  void exceptionOfTheObserverStopsTheWork() {
    CountDownLatch never = new CountDownLatch(1);

    assertThatThrownBy(
            () ->
                Parallel.run(
                    List.of(0, 1, 2),
                    2,
                    item -> item == 0 ? 0 : awaitUninterrupted(never),
                    (item, result) -> {
                      throw new IllegalStateException("cancelled at " + item);
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("cancelled at 0");
  }

  @Test
  void interruptOfTheCallerInterruptsTheTasks() {
    CountDownLatch never = new CountDownLatch(1);
    Thread.currentThread().interrupt();

    assertThatThrownBy(
            () ->
                Parallel.run(
                    List.of(1, 2), 2, item -> awaitUninterrupted(never), (item, result) -> {}))
        .isInstanceOf(InterruptedException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void tasksOfDifferentKindsRunTogether() throws InterruptedException {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);

    Parallel.together(
        List.of(
            () -> {
              first.countDown();
              awaitUninterrupted(second);
            },
            () -> {
              second.countDown();
              awaitUninterrupted(first);
            }));

    assertThat(first.getCount() + second.getCount()).isZero();
  }

  private static int awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
      return 0;
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }
}
