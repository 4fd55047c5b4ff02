package dev.sluice.activities.delta;

import dev.sluice.activities.delta.DeltaSnapshot.Description;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageLocation;
import io.delta.kernel.Snapshot;
import io.delta.kernel.TableManager;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.internal.actions.Metadata;
import io.delta.kernel.internal.actions.Protocol;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Replays one version of a log through Delta Kernel. */
final class LogReader {

  private static final String MAPPING_MODE = "delta.columnMapping.mode";
  private static final String DELETION_VECTORS = "deletionVectors";
  private static final Set<String> CATALOG_MANAGED =
      Set.of("catalogManaged", "catalogOwned-preview");

  /** Before version 0: the replay goes back to the beginning. */
  private static final long NO_CHECKPOINT = -1;

  private final ObjectStore folder;
  private final StorageLocation table;
  private final LogListing listing;
  private final long version;
  private final LogCache cache = new LogCache();

  LogReader(ObjectStore folder, LogListing listing, long version) {
    this.folder = folder;
    this.table = folder.location();
    this.listing = listing;
    this.version = version;
  }

  DeltaSnapshot snapshot() {
    try (LogContents contents = contents()) {
      LogEngine engine = engine(contents);
      Snapshot loaded = translated(() -> load(engine));
      Instant committedAt =
          Instant.ofEpochMilli(translated(() -> loaded.getTimestamp(engine)).longValue());
      Protocol protocol = loaded.getProtocol();
      Metadata metadata = loaded.getMetadata();
      requireParquet(metadata);
      Map<String, String> properties = metadata.getConfiguration();
      ColumnMapping mapping = mapping(properties);
      DeltaSchema schema =
          SchemaReader.read(
              table, mapping, metadata.getSchemaString(), loaded.getPartitionColumnNames());
      Description description =
          new Description(
              metadata.getId(),
              metadata.getName().orElse(null),
              mapping,
              protocol.getReaderFeatures().contains(DELETION_VECTORS),
              properties);
      return new DeltaSnapshot(
          version, committedAt, description, schema, () -> files(protocol, metadata, schema));
    }
  }

  private Snapshot load(LogEngine engine) {
    try {
      return TableManager.loadSnapshot(LogFileIO.ROOT).atVersion(version).build(engine);
    } catch (IllegalArgumentException e) {
      throw refusedWhenCatalogManaged(engine, e);
    }
  }

  /**
   * Kernel wants the catalog's newest version for a table that a catalog manages, and only for such
   * a one. We could give it, but commits may be with the catalog alone.
   */
  private RuntimeException refusedWhenCatalogManaged(
      LogEngine engine, IllegalArgumentException failure) {
    Set<String> features;
    try {
      features =
          TableManager.loadSnapshot(LogFileIO.ROOT)
              .atVersion(version)
              .withMaxCatalogVersion(version)
              .build(engine)
              .getProtocol()
              .getReaderFeatures();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      return failure;
    }
    List<String> refused = features.stream().filter(CATALOG_MANAGED::contains).toList();
    return DeltaErrors.unsupportedFeatures(table, version, refused);
  }

  private void requireParquet(Metadata metadata) {
    String provider = metadata.getFormat().getProvider();
    if (!provider.equals("parquet")) {
      throw DeltaErrors.badSchema(
          table, "its files are of format '%s', and only parquet is read".formatted(provider));
    }
  }

  private ColumnMapping mapping(Map<String, String> properties) {
    String mode = properties.getOrDefault(MAPPING_MODE, "none");
    return switch (mode) {
      case "none" -> ColumnMapping.NONE;
      case "name" -> ColumnMapping.NAME;
      case "id" -> ColumnMapping.ID;
      default ->
          throw DeltaErrors.badSchema(
              table, "the column mapping '%s' is not known".formatted(mode));
    };
  }

  /** The schema is ours to read; Kernel gets none, because it would refuse void columns. */
  private Stream<DeltaFile> files(Protocol protocol, Metadata metadata, DeltaSchema schema) {
    LogContents contents = contents();
    try {
      LogEngine engine = engine(contents);
      FileEntries entries = new FileEntries(table, schema);
      CloseableIterator<FilteredColumnarBatch> batches =
          translated(
              () ->
                  TableManager.loadSnapshot(LogFileIO.ROOT)
                      .atVersion(version)
                      .withProtocolAndMetadata(protocol, metadata.withNewSchema(new StructType()))
                      .build(engine)
                      .getScanBuilder()
                      .build()
                      .getScanFiles(engine, true));
      Files files = new Files(batches, entries);
      return StreamSupport.stream(
              Spliterators.spliteratorUnknownSize(
                  files, Spliterator.NONNULL | Spliterator.DISTINCT | Spliterator.IMMUTABLE),
              false)
          .onClose(
              () -> {
                try (contents) {
                  files.close();
                }
              });
    } catch (RuntimeException e) {
      contents.close();
      throw e;
    }
  }

  /** Takes the files out of Kernel's batches. */
  private final class Files implements Iterator<DeltaFile> {
    private final CloseableIterator<FilteredColumnarBatch> batches;
    private final FileEntries entries;
    private @Nullable CloseableIterator<Row> rows;

    Files(CloseableIterator<FilteredColumnarBatch> batches, FileEntries entries) {
      this.batches = batches;
      this.entries = entries;
    }

    @Override
    public boolean hasNext() {
      if (Thread.currentThread().isInterrupted()) {
        throw DeltaErrors.interrupted(table, null);
      }
      return translated(
          () -> {
            while (rows == null || !rows.hasNext()) {
              if (!batches.hasNext()) {
                return false;
              }
              rows = batches.next().getRows();
            }
            return true;
          });
    }

    @Override
    public DeltaFile next() {
      if (!hasNext() || rows == null) {
        throw new NoSuchElementException();
      }
      CloseableIterator<Row> current = rows;
      return translated(() -> entries.file(current.next()));
    }

    /** Kernel looks for more rows when it is closed, only to report whether there are any. */
    void close() {
      try {
        batches.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (RuntimeException e) {
        if (!Thread.currentThread().isInterrupted()) {
          throw KernelFailures.translate(table, version, e);
        }
      }
    }
  }

  private LogContents contents() {
    return new LogContents(folder, listing, cache, listing.start(version).orElse(NO_CHECKPOINT));
  }

  private LogEngine engine(LogContents contents) {
    return new LogEngine(table, version, new LogFileIO(folder, listing, contents));
  }

  private <T> T translated(Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      throw KernelFailures.translate(table, version, e);
    }
  }
}
