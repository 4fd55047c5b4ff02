package dev.sluice.activities.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.storage.ObjectChecksum.Scope;
import dev.sluice.activities.storage.Sameness.Verdict;
import dev.sluice.embedded.EmbeddedS3;
import java.io.ByteArrayInputStream;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SamenessTest {

  @Test
  @DisplayName("OBJ-06: the same content uploaded in parts and copied whole is the same")
  void obj06DifferentETagsOfTheSameContentAreNoFalseAlarm() {
    byte[] content = new byte[3 * S3Upload.PART_BYTES + 11];
    new Random(6).nextBytes(content);
    try (ObjectStores stores = TestStores.connect()) {
      ObjectStore store =
          stores.open(new StorageLocation.S3(EmbeddedS3.shared().newBucket("sameness"), ""));
      store.put("in parts", new ByteArrayInputStream(content), TransferMonitor.NONE);
      store.copyFrom(store, "in parts", "whole");

      assertThat(store.head("in parts").etag()).endsWith("-4\"");
      assertThat(store.head("whole").etag()).isNotEqualTo(store.head("in parts").etag());
      assertThat(Sameness.holds(store, "in parts", store, "whole")).isTrue();
    }
  }

  @Test
  @DisplayName("OBJ-06: different bytes of equal size are told apart, whatever their ETags")
  void obj06EqualETagsOfDifferentContentAreNoFalsePass() {
    try (StubS3 stub = new StubS3();
        ObjectStores stores = ObjectStores.connect(stub.settings())) {
      stub.buckets().add("bucket/left", "content-1", "\"the same\"");
      stub.buckets().add("bucket/right", "content-2", "\"the same\"");
      ObjectStore store = stores.open(StorageLocation.parse("s3://bucket"));

      assertThat(store.head("left").etag()).isEqualTo(store.head("right").etag());
      assertThat(Sameness.byDescription(store.head("left"), store.head("right")))
          .isEqualTo(Verdict.UNKNOWN);
      assertThat(Sameness.holds(store, "left", store, "right")).isFalse();
    }
  }

  @Test
  @DisplayName("OBJ-06: size and whole-object checksums decide without reading")
  void obj06DescriptionsDecideWhereTheyCan() {
    ObjectInfo plain = described(9, null);
    ObjectInfo crc1 = described(9, new ObjectChecksum("CRC64NVME", "one", Scope.FULL_OBJECT));
    ObjectInfo crc2 = described(9, new ObjectChecksum("CRC64NVME", "two", Scope.FULL_OBJECT));
    ObjectInfo sha = described(9, new ObjectChecksum("SHA256", "one", Scope.FULL_OBJECT));
    ObjectInfo parts = described(9, new ObjectChecksum("CRC64NVME", "one", Scope.COMPOSITE));

    assertThat(Sameness.byDescription(plain, described(8, null))).isEqualTo(Verdict.DIFFERENT);
    assertThat(Sameness.byDescription(plain, plain)).isEqualTo(Verdict.UNKNOWN);
    assertThat(Sameness.byDescription(crc1, crc1)).isEqualTo(Verdict.SAME);
    assertThat(Sameness.byDescription(crc1, crc2)).isEqualTo(Verdict.DIFFERENT);
    assertThat(Sameness.byDescription(crc1, sha)).isEqualTo(Verdict.UNKNOWN);
    assertThat(Sameness.byDescription(crc1, parts)).isEqualTo(Verdict.UNKNOWN);
    assertThat(Sameness.byDescription(parts, parts)).isEqualTo(Verdict.UNKNOWN);
    assertThat(Sameness.byDescription(described(0, null), described(0, null)))
        .isEqualTo(Verdict.SAME);
  }

  @Test
  void checksumsOfAnEndpointAreReadWithTheirScope() {
    try (StubS3 stub = new StubS3();
        ObjectStores stores = ObjectStores.connect(stub.settings())) {
      stub.rule(
          request ->
              request.method().equals("HEAD")
                  ? StubS3.Response.of(200, "")
                      .with("Content-Length", "9")
                      .with("x-amz-checksum-sha256", request.key().equals("x") ? "abc=" : "abc=-3")
                  : null);
      ObjectStore store = stores.open(StorageLocation.parse("s3://bucket"));

      assertThat(store.head("x").checksum())
          .isEqualTo(new ObjectChecksum("SHA256", "abc=", Scope.FULL_OBJECT));
      assertThat(store.head("y").checksum())
          .isEqualTo(new ObjectChecksum("SHA256", "abc=-3", Scope.COMPOSITE));
    }
  }

  private static ObjectInfo described(long sizeBytes, @Nullable ObjectChecksum checksum) {
    return new ObjectInfo("k", sizeBytes, "\"equal etag\"", checksum, null);
  }

  @Test
  void contentOfDifferentKindsOfStoreCanBeCompared(
      @org.junit.jupiter.api.io.TempDir java.nio.file.Path scratch) {
    try (ObjectStores stores = TestStores.connect()) {
      ObjectStore remote = stores.open(TestStores.newRoot(TestStores.Kind.S3, scratch));
      ObjectStore local = stores.open(TestStores.newRoot(TestStores.Kind.LOCAL, scratch));
      remote.put("x", "0123456789".getBytes(UTF_8));
      local.copyFrom(remote, "x", "x");
      local.put("y", "012345678X".getBytes(UTF_8));

      assertThat(Sameness.holds(remote, "x", local, "x")).isTrue();
      assertThat(Sameness.holds(remote, "x", local, "y")).isFalse();
    }
  }
}
