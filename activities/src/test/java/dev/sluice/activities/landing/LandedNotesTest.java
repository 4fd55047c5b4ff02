package dev.sluice.activities.landing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LandedNotesTest {

  @Test
  void everythingIsWrittenOnceAndInOrder() throws InterruptedException {
    List<String> written = new ArrayList<>();
    List<String> added = IntStream.range(0, 20_000).mapToObj(i -> "file-" + i).toList();

    try (LandedNotes<String> notes = new LandedNotes<>(written::addAll, () -> {})) {
      added.forEach(notes::add);
      notes.finish();
    }

    assertThat(written).isEqualTo(added);
  }

  @Test
  void copyingGoesOnWhileTheLedgerIsSlow() throws InterruptedException {
    List<List<String>> batches = new ArrayList<>();
    CountDownLatch answer = new CountDownLatch(1);

    try (LandedNotes<String> notes =
        new LandedNotes<>(
            batch -> {
              await(answer);
              batches.add(batch);
            },
            () -> {})) {
      // with a ledger that blocked its caller, the second batch would never be added
      IntStream.range(0, 3 * LandedNotes.NOTED_AT_ONCE).forEach(i -> notes.add("file-" + i));
      answer.countDown();
      notes.finish();
    }

    assertThat(batches.stream().mapToInt(List::size).sum())
        .isEqualTo(3 * LandedNotes.NOTED_AT_ONCE);
  }

  @Test
  void aFewFilesAreWrittenWithoutWaitingForMore() throws InterruptedException {
    CountDownLatch written = new CountDownLatch(1);

    try (LandedNotes<String> notes = new LandedNotes<>(batch -> written.countDown(), () -> {})) {
      notes.add("single");
      written.await();
      notes.finish();
    }
  }

  @Test
  void aFailureReachesTheCallerAndEndsTheNotes() {
    try (LandedNotes<String> notes =
        new LandedNotes<>(
            batch -> {
              throw new IllegalStateException("overtaken");
            },
            () -> {})) {
      notes.add("file");

      assertThatThrownBy(notes::finish)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("overtaken");
      assertThatThrownBy(() -> notes.add("another"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("overtaken");
    }
  }

  @Test
  void whatWasLandedBeforeAnotherFailureIsStillWritten() {
    List<String> written = new ArrayList<>();

    assertThatThrownBy(
            () -> {
              try (LandedNotes<String> notes = new LandedNotes<>(written::addAll, () -> {})) {
                notes.add("file");
                throw new IllegalStateException("a copy failed");
              }
            })
        .hasMessage("a copy failed");

    assertThat(written).containsExactly("file");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the ledger", e);
    }
  }
}
