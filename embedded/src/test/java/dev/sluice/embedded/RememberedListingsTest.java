package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

class RememberedListingsTest {

  private final TreeSet<String> stored = new TreeSet<>();
  private int walks;
  private final RememberedListings listings = new RememberedListings(this::walk);

  private ListObjectsV2Response walk(ListObjectsV2Request request) {
    walks++;
    String after =
        request.continuationToken() == null ? request.startAfter() : request.continuationToken();
    return ListObjectsV2Response.builder()
        .contents(
            stored.stream()
                .filter(key -> after == null || key.compareTo(after) > 0)
                .map(key -> S3Object.builder().key(key).build())
                .toList())
        .build();
  }

  private ListObjectsV2Response page(@Nullable String token, int limit) {
    return listings.page(
        ListObjectsV2Request.builder()
            .bucket("b")
            .prefix("")
            .continuationToken(token)
            .maxKeys(limit)
            .build());
  }

  private static List<String> keys(ListObjectsV2Response page) {
    return page.contents().stream().map(S3Object::key).toList();
  }

  @Test
  void allPagesComeOutOfOneWalk() {
    stored.addAll(List.of("a", "b", "c", "d", "e"));

    List<String> seen = new ArrayList<>();
    String token = null;
    do {
      ListObjectsV2Response page = page(token, 2);
      seen.addAll(keys(page));
      token = page.nextContinuationToken();
    } while (token != null);

    assertThat(seen).containsExactly("a", "b", "c", "d", "e");
    assertThat(walks).isEqualTo(1);
  }

  @Test
  void aPageAfterAChangeTellsOfIt() {
    stored.addAll(List.of("a", "b", "c"));
    String token = page(null, 1).nextContinuationToken();
    stored.add("bb");
    stored.remove("c");
    listings.changed();

    assertThat(keys(page(token, 5))).containsExactly("b", "bb");
  }

  @Test
  void aPageThatNothingFollowsEndsTheListing() {
    stored.addAll(List.of("a", "b"));

    assertThat(page(null, 2).isTruncated()).isFalse();
    assertThat(page(null, 2).nextContinuationToken()).isNull();
  }
}
