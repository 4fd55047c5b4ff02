package dev.sluice.activities.temporal;

import dev.sluice.activities.storage.DeleteResult;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectTail;
import dev.sluice.activities.storage.ObjectUpload;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.storage.TransferMonitor;
import java.io.InputStream;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A real store with a fault in its copies. */
final class FaultyStore implements ObjectStore {

  private final ObjectStore real;
  private final Fault fault;

  /** What happens in place of a copy, or around it. */
  @FunctionalInterface
  interface Fault {
    ObjectInfo copy(ObjectStore real, ObjectStore source, ObjectInfo object, String key);
  }

  private FaultyStore(ObjectStore real, Fault fault) {
    this.real = real;
    this.fault = fault;
  }

  static LakeAccess in(LakeAccess lake, Fault fault) {
    return new LakeAccess(
        lake.name(),
        lake.catalog(),
        new FaultyStore(lake.store(), fault),
        lake.state(),
        lake.probe());
  }

  /** So many copies succeed, the next one fails as a crash would. */
  static LakeAccess failingAfter(int copies, LakeAccess lake, Runnable failing) {
    AtomicInteger done = new AtomicInteger();
    return in(
        lake,
        (real, source, object, key) -> {
          if (done.getAndIncrement() >= copies) {
            failing.run();
            throw new IllegalStateException("the worker crashed here");
          }
          return real.copyFrom(source, object, key, TransferMonitor.NONE);
        });
  }

  /** Tells each copy's key once it is done. */
  static LakeAccess watched(LakeAccess lake, Consumer<String> copied) {
    return in(
        lake,
        (real, source, object, key) -> {
          ObjectInfo landed = real.copyFrom(source, object, key, TransferMonitor.NONE);
          copied.accept(key);
          return landed;
        });
  }

  @Override
  public StorageLocation location() {
    return real.location();
  }

  @Override
  public ObjectInfo put(String key, byte[] content) {
    return real.put(key, content);
  }

  @Override
  public ObjectInfo put(String key, InputStream content, TransferMonitor monitor) {
    return real.put(key, content, monitor);
  }

  @Override
  public ObjectUpload upload(String key) {
    return real.upload(key);
  }

  @Override
  public InputStream open(String key) {
    return real.open(key);
  }

  @Override
  public byte[] read(String key, long offset, int length) {
    return real.read(key, offset, length);
  }

  @Override
  public ObjectTail tail(String key, int length) {
    return real.tail(key, length);
  }

  @Override
  public ObjectInfo head(String key) {
    return real.head(key);
  }

  @Override
  public Optional<ObjectInfo> find(String key) {
    return real.find(key);
  }

  @Override
  public Stream<ObjectInfo> list(String prefix) {
    return real.list(prefix);
  }

  @Override
  public ObjectInfo copyFrom(
      ObjectStore source, ObjectInfo object, String key, TransferMonitor monitor) {
    return fault.copy(real, source, object, key);
  }

  @Override
  public DeleteResult delete(Collection<String> keys) {
    return real.delete(keys);
  }
}
