package dev.sluice.activities.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.embedded.EmbeddedS3;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StorageLocationTest {

  @Test
  @DisplayName("OBJ-08: locations with and without a final slash are the same")
  void obj08AFinalSlashMakesNoDifference() {
    for (List<String> same :
        List.of(
            List.of("s3://bucket/t", "s3://bucket/t/"),
            List.of("s3://bucket", "s3://bucket/"),
            List.of("/data/lake", "/data/lake/", "file:///data/lake", "file:///data/lake/"))) {
      assertThat(same.stream().map(StorageLocation::parse).distinct()).hasSize(1);
      assertThat(StorageLocation.parse(same.getFirst()).uri()).endsWith("/").doesNotEndWith("//");
    }
    StorageLocation root = StorageLocation.parse("s3://bucket/t");
    assertThat(root.resolve("a/b/")).isEqualTo(root.resolve("a/b"));
    assertThat(root.resolve("")).isEqualTo(root);
    assertThat(root.resolve("a").resolve("b/").uri("c.parquet"))
        .isEqualTo("s3://bucket/t/a/b/c.parquet");
  }

  @Test
  @DisplayName("OBJ-08: a copy between such locations makes no key with a double slash")
  void obj08CopiesBetweenAllSpellingsMakeTheSameKeys() {
    EmbeddedS3 s3 = EmbeddedS3.shared();
    String bucket = "s3://" + s3.newBucket("slashes");
    try (ObjectStores stores = TestStores.connect()) {
      ObjectStore whole = stores.open(StorageLocation.parse(bucket));
      whole.put("t/p=1/x.parquet", "x".getBytes(UTF_8));
      int number = 0;
      for (String from : List.of(bucket + "/t", bucket + "/t/")) {
        for (String to : List.of(bucket + "/out-%d", bucket + "/out-%d/")) {
          ObjectStore source = stores.open(StorageLocation.parse(from));
          ObjectStore target = stores.open(StorageLocation.parse(to.formatted(number++)));
          try (Stream<ObjectInfo> listing = source.list("")) {
            listing.forEach(
                object -> target.copyFrom(source, object, object.key(), TransferMonitor.NONE));
          }
        }
      }

      try (Stream<ObjectInfo> listing = whole.list("out-")) {
        assertThat(listing.map(ObjectInfo::key))
            .containsExactly(
                "out-0/p=1/x.parquet",
                "out-1/p=1/x.parquet",
                "out-2/p=1/x.parquet",
                "out-3/p=1/x.parquet");
      }
    }
  }

  @Test
  @DisplayName("OBJ-08: joining never makes a double slash")
  void obj08KeysAreJoinedWithOneSlash() {
    assertThat(ObjectKeys.join("a", "b")).isEqualTo("a/b");
    assertThat(ObjectKeys.join("a/", "b")).isEqualTo("a/b");
    assertThat(ObjectKeys.join("a", "/b")).isEqualTo("a/b");
    assertThat(ObjectKeys.join("a/", "/b/")).isEqualTo("a/b/");
    assertThat(ObjectKeys.join("", "b")).isEqualTo("b");
    assertThat(ObjectKeys.join("a", "")).isEqualTo("a");
  }

  @Test
  void addressesAreSplitIntoRootAndKey() {
    StorageLocation root = StorageLocation.parse("s3://bucket/lake/");

    assertThat(root.keyOf("s3://bucket/lake/s/t/x.parquet")).contains("s/t/x.parquet");
    assertThat(root.keyOf("s3://bucket/lake2/x.parquet")).isEmpty();
    assertThat(root.keyOf("s3://bucket/lake/")).isEmpty();
    assertThat(root.keyOf("s3://other/lake/x.parquet")).isEmpty();
    assertThat(StorageLocation.parse("/data").keyOf("file:///data/x y%20.parquet"))
        .contains("x y%20.parquet");
  }

  @Test
  void textIsTakenLiterally() {
    assertThat(StorageLocation.parse("s3://bucket/a%20b+c ?#=é").uri("k&:"))
        .isEqualTo("s3://bucket/a%20b+c ?#=é/k&:");
    assertThat(StorageLocation.parse("file:///a%20b"))
        .isEqualTo(new StorageLocation.Local(Path.of("/a%20b")));
  }

  @Test
  void whatIsNoLocationIsRefusedWithTheReason() {
    assertRefused("", "it is empty");
    assertRefused("s3://", "'' is not the name of a bucket");
    assertRefused("s3://b", "'b' is not the name of a bucket");
    assertRefused("s3:///key", "'' is not the name of a bucket");
    assertRefused("s3a://bucket/x", "the scheme s3a is not known");
    assertRefused("https://host/x", "the scheme https is not known");
    assertRefused("/data/../etc", "it holds the segment '..'");
    assertRefused("s3://bucket/a//b", "it holds a double slash");
    assertRefused("s3://bucket//a", "it begins with a slash");
    assertRefused("s3://bucket/a/../b", "it holds the segment '..'");
    assertThatThrownBy(() -> StorageLocation.parse("s3://bucket/a").resolve("../b"))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("it holds the segment '..'");
  }

  private static void assertRefused(String text, String reason) {
    assertThatThrownBy(() -> StorageLocation.parse(text))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.INVALID_KEY))
        .hasMessageContaining("not allowed; " + reason);
  }
}
