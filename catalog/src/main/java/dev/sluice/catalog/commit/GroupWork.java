package dev.sluice.catalog.commit;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.commit.CommitResult.Outcome;
import dev.sluice.catalog.commit.GroupCommit.Pending;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jooq.exception.DataAccessException;

/**
 * The requests of one transaction. Those that touch nothing in common make a batch: what they need
 * to know is read in one round trip, each is planned in memory on top of the one before, and what
 * they write goes out in one round trip. A request that cannot be foretold (it changes layouts or
 * was planned on a snapshot) is a batch by itself. Used once.
 */
final class GroupWork {

  private static final int ONCE = 1;

  private final OpenTransaction transaction;
  private final GoodNeighbour neighbour;
  private final Map<String, Long> committed;
  private final Deque<Pending> waiting = new ArrayDeque<>();
  private final List<Made> batch = new ArrayList<>();
  private Snapshot newest;
  private boolean claimed;
  private boolean written;

  private record Made(Pending pending, CommitAttempt attempt, Snapshot snapshot) {}

  /**
   * Prepares the work.
   *
   * @param newest the newest snapshot, read under the lock
   * @param committed snapshots by idempotency key, of those requests that are done already
   */
  GroupWork(
      OpenTransaction transaction,
      GoodNeighbour neighbour,
      Snapshot newest,
      Map<String, Long> committed) {
    this.transaction = transaction;
    this.neighbour = neighbour;
    this.newest = newest;
    this.committed = new HashMap<>(committed);
  }

  /**
   * Gives every request its result or its refusal.
   *
   * @return whether there is anything to commit
   * @throws RuntimeException when the transaction is spoilt for all of them
   */
  boolean run(List<Pending> group) {
    waiting.addAll(group);
    waiting.removeIf(this::isDone);
    while (!waiting.isEmpty()) {
      transaction.cache().buildOn(newest);
      runBatch();
      // an earlier one may have had the same key
      waiting.removeIf(this::isDone);
    }
    return written;
  }

  /** The newest snapshot now. */
  Snapshot newest() {
    return newest;
  }

  /** Answers a request whose key has a snapshot, made earlier or in this transaction. */
  private boolean isDone(Pending pending) {
    String key = pending.request().idempotencyKey();
    Long snapshot = key == null ? null : committed.get(key);
    if (snapshot == null) {
      return false;
    }
    pending.succeeded(new CommitResult(snapshot, Outcome.ALREADY_COMMITTED, ONCE));
    return true;
  }

  private void runBatch() {
    Footprint print = new Footprint(transaction.cache());
    List<Pending> together = nextBatch(print);
    StoredFacts facts = new StoredFacts(transaction);
    Answers answers = new Answers();
    together.forEach(pending -> answers.want(pending.request()));
    if (!readAhead(print, facts, answers)) {
      return;
    }
    Snapshot base = newest;
    for (Pending pending : together) {
      if (newest.schemaVersion() != base.schemaVersion()) {
        // its layouts have to be read again, and they are not written yet
        break;
      }
      waiting.remove(pending);
      plan(pending, facts, answers);
    }
    write(base);
  }

  private List<Pending> nextBatch(Footprint print) {
    List<Pending> together = new ArrayList<>();
    for (Pending pending : waiting) {
      CommitRequest request = pending.request();
      Footprint its = Footprint.of(request, transaction.cache());
      boolean foretold = its.isWhole() && request.base() instanceof CommitRequest.Base.Newest;
      if (!together.isEmpty() && !(foretold && its.isDisjointFrom(print))) {
        return together;
      }
      together.add(pending);
      print.addAll(its);
      if (!foretold) {
        return together;
      }
    }
    return together;
  }

  /**
   * Reads under a claimed snapshot, so that nobody can change what is read.
   *
   * @return false when a foreign writer was faster: what was read, and what was foretold, is void
   */
  private boolean readAhead(Footprint print, StoredFacts facts, Answers answers) {
    RoundTrip trip = transaction.roundTrip();
    if (!claimed) {
      trip.change(SnapshotRows.claim(transaction.dsl(), newest), rows -> claimed = rows == 1);
    }
    answers.ask(trip);
    print.ask(trip, facts, transaction);
    trip.run();
    if (!claimed) {
      newest = SnapshotRows.newest(transaction);
      transaction.cache().begin(newest);
      transaction.own().clear();
    }
    return claimed;
  }

  private void plan(Pending pending, StoredFacts facts, Answers answers) {
    CommitRequest request = pending.request();
    try {
      CommitAttempt attempt = new CommitAttempt(transaction, facts, answers, request, newest);
      if (!attempt.plan()) {
        pending.succeeded(new CommitResult(newest.id(), Outcome.NOTHING_TO_DO, ONCE));
        return;
      }
      newest = attempt.made();
      batch.add(new Made(pending, attempt, newest));
    } catch (DataAccessException spoilt) {
      throw spoilt;
    } catch (RuntimeException refusal) {
      // it has written nothing, so the others need not care
      pending.failed(refusal);
    }
  }

  /** Writes the batch and has it counted, runs what comes after, and records it last. */
  private void write(Snapshot base) {
    if (batch.isEmpty()) {
      return;
    }
    Writes writes = new Writes();
    Writes records = new Writes();
    Verification verification = new Verification();
    for (Made made : batch) {
      writes.addAll(made.attempt().writes());
      records.addAll(made.attempt().record());
      made.attempt().expect(verification);
      if (written) {
        SnapshotRows.add(records, transaction.lake().key(), made.snapshot());
      } else {
        SnapshotRows.complete(records, transaction.lake().key(), made.snapshot());
      }
      written = true;
    }
    boolean steps = batch.stream().anyMatch(made -> made.attempt().hasStepsAfter());
    if (!steps) {
      writes.addAll(records);
    }
    RoundTrip trip = writes.send(transaction);
    verification.ask(trip, transaction.dsl(), base, newest);
    if (waiting.isEmpty()) {
      // the locks of all sessions are dear to list, and this is the last that is sent
      neighbour.askForLosers(trip, transaction.dsl());
    }
    trip.run();
    verification.check();
    if (steps) {
      batch.forEach(made -> made.attempt().runAfter());
      records.send(transaction).run();
    }
    batch.forEach(this::succeeded);
    batch.clear();
  }

  private void succeeded(Made made) {
    long id = made.snapshot().id();
    made.pending().succeeded(new CommitResult(id, Outcome.COMMITTED, ONCE));
    String key = made.pending().request().idempotencyKey();
    if (key != null) {
      committed.put(key, id);
    }
  }
}
