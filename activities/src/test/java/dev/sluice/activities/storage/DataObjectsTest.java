package dev.sluice.activities.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.activities.storage.DataObjects.Reason;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DataObjectsTest {

  @Test
  @DisplayName("OBJ-07: markers and leftovers of other tools are left out and listed as such")
  void obj07OnlyTheParquetFileIsData() {
    try (StubS3 stub = new StubS3();
        ObjectStores stores = ObjectStores.connect(stub.settings())) {
      stub.buckets().add("bucket/t/gen=1/", "");
      stub.buckets().add("bucket/t/gen=1", "");
      stub.buckets().add("bucket/t/gen=1_$folder$", "");
      stub.buckets().add("bucket/t/gen=1/_SUCCESS", "");
      stub.buckets().add("bucket/t/gen=1/.part-0.parquet.crc", "crc");
      stub.buckets().add("bucket/t/gen=1/_temporary/0/x.parquet", "PAR1");
      stub.buckets().add("bucket/t/gen=1/part-0.parquet", "PAR1");
      ObjectStore store = stores.open(StorageLocation.parse("s3://bucket/t"));

      DataObjects first = DataObjects.classify(store.list(""));

      assertThat(first.data()).extracting(ObjectInfo::key).containsExactly("gen=1/part-0.parquet");
      assertThat(first.leftOut())
          .extracting(left -> left.object().key(), DataObjects.LeftOut::reason)
          .containsExactlyInAnyOrder(
              tuple("gen=1/", Reason.DIRECTORY_MARKER),
              tuple("gen=1", Reason.DIRECTORY_MARKER),
              tuple("gen=1_$folder$", Reason.FOLDER_MARKER),
              tuple("gen=1/_SUCCESS", Reason.SUCCESS_MARKER),
              tuple("gen=1/.part-0.parquet.crc", Reason.CHECKSUM_FILE),
              tuple("gen=1/_temporary/0/x.parquet", Reason.TEMPORARY));

      stub.buckets().add("bucket/t/gen=1/part-1.parquet", "");
      DataObjects second = DataObjects.classify(store.list(""));

      assertThat(second.data())
          .extracting(ObjectInfo::key, ObjectInfo::sizeBytes)
          .containsExactlyInAnyOrder(
              tuple("gen=1/part-0.parquet", 4L), tuple("gen=1/part-1.parquet", 0L));
      assertThat(second.leftOut()).isEqualTo(first.leftOut());
    }
  }

  @Test
  void aPartitionFolderMayBeginWithAnUnderscore() {
    DataObjects objects =
        classify(
            "_ph_partition_key=2026-07/part-0.parquet",
            "_delta_log/00000.checkpoint.parquet",
            ".hidden=1/x.parquet",
            "a/_metadata",
            "UPPER.PARQUET",
            "notes.txt",
            "/odd//x.parquet",
            "");

    assertThat(objects.data())
        .extracting(ObjectInfo::key)
        .containsExactly(
            "_ph_partition_key=2026-07/part-0.parquet", "UPPER.PARQUET", "/odd//x.parquet");
    assertThat(objects.leftOut())
        .extracting(left -> left.object().key(), DataObjects.LeftOut::reason)
        .containsExactly(
            tuple("_delta_log/00000.checkpoint.parquet", Reason.HIDDEN),
            tuple(".hidden=1/x.parquet", Reason.HIDDEN),
            tuple("a/_metadata", Reason.HIDDEN),
            tuple("notes.txt", Reason.NOT_PARQUET),
            tuple("", Reason.DIRECTORY_MARKER));
  }

  private static DataObjects classify(String... keys) {
    return DataObjects.classify(
        Stream.of(keys).map(key -> new ObjectInfo(key, 1, null, null, null)));
  }
}
