package dev.sluice.activities.verify;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.parquet.ParquetRefusedException;
import dev.sluice.activities.query.EngineLimits;
import dev.sluice.activities.query.FileTable;
import dev.sluice.activities.query.FileTableReader;
import dev.sluice.activities.query.QueryException;
import dev.sluice.activities.query.TableFacts.Wanted;
import dev.sluice.activities.query.TableQueries;
import dev.sluice.catalog.PartitionKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The checks that look inside: everything but the counts. The source's own files are compared with
 * the landed objects as they will be registered. All checks run and all results are kept. One run
 * each; it can be cancelled from any thread.
 */
public final class Verification {

  private final CheckPlan plan;
  private final SourceSide source;
  private final Side landed;
  private final List<PartitionKey> partitioning;
  private final QueryParameters parameters;
  private final EngineLimits limits;
  private final CheckMaker maker;
  private final AtomicReference<@Nullable Runnable> cancelling = new AtomicReference<>();
  private volatile boolean cancelled;

  /**
   * A run.
   *
   * @param landed what will be registered
   * @param partitioning its partition keys
   * @param parameters what queries may bind
   * @param limits of each DuckDB; its folder takes copies of the source's files as well
   */
  public Verification(
      CheckPlan plan,
      SourceSide source,
      Side landed,
      List<PartitionKey> partitioning,
      QueryParameters parameters,
      EngineLimits limits) {
    this.plan = Objects.requireNonNull(plan, "plan");
    this.source = source;
    this.landed = landed;
    this.partitioning = List.copyOf(partitioning);
    this.parameters = parameters;
    this.limits = limits;
    this.maker = new CheckMaker(plan);
  }

  /**
   * Runs all checks.
   *
   * @throws QueryException when a file could not be fetched for a reason that may pass, or the run
   *     was cancelled; what is wrong with the data is a result
   * @throws ParquetRefusedException when the source's files do not fit together
   */
  public List<CheckResult> run() {
    Side from = source.side(landed.columns(), limits.folder().resolve("source"));
    List<CheckResult> results = new ArrayList<>();
    if (plan.depth().includes(Depth.COLUMNS)) {
      results.addAll(compared(from));
    }
    if (!plan.queries().isEmpty()) {
      results.addAll(queried(from));
    }
    return results;
  }

  private List<CheckResult> compared(Side from) {
    ColumnChecks columns = new ColumnChecks(plan, from, landed, partitioning, maker);
    Wanted open = columns.wanted();
    boolean content = plan.depth().includes(Depth.CONTENT);
    Wanted wanted =
        new Wanted(
            content ? landed.columns() : List.of(),
            open.nulls(),
            open.ranges(),
            open.distinct(),
            open.groups());
    Reading fromSource = read(from, wanted);
    Reading fromLanded = read(landed, wanted);
    List<CheckResult> results = new ArrayList<>();
    results.add(SchemaCheck.compare(source.columns(landed.columns()), landed.columns(), maker));
    results.addAll(columns.results(wanted, fromSource, fromLanded));
    if (content) {
      results.addAll(ContentChecks.results(landed.columns(), fromSource, fromLanded, maker));
    }
    return results;
  }

  private Reading read(Side side, Wanted wanted) {
    if (wanted.isNothing()) {
      return new Reading(wanted.ofNoRows(), null);
    }
    return Reading.of(
        () -> {
          try (FileTableReader reader =
              FileTableReader.open(side.table(), limitsOf("reading-" + side.name()))) {
            cancellable(reader::cancel);
            return reader.read(wanted);
          } catch (QueryException e) {
            source.onFailure(e);
            throw e;
          } finally {
            cancelling.set(null);
          }
        });
  }

  private List<CheckResult> queried(Side from) {
    Map<String, FileTable> tables = new LinkedHashMap<>();
    tables.put(SqlCheck.SOURCE, from.table());
    tables.put(SqlCheck.LANDED, landed.table());
    try (TableQueries queries = TableQueries.open(tables, limitsOf("queries"))) {
      cancellable(queries::cancel);
      QueryChecks checks = new QueryChecks(queries, parameters);
      return plan.queries().stream().map(checks::run).toList();
    } catch (QueryException e) {
      source.onFailure(e);
      String error = Reading.finding(e);
      return plan.queries().stream().map(check -> QueryChecks.failed(check, error)).toList();
    } finally {
      cancelling.set(null);
    }
  }

  private EngineLimits limitsOf(String use) {
    Path folder = limits.folder().resolve(use.replace(' ', '-'));
    return new EngineLimits(limits.memoryBytes(), folder);
  }

  private void cancellable(Runnable cancel) {
    cancelling.set(cancel);
    if (cancelled) {
      cancel.run();
    }
  }

  /** Ends the run soon, by an exception in its thread. */
  public void cancel() {
    cancelled = true;
    Runnable cancel = cancelling.get();
    if (cancel != null) {
      cancel.run();
    }
  }
}
