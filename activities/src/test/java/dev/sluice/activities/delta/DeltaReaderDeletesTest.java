package dev.sluice.activities.delta;

import static dev.sluice.activities.delta.DeltaActions.add;
import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.delta.DeltaException.Kind;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.LongStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletion vectors in the log and in files. */
class DeltaReaderDeletesTest {

  private static final UUID ID = UUID.fromString("d2c639aa-8816-431a-aaf6-d3fe2512ff61");
  private static final String OBJECT = "ab/deletion_vector_" + ID + ".bin";

  @TempDir private Path scratch;
  private DeltaFolder table;

  @BeforeEach
  void openFolder() {
    table = new DeltaFolder(scratch.resolve("t"));
  }

  @Test
  @DisplayName("CPY-09: an inline vector gives its positions")
  void cpy09_inlineVectorGivesItsPositions() {
    write(add("f.parquet").rows(4).inlineDeletes(1, 3).toString());

    DeltaFile file = table.liveFiles().get(0);
    assertThat(file.liveRecords()).isEqualTo(2);
    DeltaDeletes deletes = deletes(file);
    assertThat(deletes.positions()).containsExactly(1L, 3L);
    assertThat(LongStream.range(0, 4).filter(deletes::contains)).containsExactly(1L, 3L);
  }

  /** The example of the protocol's text. */
  @Test
  void findsTheFileOfTheProtocolsOwnExample() {
    assertThat(new DeltaPaths(table.store().location()).vectorByUuid("f", "ab^-aqEH.-t@S}K{vb[*k^"))
        .isEqualTo(OBJECT);
  }

  @Test
  void severalVectorsInOneFileAreToldApart() {
    byte[] first = DeltaVectors.serialised(0, 2);
    byte[] second =
        DeltaVectors.serialised(LongStream.range(0, 200_000).filter(n -> n % 3 == 0).toArray());
    byte[] third = DeltaVectors.serialised(5, 1L << 33, (1L << 33) + 7);
    int secondAt = 1 + first.length + 8;
    int thirdAt = secondAt + second.length + 8;
    table.write(OBJECT, DeltaVectors.object(first, second, third));
    String place = "ab" + DeltaVectors.z85(bytes(ID));
    write(
        add("1.parquet").deletes("u", place, 1, first.length, 2).toString(),
        add("2.parquet").deletes("u", place, secondAt, second.length, 66_667).toString(),
        add("3.parquet")
            .deletes("p", table.store().location().uri(OBJECT), thirdAt, third.length, 3)
            .toString());

    var files = table.liveFiles();
    assertThat(deletes(files.get(0)).positions()).containsExactly(0L, 2L);
    assertThat(deletes(files.get(1)).positions()).hasSize(66_667).endsWith(199_995L, 199_998L);
    assertThat(deletes(files.get(2)).positions()).containsExactly(5L, 1L << 33, (1L << 33) + 7);
    assertThat(deletes(files.get(2)).contains(7)).isFalse();
  }

  @Test
  void damagedVectorIsRefusedByItsChecksum() {
    byte[] vector = DeltaVectors.serialised(0, 2);
    byte[] object = DeltaVectors.object(vector);
    object[object.length - 6] ^= 1;
    table.write("d.bin", object);

    assertBroken(stored("d.bin", 1, vector.length, 2))
        .hasMessageContaining(
            "the deletion vector d.bin at offset 1 cannot be read; its checksum does not fit");
  }

  @Test
  void vectorOfAnotherLengthIsRefused() {
    byte[] vector = DeltaVectors.serialised(0, 2);
    table.write("d.bin", DeltaVectors.object(vector));

    assertBroken(stored("d.bin", 1, vector.length - 1, 2)).hasMessageContaining("its file says");
  }

  @Test
  void vectorOfOtherRowsThanTheLogSaysIsRefused() {
    byte[] vector = DeltaVectors.serialised(0, 2);
    table.write("d.bin", DeltaVectors.object(vector));

    assertBroken(stored("d.bin", 1, vector.length, 3))
        .hasMessageContaining("it deletes 2 rows and the log says 3");
  }

  @Test
  void missingVectorIsRefusedByItsFile() {
    table.write("f.parquet", new byte[1]);

    assertBroken(stored("gone.bin", 1, 40, 3))
        .hasMessageContaining("the deletion vector gone.bin at offset 1 cannot be read");
    table.write("d.bin", new byte[] {1, 0});
    assertBroken(stored("d.bin", 900, 40, 3)).hasMessageContaining("shorter than the log says");
    assertBroken(stored("d.bin", 1, 40, 3)).hasMessageContaining("cannot be read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?????", "0000", "0000000000", "@@@@@@@@@@@@@@@@@@@@"})
  void textThatIsNoVectorIsRefused(String text) {
    table.write("f.parquet", new byte[1]);

    assertBroken(new DeletionVector.Inline(text, 12, 1)).hasMessageContaining("in the log");
  }

  @Test
  void vectorOutsideTheTableIsRefusedByName() {
    write(add("f.parquet").deletes("p", "s3://other/d.bin", 1, 40, 1).toString());

    assertThatThrownBy(table::liveFiles)
        .isInstanceOf(DeltaException.class)
        .hasMessageContaining("the deletion vector s3://other/d.bin lies outside");
  }

  private void write(String... files) {
    Object[] lines = new Object[files.length + 2];
    lines[0] = protocol("deletionVectors");
    lines[1] = metadata(schema(field("x", "integer")));
    System.arraycopy(files, 0, lines, 2, files.length);
    table.commit(0, lines);
  }

  private DeltaDeletes deletes(DeltaFile file) {
    return DeltaDeletes.read(table.store(), Objects.requireNonNull(file.deletionVector()));
  }

  private static DeletionVector stored(String key, int offset, int sizeBytes, long cardinality) {
    return new DeletionVector.Stored(key, offset, sizeBytes, cardinality);
  }

  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertBroken(DeletionVector vector) {
    return assertThatThrownBy(() -> DeltaDeletes.read(table.store(), vector))
        .isInstanceOfSatisfying(
            DeltaException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BROKEN_DELETES));
  }
}
