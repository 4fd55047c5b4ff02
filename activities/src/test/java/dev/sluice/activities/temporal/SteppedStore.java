package dev.sluice.activities.temporal;

import dev.sluice.activities.storage.DeleteResult;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectTail;
import dev.sluice.activities.storage.ObjectUpload;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.storage.TransferMonitor;
import dev.sluice.activities.temporal.Steps.Effect;
import dev.sluice.activities.temporal.Steps.Scope;
import dev.sluice.activities.temporal.Steps.Step;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A store whose requests are {@link Steps}. */
final class SteppedStore implements ObjectStore {

  private final ObjectStore real;
  private final String place;
  private final Steps steps;

  SteppedStore(ObjectStore real, String place, Steps steps) {
    this.real = real;
    this.place = place;
    this.steps = steps;
  }

  /** A look changes nothing, and many go on at a time, in no order. */
  private <T> T look(String what, Supplier<T> deed) {
    return step(new Step(place, what, Scope.ALONE, Effect.READ), deed);
  }

  private <T> T step(String what, Supplier<T> deed) {
    return step(new Step(place, what, Scope.ALONE, Effect.EFFECT), deed);
  }

  private <T> T step(Step step, Supplier<T> deed) {
    try {
      steps.before(step);
      T result = deed.get();
      steps.after(step);
      return result;
    } finally {
      steps.left(step);
    }
  }

  @Override
  public StorageLocation location() {
    return real.location();
  }

  @Override
  public ObjectInfo put(String key, byte[] content) {
    return step("put an object", () -> real.put(key, content));
  }

  @Override
  public ObjectInfo put(String key, InputStream content, TransferMonitor monitor) {
    return step("put an object", () -> real.put(key, content, monitor));
  }

  @Override
  public ObjectUpload upload(String key) {
    return step("begin an upload", () -> real.upload(key));
  }

  @Override
  public InputStream open(String key) {
    return look("open an object", () -> real.open(key));
  }

  @Override
  public byte[] read(String key, long offset, int length) {
    return look("read a range", () -> real.read(key, offset, length));
  }

  @Override
  public ObjectTail tail(String key, int length) {
    return look("read the end of an object", () -> real.tail(key, length));
  }

  @Override
  public ObjectInfo head(String key) {
    return look("look at an object", () -> real.head(key));
  }

  @Override
  public Optional<ObjectInfo> find(String key) {
    return look("look for an object", () -> real.find(key));
  }

  @Override
  public Stream<ObjectInfo> list(String prefix) {
    List<ObjectInfo> listed =
        step(
            "list objects",
            () -> {
              try (Stream<ObjectInfo> objects = real.list(prefix)) {
                return objects.toList();
              }
            });
    return listed.stream();
  }

  @Override
  public ObjectInfo copyFrom(
      ObjectStore source, ObjectInfo object, String key, TransferMonitor monitor) {
    ObjectStore from = source instanceof SteppedStore stepped ? stepped.real : source;
    return step("copy an object", () -> real.copyFrom(from, object, key, monitor));
  }

  @Override
  public DeleteResult delete(Collection<String> keys) {
    return step("delete objects", () -> real.delete(keys));
  }
}
