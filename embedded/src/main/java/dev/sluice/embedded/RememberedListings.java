package dev.sluice.embedded;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Answers the later pages of a listing out of the walk that made the first one. s3proxy's store
 * walks the whole folder anew and looks at each of its files for every page of 1,000, which makes
 * the listing of 24,000 objects cost 24 times what it has to.
 *
 * <p>What is remembered is forgotten with the first change, so that a page never tells less than it
 * would without. Only changes that pass through the endpoint are seen. Thread-safe.
 */
final class RememberedListings {

  /** Listings that were begun; one that is never continued must not stay for ever. */
  private static final int MOST = 16;

  private final Function<ListObjectsV2Request, ListObjectsV2Response> walk;
  private final AtomicLong changes = new AtomicLong();
  private final Map<Place, Rest> begun = new LinkedHashMap<>();

  /** Where a listing goes on. */
  private record Place(String bucket, @Nullable String prefix, String after) {}

  /** The objects from there on, as they were after so many changes. */
  private record Rest(List<S3Object> objects, long changes) {}

  /**
   * Remembers what a store lists.
   *
   * @param walk lists everything that the request asks for; without a limit, all of it
   */
  RememberedListings(Function<ListObjectsV2Request, ListObjectsV2Response> walk) {
    this.walk = walk;
  }

  /** To be called before and after every change: a walk beside it may have seen either. */
  void changed() {
    changes.incrementAndGet();
  }

  /** One page of a listing, and where the next one begins. */
  ListObjectsV2Response page(ListObjectsV2Request request) {
    boolean inFolders = request.delimiter() != null && !request.delimiter().isEmpty();
    Integer limit = request.maxKeys();
    if (inFolders || limit == null || limit < 1) {
      return walk.apply(request);
    }
    String after =
        request.continuationToken() == null ? request.startAfter() : request.continuationToken();
    long now = changes.get();
    List<S3Object> objects =
        after == null ? null : recall(new Place(request.bucket(), request.prefix(), after), now);
    if (objects == null) {
      objects = walk.apply(request.toBuilder().maxKeys(null).build()).contents();
    }
    if (objects.size() <= limit) {
      return ListObjectsV2Response.builder().contents(objects).isTruncated(false).build();
    }
    String last = objects.get(limit - 1).key();
    remember(
        new Place(request.bucket(), request.prefix(), last),
        new Rest(objects.subList(limit, objects.size()), now));
    return ListObjectsV2Response.builder()
        .contents(objects.subList(0, limit))
        .nextContinuationToken(last)
        .isTruncated(true)
        .build();
  }

  private synchronized @Nullable List<S3Object> recall(Place place, long now) {
    Rest rest = begun.get(place);
    return rest == null || rest.changes() != now ? null : rest.objects();
  }

  private synchronized void remember(Place place, Rest rest) {
    begun.put(place, rest);
    if (begun.size() > MOST) {
      Iterator<Place> oldest = begun.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }
}
