package dev.sluice.worker.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.publish.Generation;
import dev.sluice.activities.publish.Publisher;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Our writers: threads of one worker that share one catalog, as activities do. Each commit first
 * stores the file that it registers, since the extension writes one as well.
 */
final class OurWriters implements AutoCloseable {

  private static final String METADATA_SCHEMA = "public";
  private static final String SCHEMA = "bench";
  private static final int POOL = 4;
  private static final List<ColumnSpec> COLUMNS =
      List.of(
          ColumnSpec.of("id", ColumnType.Scalar.INT64),
          ColumnSpec.of("name", ColumnType.Scalar.VARCHAR));

  private final HikariDataSource pool;
  private final Catalog catalog;
  private final StateDatabase state;
  private final ObjectStore store;
  private final byte[] file;

  /**
   * Makes the lake.
   *
   * @param file content of every file: one row of {@code id} and {@code name}
   */
  OurWriters(BenchStack stack, byte[] file) {
    StorageLocation root = stack.location("our-lake");
    this.file = file;
    this.store = stack.stores().open(root);
    var database = stack.database(BenchStack.OURS);
    Catalog.create(database.dataSource(), METADATA_SCHEMA, root.uri());
    this.pool = database.dataSource(POOL);
    this.catalog = Catalog.open(pool, METADATA_SCHEMA);
    this.state = new StateDatabase("benchmark database", pool);
    catalog.commit(request(List.of(new Change.CreateSchema(SCHEMA, Change.IfExists.REFUSE))));
  }

  /** Appends one file of one row per commit, each writer to its own table. */
  List<WriterCrowd.Writer> appending(int writers) {
    return IntStream.range(0, writers)
        .<WriterCrowd.Writer>mapToObj(
            writer -> {
              TableName table = new TableName(SCHEMA, "append_" + writer);
              catalog.commit(
                  request(
                      List.of(
                          new Change.CreateTable(
                              table, COLUMNS, List.of(), Change.IfExists.REFUSE))));
              return round ->
                  catalog.commit(
                      request(
                          List.of(
                              new Change.AddDataFiles(
                                  new TableRef.ByName(table), List.of(stored(table))))));
            })
        .toList();
  }

  /**
   * Publishes one file of one row per commit, each writer to its own table, as the register path
   * does: the fence is compared and advanced, the publication recorded and the landing marked in
   * the same transaction. What happens before a publication, taking the fence and noting the
   * landing, is done ahead.
   */
  List<WriterCrowd.Writer> publishing(int writers) {
    Publisher publisher = new Publisher(catalog);
    return IntStream.range(0, writers)
        .mapToObj(writer -> new Generations("publish_" + writer))
        .<WriterCrowd.Writer>map(generations -> round -> publisher.publish(generations.next()))
        .toList();
  }

  /** Verified generations of one table, one newer than the other. Used by one writer. */
  private final class Generations {

    private static final int AHEAD = 512;

    private final Target target;
    private final AttemptRef attempt = new AttemptRef("benchmark", 1);
    private long order;
    private long noted;

    Generations(String table) {
      this.target = new Target(catalog.info().key(), SCHEMA, table);
      state.write(
          dsl -> {
            Fences.claim(dsl, target, attempt, 1);
            return target;
          });
      noteLandings();
    }

    Generation next() {
      order++;
      if (order > noted) {
        noteLandings();
      }
      return new Generation(
          target,
          new AttemptKey(WorkflowPath.REGISTER, source(order), attempt),
          "job",
          token(order),
          ProducerOrder.deltaVersion(order),
          landing(order),
          new Inspection(
              COLUMNS,
              List.of(),
              List.of(stored(new TableName(target.schema(), target.table()))),
              0),
          Change.SchemaPolicy.SYNC,
          Change.ForeignContent.REFUSE,
          null);
    }

    private void noteLandings() {
      noted =
          state.write(
              dsl -> {
                for (long each = noted + 1; each <= noted + AHEAD; each++) {
                  LandingLedger.open(dsl, landing(each), source(each), token(each), target);
                  LandingLedger.advance(dsl, landing(each), LandingLedger.LandingState.VERIFIED);
                }
                return noted + AHEAD;
              });
    }

    /** A source each, since the same try of the same source would be the same publication. */
    private SourceRef source(long number) {
      return new SourceRef(1, "%s-%d".formatted(target.table(), number));
    }

    private LandingLedger.Key landing(long number) {
      return new LandingLedger.Key(target.lake(), "%s/%d/".formatted(target.table(), number));
    }

    private static String token(long number) {
      return "generation " + number;
    }
  }

  /**
   * Publishes one file of one row per commit, all writers to the same table. Without fences, which
   * let one attempt of a table publish at a time: this is about the catalog alone.
   */
  List<WriterCrowd.Writer> publishingOneTable(int writers) {
    return IntStream.range(0, writers)
        .mapToObj(writer -> publisher(new TableName(SCHEMA, "publish_one")))
        .toList();
  }

  private WriterCrowd.Writer publisher(TableName table) {
    return round ->
        catalog.commit(
            request(
                List.of(
                    new Change.ReplaceContent(
                        table,
                        COLUMNS,
                        List.of(),
                        List.of(stored(table)),
                        Change.SchemaPolicy.SYNC,
                        Change.ForeignContent.REFUSE,
                        null))));
  }

  /** The newest snapshot's id: one more with every commit. */
  long newestSnapshot() {
    return catalog.reader().latest().id();
  }

  private NewDataFile stored(TableName table) {
    String key = table.schema() + "/" + table.table() + "/" + UUID.randomUUID() + ".parquet";
    store.put(key, file);
    return new NewDataFile(
        store.uri(key),
        1,
        file.length,
        null,
        new FileMapping.ByName(
            COLUMNS.stream()
                .map(
                    column ->
                        new FileMapping.MappedField(
                            column.name(),
                            column.name(),
                            FileMapping.Origin.FILE_COLUMN,
                            List.of()))
                .toList()),
        List.of(),
        List.of(
            new LeafStatistics(List.of("id"), 50, 1L, 0L, "1", "1", null, null),
            new LeafStatistics(List.of("name"), 50, 1L, 0L, "one", "one", null, null)));
  }

  private static CommitRequest request(List<Change> changes) {
    return CommitRequest.of("benchmark", new CommitRequest.Base.Newest(), changes)
        .withKey(UUID.randomUUID().toString());
  }

  @Override
  public void close() {
    pool.close();
  }
}
