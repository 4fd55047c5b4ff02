package dev.sluice.catalog.read;

import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.error.LakeRefusedException;
import dev.sluice.catalog.error.SqlStates;
import dev.sluice.catalog.internal.LakeDatabase;
import dev.sluice.catalog.read.FileFacts.Statistics;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;

/** Puts a scan plan together in one transaction. */
final class ScanPlanner {

  /** A flush may drop an inlined table while it is read; each try sees the newer state. */
  private static final int TRIES = 5;

  private ScanPlanner() {}

  /** The plan, with as little fetched for it as can be. */
  static ScanPlan plan(LakeDatabase database, Snapshot snapshot, Table table, Predicate predicate) {
    return plan(database, snapshot, table, predicate, Look.CANDIDATES).plan();
  }

  /** The same plan, with every file looked at that it leaves out. */
  static ScanExplanation explain(
      LakeDatabase database, Snapshot snapshot, Table table, Predicate predicate) {
    return plan(database, snapshot, table, predicate, Look.ALL);
  }

  private static ScanExplanation plan(
      LakeDatabase database, Snapshot snapshot, Table table, Predicate predicate, Look look) {
    Set<Long> columnIds = FilePruner.columnIds(table, predicate);
    return reading(
        database,
        table,
        dsl -> plan(dsl, database.metadataSchema(), snapshot, table, predicate, columnIds, look));
  }

  /** Reads what inlined tables take part in, in one transaction. */
  static <T> T reading(LakeDatabase database, Table table, Function<DSLContext, T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return database.read(work);
      } catch (LakeRefusedException e) {
        if (!isMissingTable(e)) {
          throw e;
        }
        if (attempt == TRIES) {
          throw ReadErrors.tablesKeepMissing(table.name(), TRIES, e);
        }
      }
    }
  }

  private static boolean isMissingTable(LakeRefusedException refusal) {
    return refusal.getCause() instanceof SQLException sql
        && SqlStates.meaning(sql) == SqlStates.Meaning.MISSING_TABLE;
  }

  private static ScanExplanation plan(
      DSLContext dsl,
      String metadataSchema,
      Snapshot snapshot,
      Table table,
      Predicate predicate,
      Set<Long> columnIds,
      Look look) {
    FileQueries queries = new FileQueries(dsl, snapshot.id(), table);
    InlinedQueries inlined = new InlinedQueries(dsl, metadataSchema, snapshot.id(), table);
    Map<Long, Set<ColumnType>> history =
        columnIds.isEmpty() ? Map.of() : queries.typeHistory(columnIds);
    boolean narrowed = look == Look.CANDIDATES && !columnIds.isEmpty();
    int counted = narrowed ? queries.countLive() : 0;
    if (narrowed) {
      queries.leaveOut(predicate, history, counted);
    }
    List<ScanFile> found = queries.files(inlined.deletes());
    int live = narrowed ? counted : found.size();
    List<SkippedFile> skipped = new ArrayList<>();
    List<ScanFile> kept =
        columnIds.isEmpty() ? found : kept(found, queries, table, predicate, history, skipped);
    ScanPlan plan = new ScanPlan(snapshot, table, predicate, kept, inlined.rows(), live);
    return new ScanExplanation(plan, skipped);
  }

  private static List<ScanFile> kept(
      List<ScanFile> live,
      FileQueries queries,
      Table table,
      Predicate predicate,
      Map<Long, Set<ColumnType>> history,
      List<SkippedFile> skipped) {
    Map<Long, Map<Long, Statistics>> statistics = queries.statistics(history.keySet());
    Map<Long, List<PartitionSpecs.Key>> specs = queries.partitionKeys();
    FilePruner pruner = new FilePruner(table, predicate, history);
    List<ScanFile> kept = new ArrayList<>();
    for (ScanFile file : live) {
      FileFacts facts =
          new FileFacts(
              file.recordCount(),
              statistics.getOrDefault(file.dataFileId(), Map.of()),
              PartitionSpecs.facts(file, specs));
      List<SkipReason> reasons = pruner.ruledOut(facts);
      if (reasons.isEmpty()) {
        kept.add(file);
      } else {
        skipped.add(new SkippedFile(file, reasons));
      }
    }
    return kept;
  }

  /** Which live files are fetched. */
  private enum Look {
    /** Those that the database itself does not rule out. */
    CANDIDATES,
    ALL
  }
}
