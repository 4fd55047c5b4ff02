package dev.sluice.activities.jobs;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import dev.sluice.activities.jobs.LandingLedger.LandingState;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Attachment;
import dev.sluice.catalog.commit.PlannedCommit;
import dev.sluice.catalog.commit.RowStatement;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.Field;
import org.jooq.Record;

/**
 * The record of a publication, as part of the commit that publishes: its row, and the landing that
 * is the lake's from now on. Whatever changed the landing since it was seen verified, nothing
 * unverified is published. Immutable.
 */
public final class PublicationRecord implements Attachment {

  private static final Field<String> LAKE = field(name("lake"), String.class);
  private static final Field<String> LANDING_ID = field(name("landing_id"), String.class);
  private static final Field<String> STATE = field(name("state"), String.class);

  private static final RowStatement LOCKED_LANDINGS =
      new RowStatement(
          "SELECT lake, landing_id, state FROM sluice.landing WHERE (lake, landing_id) IN (",
          "(?, ?)",
          // always in the same order, so that nobody waits for each other
          ") ORDER BY lake, landing_id FOR UPDATE");

  private static final RowStatement PUBLISH_LANDINGS =
      new RowStatement(
          "UPDATE sluice.landing AS landing SET state = '%s', reason = NULL, updated_at = now()"
                  .formatted(LandingState.PUBLISHED.word())
              + " FROM (VALUES ",
          "(?, ?)",
          ") AS published (lake, landing_id) WHERE landing.lake = published.lake"
              + " AND landing.landing_id = published.landing_id");

  private final LandingLedger.Key landing;
  private final TableName table;
  private final Function<Made, Publication> publication;

  /**
   * What the commit made of the table.
   *
   * @param snapshotId the snapshot that is made
   * @param tableId the table
   * @param replaced what others had done to the table and is dropped, in words; empty for nothing
   */
  public record Made(long snapshotId, long tableId, Optional<String> replaced) {}

  /**
   * Records a publication.
   *
   * @param landing whose files are published
   * @param table the table in the lake
   * @param publication the row to write, once it is known what the commit makes
   */
  public PublicationRecord(
      LandingLedger.Key landing, TableName table, Function<Made, Publication> publication) {
    this.landing = landing;
    this.table = table;
    this.publication = publication;
  }

  @Override
  public Question question() {
    return new Question(
        LOCKED_LANDINGS,
        List.of(LAKE, LANDING_ID, STATE),
        List.of(landing.lake(), landing.landingId()));
  }

  /**
   * Refuses a landing that is not verified.
   *
   * @throws StateException of kind {@code ATTEMPT_FENCED}
   */
  @Override
  public void decide(List<? extends Record> answers) {
    String state = answers.stream().map(row -> row.get(STATE)).findFirst().orElse("unknown");
    if (!LandingState.VERIFIED.word().equals(state)) {
      throw StateErrors.notVerified(landing.landingId(), state);
    }
  }

  @Override
  public void write(PlannedCommit commit, Rows rows) {
    Publications.add(
        rows,
        publication.apply(
            new Made(
                commit.snapshotId(),
                commit.tableId(table).orElseThrow(),
                commit.replacedForeign(table))));
    rows.add(PUBLISH_LANDINGS, landing.lake(), landing.landingId());
  }
}
