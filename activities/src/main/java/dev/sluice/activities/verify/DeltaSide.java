package dev.sluice.activities.verify;

import dev.sluice.activities.delta.ColumnMapping;
import dev.sluice.activities.delta.DeletionVector;
import dev.sluice.activities.delta.DeltaColumn;
import dev.sluice.activities.delta.DeltaDeletes;
import dev.sluice.activities.delta.DeltaException;
import dev.sluice.activities.parquet.HivePath;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.SourceColumn;
import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.QueryException;
import dev.sluice.activities.query.TableFile;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Nested;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A version of a Delta table as the source of a generation: its own files, whose columns are found
 * as the log says, without the rows that its deletion vectors delete, and with partition values of
 * the log. Nothing of what landing noted is used: a file that was landed written anew is read as it
 * was.
 */
final class DeltaSide implements SourceSide {

  /** What copies of an S3 table's files take on this machine while a batch of them is read. */
  private static final long COPY_BYTES = 1L << 30;

  private final ObjectStore table;
  private final ColumnMapping mapping;
  private final List<DeltaColumn> columns;
  private final List<File> files;
  private final Consumer<Exception> failed;

  /**
   * A version.
   *
   * @param table the table's folder
   * @param mapping how columns are found in its files
   * @param columns its columns, partition columns included
   * @param files its files
   * @param failed told when reading failed; throws when that is because files went away
   */
  DeltaSide(
      ObjectStore table,
      ColumnMapping mapping,
      List<DeltaColumn> columns,
      List<File> files,
      Consumer<Exception> failed) {
    this.table = table;
    this.mapping = mapping;
    this.columns = List.copyOf(columns);
    this.files = List.copyOf(files);
    this.failed = failed;
  }

  /**
   * A file of the version.
   *
   * @param logged as the log has it
   * @param footer its footer
   */
  record File(LoggedFile logged, ParquetFile footer) {}

  @Override
  public List<ColumnSpec> columns(List<Column> landed) {
    return columns.stream().map(DeltaColumn::spec).toList();
  }

  @Override
  public Side side(List<Column> landed, Path scratch) {
    List<SourceColumn> wanted = new ArrayList<>();
    for (Column column : landed) {
      find(columns, column.name()).ifPresent(known -> wanted.add(source(column, known)));
    }
    return new Side(
        "the source",
        landed,
        files.stream()
            .filter(file -> file.footer().rows() > 0)
            .map(file -> part(file, wanted))
            .toList(),
        DataFiles.of(table, scratch, COPY_BYTES));
  }

  @Override
  public void onFailure(QueryException failure) {
    failed.accept(failure);
  }

  private Side.Part part(File file, List<SourceColumn> wanted) {
    Map<String, @Nullable String> partition = file.logged().partitionValues();
    PartBuilder part = new PartBuilder(file.footer());
    for (SourceColumn column : wanted) {
      Optional<String> key =
          partition.keySet().stream().filter(each -> isSame(each, column.name())).findFirst();
      if (key.isEmpty()) {
        part.addFromFile(column);
      } else {
        add(part, column, partition.get(key.get()));
      }
    }
    return part.part(table.uri(file.logged().key()), deleted(file.logged().deletes()));
  }

  private static void add(PartBuilder part, SourceColumn column, @Nullable String value) {
    if (value == null) {
      part.addNull(column.name());
    } else {
      part.addValue(column.name(), value, HivePath.spelled(value, column.type()));
    }
  }

  /** A column that will be published, as the files have it. */
  private SourceColumn source(Column landed, DeltaColumn known) {
    List<SourceColumn> children = new ArrayList<>();
    for (int i = 0; i < landed.children().size(); i++) {
      Column child = landed.children().get(i);
      Optional<DeltaColumn> found =
          landed.type() == Nested.STRUCT
              ? find(known.children(), child.name())
              : known.children().stream().skip(i).findFirst();
      // a member that the version lacks is in none of its files
      children.add(
          found.map(each -> source(child, each)).orElseGet(() -> SourceColumn.named(child)));
    }
    return new SourceColumn(
        landed.name(),
        known.physicalName(),
        mapping == ColumnMapping.ID ? known.fieldId() : null,
        landed.type(),
        children);
  }

  private static Optional<DeltaColumn> find(List<DeltaColumn> columns, String name) {
    return columns.stream().filter(column -> isSame(column.name(), name)).findFirst();
  }

  private static boolean isSame(String one, String other) {
    return one.toLowerCase(Locale.ROOT).equals(other.toLowerCase(Locale.ROOT));
  }

  private TableFile.DeletedRows deleted(@Nullable DeletionVector vector) {
    return vector == null || vector.cardinality() == 0
        ? TableFile.DeletedRows.NONE
        : new Deleted(vector);
  }

  /** Reads a deletion vector whenever its positions are asked for: few are held at a time. */
  private final class Deleted implements TableFile.DeletedRows {
    private final DeletionVector vector;

    Deleted(DeletionVector vector) {
      this.vector = vector;
    }

    @Override
    public boolean isEmpty() {
      return false;
    }

    @Override
    public LongStream positions() {
      try {
        return DeltaDeletes.read(table, vector).positions();
      } catch (DeltaException e) {
        failed.accept(e);
        throw e;
      }
    }
  }
}
