package dev.sluice.catalog.commit;

import dev.sluice.catalog.commit.Attachment.Question;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * What the attachments of requests asked, one query for all questions of a kind. Holds as long as
 * nothing is written. Not thread-safe.
 */
final class Answers {

  private final Map<Kind, List<List<? extends @Nullable Object>>> questions = new LinkedHashMap<>();
  private final Map<Key, List<Record>> answers = new HashMap<>();

  private record Kind(RowStatement statement, List<Field<?>> fields) {
    static Kind of(Question question) {
      return new Kind(question.statement(), question.fields());
    }
  }

  private record Key(Kind kind, List<? extends @Nullable Object> values) {
    static Key of(Kind kind, int length, Record row) {
      return new Key(kind, row.intoList().subList(0, length));
    }
  }

  /** Adds the questions of a request. */
  void want(CommitRequest request) {
    for (Attachment attachment : request.attachments()) {
      Question question = attachment.question();
      questions.computeIfAbsent(Kind.of(question), any -> new ArrayList<>()).add(question.values());
    }
  }

  /** Adds all that is wanted to a round trip. */
  void ask(RoundTrip trip) {
    questions.forEach(
        (kind, values) ->
            kind.statement()
                .ask(
                    trip,
                    kind.fields(),
                    values,
                    rows -> rows.forEach(row -> add(kind, values.get(0).size(), row))));
  }

  private void add(Kind kind, int keyLength, Record row) {
    answers.computeIfAbsent(Key.of(kind, keyLength, row), any -> new ArrayList<>()).add(row);
  }

  /** The rows of a question that was asked. */
  List<? extends Record> to(Question question) {
    return answers.getOrDefault(new Key(Kind.of(question), question.values()), List.of());
  }
}
