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
import org.jooq.DSLContext;

/** Puts a scan plan together in one transaction. */
final class ScanPlanner {

  /** A flush may drop an inlined table while it is read; each try sees the newer state. */
  private static final int TRIES = 5;

  private ScanPlanner() {}

  static ScanPlan plan(LakeDatabase database, Snapshot snapshot, Table table, Predicate predicate) {
    Set<Long> columnIds = FilePruner.columnIds(table, predicate);
    for (int attempt = 1; ; attempt++) {
      try {
        return database.read(
            dsl -> plan(dsl, database.metadataSchema(), snapshot, table, predicate, columnIds));
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

  private static ScanPlan plan(
      DSLContext dsl,
      String metadataSchema,
      Snapshot snapshot,
      Table table,
      Predicate predicate,
      Set<Long> columnIds) {
    FileQueries queries = new FileQueries(dsl, snapshot.id(), table);
    InlinedQueries inlined = new InlinedQueries(dsl, metadataSchema, snapshot.id(), table);
    int live = queries.countLive();
    if (!columnIds.isEmpty()) {
      queries.leaveOut(predicate, columnIds, live);
    }
    List<ScanFile> files = queries.liveFiles(inlined.deletes());
    return new ScanPlan(
        snapshot,
        table,
        predicate,
        columnIds.isEmpty() ? files : pruned(files, queries, table, predicate, columnIds),
        inlined.rows(),
        live);
  }

  private static List<ScanFile> pruned(
      List<ScanFile> live,
      FileQueries queries,
      Table table,
      Predicate predicate,
      Set<Long> columnIds) {
    Map<Long, Set<ColumnType>> history = queries.typeHistory(columnIds);
    Map<Long, Map<Long, Statistics>> statistics = queries.statistics(columnIds);
    Map<Long, List<PartitionSpecs.Key>> specs = queries.partitionKeys();
    FilePruner pruner = new FilePruner(table, predicate, history);
    List<ScanFile> kept = new ArrayList<>();
    for (ScanFile file : live) {
      FileFacts facts =
          new FileFacts(
              file.recordCount(),
              statistics.getOrDefault(file.dataFileId(), Map.of()),
              PartitionSpecs.facts(file, specs));
      if (pruner.mayMatch(facts)) {
        kept.add(file);
      }
    }
    return kept;
  }
}
