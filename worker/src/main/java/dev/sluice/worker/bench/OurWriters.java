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
import java.util.concurrent.atomic.AtomicLong;
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
   * Publishes generations of one file of one row, each writer to its own table, as the register
   * path does: the fence is taken and the landing noted first, then compared and recorded in the
   * publishing transaction.
   */
  List<WriterCrowd.Writer> publishing(int writers) {
    Publisher publisher = new Publisher(catalog);
    return IntStream.range(0, writers)
        .<WriterCrowd.Writer>mapToObj(
            writer -> {
              Target target = new Target(catalog.info().key(), SCHEMA, "publish_" + writer);
              SourceRef source = new SourceRef(1, target.table());
              AtomicLong orders = new AtomicLong();
              return round -> publisher.publish(verified(target, source, orders.incrementAndGet()));
            })
        .toList();
  }

  private Generation verified(Target target, SourceRef source, long order) {
    AttemptRef attempt = new AttemptRef("job:" + order, 1);
    LandingLedger.Key landing =
        new LandingLedger.Key(target.lake(), "%s/%d/".formatted(target.table(), order));
    NewDataFile landed = stored(new TableName(target.schema(), target.table()));
    state.write(
        dsl -> {
          Fences.claim(dsl, target, attempt, order);
          LandingLedger.open(dsl, landing, source, "generation " + order, target);
          LandingLedger.advance(dsl, landing, LandingLedger.LandingState.VERIFIED);
          return landing;
        });
    return new Generation(
        target,
        new AttemptKey(WorkflowPath.REGISTER, source, attempt),
        "job",
        "generation " + order,
        ProducerOrder.deltaVersion(order),
        landing,
        new Inspection(COLUMNS, List.of(), List.of(landed), 0),
        Change.SchemaPolicy.SYNC,
        Change.ForeignContent.REFUSE,
        null);
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
