package dev.sluice.worker.bench;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Watches the heap: use only grows between collections, so its use before each of them and at the
 * end is the peak; what is left after them is what the work really held on to.
 */
final class HeapWatch implements AutoCloseable {

  private final AtomicLong peak = new AtomicLong();
  private final AtomicLong kept = new AtomicLong();
  private final Set<String> heapPools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .collect(Collectors.toUnmodifiableSet());
  private final NotificationListener listener = this::notified;
  private final List<NotificationEmitter> watched = new ArrayList<>();

  private HeapWatch() {}

  static HeapWatch start() {
    HeapWatch watch = new HeapWatch();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(watch.listener, null, null);
        watch.watched.add(emitter);
      }
    }
    return watch;
  }

  private void notified(Notification notification, Object handback) {
    if (notification
            .getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
        && notification.getUserData() instanceof CompositeData data) {
      var info = GarbageCollectionNotificationInfo.from(data).getGcInfo();
      peak.accumulateAndGet(heap(info.getMemoryUsageBeforeGc()), Math::max);
      kept.accumulateAndGet(heap(info.getMemoryUsageAfterGc()), Math::max);
    }
  }

  private long heap(Map<String, MemoryUsage> pools) {
    return pools.entrySet().stream()
        .filter(pool -> heapPools.contains(pool.getKey()))
        .mapToLong(pool -> pool.getValue().getUsed())
        .sum();
  }

  /** The most bytes of heap in use at any time so far, garbage included. */
  long peakBytes() {
    return Math.max(peak.get(), ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
  }

  /** The most bytes left after any collection so far; zero when there was none. */
  long keptBytes() {
    return kept.get();
  }

  @Override
  public void close() {
    for (NotificationEmitter emitter : watched) {
      try {
        emitter.removeNotificationListener(listener);
      } catch (ListenerNotFoundException e) {
        throw new IllegalStateException("the listener was added by this watch", e);
      }
    }
  }
}
