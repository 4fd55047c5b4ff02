package dev.sluice.catalog.commit;

import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a caller that belong to a commit: some are read, and locked, before anything is decided,
 * others are written with the commit's own. Unlike a {@link CommitStep} it sends nothing itself:
 * what it asks and writes goes out with what the commit asks and writes anyway, and with that of
 * other requests. It is asked again when a transaction is tried again, so it keeps nothing.
 */
public interface Attachment {

  /** What it has to know. */
  Question question();

  /**
   * Judges, under the lock and before the changes are applied. An exception refuses the request,
   * leaves others alone, and reaches the caller untouched.
   *
   * @param answers rows of the question
   */
  void decide(List<? extends Record> answers);

  /** Says what is to be written, once the changes are applied. */
  void write(PlannedCommit commit, Rows rows);

  /**
   * A query for rows by their key. Questions that differ in nothing but their values become one.
   *
   * @param statement the query, as one that takes a row of values for each question
   * @param fields what it selects, in order; the first ones are the key
   * @param values the key, by which the rows of this question are told from those of others
   */
  record Question(
      RowStatement statement, List<Field<?>> fields, List<? extends @Nullable Object> values) {

    /** Copies the lists. */
    public Question {
      fields = List.copyOf(fields);
      values = List.copyOf(values);
    }
  }

  /** Takes what is to be written. */
  @FunctionalInterface
  interface Rows {
    /** Adds a row to a statement that takes any number of them; null is NULL. */
    void add(RowStatement statement, @Nullable Object... values);
  }
}
