package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.parquet.ParquetRefusedException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.parquet.format.AesGcmV1;
import org.apache.parquet.format.EncryptionAlgorithm;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetFootersTest {

  @TempDir Path folder;

  @Test
  void readsSizesRowsAndColumnsOfAFileWrittenByDuckDb() throws IOException {
    Path file =
        TestFiles.copy(
            folder.resolve("a.parquet"), "SELECT i::INT AS id, 'x' || i AS s FROM range(5) t(i)");

    ParquetFile read = TestFiles.read(file);

    assertThat(read.sizeBytes()).isEqualTo(Files.size(file));
    assertThat(read.footerBytes()).isEqualTo(footerLength(file));
    assertThat(read.rows()).isEqualTo(5);
    assertThat(read.schema().fields()).extracting(FileField::name).containsExactly("id", "s");
    assertThat(read.schema().fields())
        .extracting(FileField::typeText)
        .containsExactly("int32", "varchar");
    assertThat(read.leaves().get(0).range())
        .isEqualTo(new Bound.Range(new Bound.Whole(0), new Bound.Whole(4)));
    assertThat(read.leaves().get(1).range())
        .isEqualTo(new Bound.Range(new Bound.Text("x0"), new Bound.Text("x4")));
    assertThat(read.leaves()).extracting(LeafFacts::nulls).containsExactly(0L, 0L);
  }

  @Test
  void asksOnceForAShortFooterAndTwiceForALongOne() {
    Path file = TestFiles.copy(folder.resolve("a.parquet"), "SELECT 1 AS id");
    AtomicInteger tails = new AtomicInteger();
    AtomicInteger ranges = new AtomicInteger();
    FooterSource counting =
        new FooterSource() {
          @Override
          public Tail tail(String key, int length) {
            tails.incrementAndGet();
            return TestFiles.LOCAL.tail(key, length);
          }

          @Override
          public byte[] read(String key, long offset, int length) {
            ranges.incrementAndGet();
            return TestFiles.LOCAL.read(key, offset, length);
          }
        };

    ParquetFile once = new ParquetFooters(counting).read(file.toString());
    assertThat(tails.get()).isEqualTo(1);
    assertThat(ranges.get()).isZero();

    ParquetFile twice = new ParquetFooters(counting, 8, 1).read(file.toString());
    assertThat(tails.get()).isEqualTo(2);
    assertThat(ranges.get()).isEqualTo(1);
    assertThat(twice).isEqualTo(once);
  }

  @Test
  void readsManyFilesInTheOrderAskedForAndKeepsOneCopyOfTheirSchema() throws InterruptedException {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      keys.add(
          TestFiles.copy(folder.resolve(i + ".parquet"), "SELECT " + i + "::BIGINT AS id")
              .toString());
    }
    List<Integer> progress = new ArrayList<>();

    List<ParquetFile> files =
        new ParquetFooters(TestFiles.LOCAL, 4096, 7)
            .readAll(keys, (read, total) -> progress.add(read));

    assertThat(files).extracting(ParquetFile::key).containsExactlyElementsOf(keys);
    assertThat(files).allSatisfy(file -> assertThat(file.schema()).isSameAs(files.get(0).schema()));
    assertThat(progress).endsWith(40).isSorted();
  }

  @Test
  void interruptingTheCallerEndsTheRunAndEveryRequest() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(2);
    FooterSource stuck =
        new FooterSource() {
          @Override
          public Tail tail(String key, int length) {
            begun.countDown();
            try {
              never.await();
            } catch (InterruptedException e) {
              ended.countDown();
            }
            throw new IllegalStateException("interrupted");
          }

          @Override
          public byte[] read(String key, long offset, int length) {
            throw new AssertionError("not asked for");
          }
        };
    Thread caller =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    new ParquetFooters(stuck).readAll(List.of("a"), ParquetFooters.Progress.NONE);
                  } catch (InterruptedException e) {
                    ended.countDown();
                  }
                });

    begun.await();
    caller.interrupt();
    caller.join();

    assertThat(ended.getCount()).isZero();
  }

  @Test
  @DisplayName("REG-35: a file of 0 bytes among good ones is refused by name")
  void reg35_anEmptyObjectAmongGoodFilesIsRefusedByName() throws IOException {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      keys.add(TestFiles.copy(folder.resolve(i + ".parquet"), "SELECT 1 AS id").toString());
    }
    Path empty = Files.createFile(folder.resolve("empty.parquet"));
    keys.add(empty.toString());

    assertThatThrownBy(
            () -> new ParquetFooters(TestFiles.LOCAL).readAll(keys, ParquetFooters.Progress.NONE))
        .isInstanceOfSatisfying(
            ParquetRefusedException.class,
            refusal -> {
              assertThat(refusal.kind()).isEqualTo(Kind.EMPTY_OBJECT);
              assertThat(refusal.file()).isEqualTo(empty.toString());
            })
        .hasMessageStartingWith(empty + ": the object has 0 bytes;");
  }

  @Test
  @DisplayName("REG-35: a file cut by 20 bytes at its end is refused by name")
  void reg35_aFileCutAtItsEndIsRefusedByName() throws IOException {
    Path file = TestFiles.copy(folder.resolve("cut.parquet"), "SELECT 1 AS id");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 20));

    assertRefused(file, Kind.NOT_PARQUET, "not a whole Parquet file");
  }

  @Test
  void somethingElseNamedParquetIsRefused() throws IOException {
    assertRefused(
        Files.writeString(folder.resolve("text.parquet"), "id,name\n1,one\n2,two\n"),
        Kind.NOT_PARQUET,
        "not a whole Parquet file");
    assertRefused(
        Files.writeString(folder.resolve("short.parquet"), "PAR1PAR1"),
        Kind.NOT_PARQUET,
        "its 8 bytes do not begin and end with PAR1");
    assertRefused(
        Files.writeString(folder.resolve("headless.parquet"), "xxxx--------PAR1"),
        Kind.NOT_PARQUET,
        "not a whole Parquet file");
  }

  @Test
  void anEncryptedFileIsRefusedWhereverItSaysSo() throws IOException {
    Path withEncryptedFooter = TestFiles.copy(folder.resolve("e.parquet"), "SELECT 1 AS id");
    byte[] bytes = Files.readAllBytes(withEncryptedFooter);
    byte[] magic = "PARE".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(magic, 0, bytes, bytes.length - magic.length, magic.length);
    Files.write(withEncryptedFooter, bytes);
    assertRefused(withEncryptedFooter, Kind.ENCRYPTED, "the file is encrypted");

    Path withPlainFooter =
        TestFiles.editFooter(
            TestFiles.copy(folder.resolve("p.parquet"), "SELECT 1 AS id"),
            footer ->
                footer.setEncryption_algorithm(EncryptionAlgorithm.AES_GCM_V1(new AesGcmV1())));
    assertRefused(withPlainFooter, Kind.ENCRYPTED, "the file is encrypted");
  }

  @Test
  void aFooterLongerThanTheFileIsRefused() throws IOException {
    Path file = TestFiles.copy(folder.resolve("long.parquet"), "SELECT 1 AS id");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 6] = 1;
    Files.write(file, bytes);

    assertRefused(file, Kind.CORRUPT_FOOTER, "the footer cannot be right; it is said to be");
  }

  @Test
  void aFooterThatLiesAboutRowsOrPlacesIsRefused() {
    assertRefused(
        TestFiles.editFooter(
            TestFiles.copy(folder.resolve("rows.parquet"), "SELECT 1 AS id"),
            footer -> footer.setNum_rows(2)),
        Kind.CORRUPT_FOOTER,
        "it counts 2 rows, its row groups 1");
    assertRefused(
        TestFiles.editFooter(
            TestFiles.copy(folder.resolve("values.parquet"), "SELECT 1 AS id"),
            footer ->
                footer.getRow_groups().get(0).getColumns().get(0).getMeta_data().setNum_values(3)),
        Kind.CORRUPT_FOOTER,
        "column 'id' has 3 values in a row group of 1 rows");
    assertRefused(
        TestFiles.editFooter(
            TestFiles.copy(folder.resolve("place.parquet"), "SELECT 1 AS id"),
            footer ->
                footer
                    .getRow_groups()
                    .get(0)
                    .getColumns()
                    .get(0)
                    .getMeta_data()
                    .setTotal_compressed_size(1_000_000)),
        Kind.CORRUPT_FOOTER,
        "column 'id' is said to lie at 4, 1000000 bytes long");
    assertRefused(
        TestFiles.editFooter(
            TestFiles.copy(folder.resolve("columns.parquet"), "SELECT 1 AS id, 2 AS x"),
            footer -> footer.getRow_groups().get(0).getColumns().remove(1)),
        Kind.CORRUPT_FOOTER,
        "a row group has 1 column chunks for 2 columns");
    assertRefused(
        TestFiles.editFooter(
            TestFiles.copy(folder.resolve("tree.parquet"), "SELECT 1 AS id"),
            footer -> footer.getSchema().get(0).setNum_children(2)),
        Kind.CORRUPT_FOOTER,
        "its schema tree ends too early");
  }

  @Test
  void damagedFootersAreRefusedAndNeverFailInAnotherWay() throws IOException {
    Path file =
        TestFiles.copy(
            folder.resolve("fuzz.parquet"),
            "SELECT i AS id, [i] AS l, {a: i} AS s, 'x' || i AS t FROM range(3) r(i)");
    byte[] bytes = Files.readAllBytes(file);
    int footer = footerLength(file);
    Random random = new Random(20260101);
    int refused = 0;
    for (int round = 0; round < 2_000; round++) {
      byte[] damaged = bytes.clone();
      for (int i = 0; i <= random.nextInt(3); i++) {
        damaged[bytes.length - 8 - footer + random.nextInt(footer)] = (byte) random.nextInt(256);
      }
      FooterSource source = inMemory(damaged);
      try {
        new ParquetFooters(source).read("fuzz");
      } catch (ParquetRefusedException expected) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  private static FooterSource inMemory(byte[] bytes) {
    return new FooterSource() {
      @Override
      public Tail tail(String key, int length) {
        return new Tail(bytes, bytes.length);
      }

      @Override
      public byte[] read(String key, long offset, int length) {
        int from = Math.toIntExact(offset);
        return Arrays.copyOfRange(bytes, from, from + length);
      }
    };
  }

  private static void assertRefused(Path file, Kind kind, String message) {
    assertThatThrownBy(() -> TestFiles.read(file))
        .isInstanceOfSatisfying(
            ParquetRefusedException.class, refusal -> assertThat(refusal.kind()).isEqualTo(kind))
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(message);
  }

  private static int footerLength(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    return java.nio.ByteBuffer.wrap(bytes)
        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
        .getInt(bytes.length - 8);
  }
}
