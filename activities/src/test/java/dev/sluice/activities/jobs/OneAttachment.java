package dev.sluice.activities.jobs;

import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Attachment;
import dev.sluice.catalog.commit.Attachment.Question;
import dev.sluice.catalog.commit.PlannedCommit;
import java.util.Optional;
import org.jooq.DSLContext;

/** An attachment in a transaction without a commit around it: what the catalog does with one. */
record OneAttachment(long snapshotId, Optional<Long> tableId) implements PlannedCommit {

  static final OneAttachment OF_TABLE_42 = new OneAttachment(7, Optional.of(42L));

  void run(DSLContext dsl, Attachment attachment) {
    Question question = attachment.question();
    attachment.decide(
        dsl.resultQuery(question.statement().sql(1), question.values().toArray())
            .coerce(question.fields())
            .fetch());
    attachment.write(this, (statement, values) -> dsl.execute(statement.sql(1), values));
  }

  @Override
  public String lake() {
    return "lake_main";
  }

  @Override
  public Optional<Long> tableId(TableName name) {
    return tableId;
  }

  @Override
  public Optional<String> replacedForeign(TableName name) {
    return Optional.empty();
  }
}
