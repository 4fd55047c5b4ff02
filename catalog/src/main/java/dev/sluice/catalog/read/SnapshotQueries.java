package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT_CHANGES;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.SnapshotChange;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.OrderField;
import org.jooq.Record;
import org.jooq.SelectOnConditionStep;
import org.jooq.impl.DSL;

/** Reads {@code ducklake_snapshot}. */
final class SnapshotQueries {

  private SnapshotQueries() {}

  static Optional<Snapshot> latest(DSLContext dsl) {
    return first(dsl, DSL.noCondition(), DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.desc());
  }

  static Optional<Snapshot> earliest(DSLContext dsl) {
    return first(dsl, DSL.noCondition(), DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.asc());
  }

  static Optional<Snapshot> byId(DSLContext dsl, long id) {
    return first(dsl, DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.eq(id), DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.asc());
  }

  /** The newest one whose time is not after the given one; of equal times the higher id. */
  static Optional<Snapshot> at(DSLContext dsl, Instant time) {
    // the driver would round to PostgreSQL's microseconds, and so could take a later snapshot
    Instant micros = time.truncatedTo(ChronoUnit.MICROS);
    return first(
        dsl,
        DUCKLAKE_SNAPSHOT.SNAPSHOT_TIME.le(micros.atOffset(ZoneOffset.UTC)),
        DUCKLAKE_SNAPSHOT.SNAPSHOT_TIME.desc(),
        DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.desc());
  }

  /** The oldest one whose time is not before the given one; of equal times the lower id. */
  static Optional<Snapshot> since(DSLContext dsl, Instant time) {
    return first(
        dsl,
        DUCKLAKE_SNAPSHOT.SNAPSHOT_TIME.ge(
            time.plusNanos(999).truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC)),
        DUCKLAKE_SNAPSHOT.SNAPSHOT_TIME.asc(),
        DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.asc());
  }

  static List<SnapshotEntry> entries(DSLContext dsl) {
    return withChanges(dsl).orderBy(DUCKLAKE_SNAPSHOT.SNAPSHOT_ID).fetch(SnapshotQueries::entry);
  }

  static SnapshotListing newest(DSLContext dsl, int most) {
    List<SnapshotEntry> entries =
        withChanges(dsl)
            .orderBy(DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.desc())
            .limit(most)
            .fetch(SnapshotQueries::entry);
    Set<Long> ids =
        entries.stream()
            .flatMap(entry -> entry.changes().stream())
            .map(SnapshotChange::id)
            .filter(Objects::nonNull)
            .collect(Collectors.toSet());
    return new SnapshotListing(
        entries, dsl.fetchCount(DUCKLAKE_SNAPSHOT), ObjectNames.of(dsl, ids));
  }

  private static SelectOnConditionStep<Record> withChanges(DSLContext dsl) {
    return dsl.select()
        .from(DUCKLAKE_SNAPSHOT)
        .leftJoin(DUCKLAKE_SNAPSHOT_CHANGES)
        .on(DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID.eq(DUCKLAKE_SNAPSHOT.SNAPSHOT_ID));
  }

  private static SnapshotEntry entry(Record row) {
    return new SnapshotEntry(
        snapshot(row),
        SnapshotChange.parse(row.get(DUCKLAKE_SNAPSHOT_CHANGES.CHANGES_MADE)),
        row.get(DUCKLAKE_SNAPSHOT_CHANGES.AUTHOR),
        row.get(DUCKLAKE_SNAPSHOT_CHANGES.COMMIT_MESSAGE),
        row.get(DUCKLAKE_SNAPSHOT_CHANGES.COMMIT_EXTRA_INFO));
  }

  private static Optional<Snapshot> first(
      DSLContext dsl, Condition condition, OrderField<?>... order) {
    return dsl.selectFrom(DUCKLAKE_SNAPSHOT)
        .where(condition)
        .orderBy(order)
        .limit(1)
        .fetchOptional(SnapshotQueries::snapshot);
  }

  private static Snapshot snapshot(Record row) {
    return new Snapshot(
        row.get(DUCKLAKE_SNAPSHOT.SNAPSHOT_ID),
        row.get(DUCKLAKE_SNAPSHOT.SNAPSHOT_TIME).toInstant(),
        row.get(DUCKLAKE_SNAPSHOT.SCHEMA_VERSION),
        row.get(DUCKLAKE_SNAPSHOT.NEXT_CATALOG_ID),
        row.get(DUCKLAKE_SNAPSHOT.NEXT_FILE_ID));
  }
}
