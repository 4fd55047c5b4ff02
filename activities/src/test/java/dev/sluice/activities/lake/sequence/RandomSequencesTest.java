package dev.sluice.activities.lake.sequence;

import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeSession;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random sequences of 30 operations each, by fixed seeds. A usual run takes a few of them; {@code
 * -Dsluice.sequences.from=0 -Dsluice.sequences=200} takes those of seeds 0 to 199. One that fails
 * is shrunk, and its script is the message.
 */
class RandomSequencesTest {

  /** What two minutes are enough for on two cores: seeds from here. */
  private static final int USUALLY_FROM = 61;

  private static final int USUALLY = 71;

  private static final int STEPS = 30;

  @TempDir static Path folder;
  private static DuckLakeSession duckDb;
  private static final AtomicInteger lakes = new AtomicInteger();

  @BeforeAll
  static void openDuckDb() throws SQLException {
    DuckDbReferee.assumeAvailable();
    duckDb = DuckLakeSession.open();
  }

  @AfterAll
  static void closeDuckDb() throws SQLException {
    if (duckDb != null) {
      duckDb.close();
    }
  }

  static LongStream seeds() {
    long from = Long.getLong("sluice.sequences.from", USUALLY_FROM);
    return LongStream.range(from, Long.getLong("sluice.sequences", USUALLY));
  }

  private static void run(List<Long> steps) throws Sequence.Failure {
    Sequence.run(duckDb, folder.resolve("lake-" + lakes.incrementAndGet()), steps);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyoneReadsTheSameRowsAtEverySnapshot(long seed) {
    List<Long> steps = new Random(seed).longs(STEPS).boxed().toList();
    try {
      run(steps);
    } catch (Sequence.Failure failure) {
      Sequence.Failure smallest = new Shrinking(RandomSequencesTest::run).shrink(steps, failure);
      throw new AssertionError(
          "seed %d, shrunk from %d steps to %d:%n%s"
              .formatted(seed, failure.steps(), smallest.steps(), smallest.getMessage()),
          smallest);
    }
  }
}
