package dev.sluice.activities.storage;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Fetches a listing page by page, as it is read. */
final class S3Listing implements Iterator<ObjectInfo> {

  private final S3Client client;
  private final StorageLocation.S3 location;
  private final String prefix;
  private Iterator<S3Object> page;
  private @Nullable String nextToken;

  private S3Listing(S3Client client, StorageLocation.S3 location, String prefix) {
    this.client = client;
    this.location = location;
    this.prefix = prefix;
    this.page = fetch(null);
  }

  /** The first page is fetched at once, so that a missing bucket shows before anything is read. */
  static Stream<ObjectInfo> stream(S3Client client, StorageLocation.S3 location, String prefix) {
    S3Listing listing = new S3Listing(client, location, prefix);
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            listing, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT),
        false);
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && nextToken != null) {
      page = fetch(nextToken);
    }
    return page.hasNext();
  }

  @Override
  public ObjectInfo next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    S3Object object = page.next();
    return new ObjectInfo(
        object.key().substring(location.prefix().length()),
        object.size(),
        object.eTag(),
        null,
        object.lastModified());
  }

  private Iterator<S3Object> fetch(@Nullable String token) {
    ListObjectsV2Response response =
        S3Errors.translating(
            location.uri(prefix),
            "listing",
            () ->
                client.listObjectsV2(
                    r ->
                        r.bucket(location.bucket())
                            .prefix(location.prefix() + prefix)
                            .continuationToken(token)
                            // XML cannot carry every character of a key; the SDK decodes it again.
                            .encodingType(EncodingType.URL)));
    String next =
        Boolean.TRUE.equals(response.isTruncated()) ? response.nextContinuationToken() : null;
    if (next != null && next.equals(token)) {
      throw StorageErrors.unexpectedAnswer(
          location.uri(prefix), "listing", "the endpoint sends the same page again and again");
    }
    nextToken = next;
    return response.contents().iterator();
  }
}
