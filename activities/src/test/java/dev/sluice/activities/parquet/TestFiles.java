package dev.sluice.activities.parquet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Makes Parquet files of real producers (parquet-java, DuckDB) and edits footers. */
final class TestFiles {

  private static final int TRAILER_BYTES = 8;

  private TestFiles() {}

  /** Reads local files by their path. */
  static final FooterSource LOCAL =
      new FooterSource() {
        @Override
        public Tail tail(String key, int length) {
          try (RandomAccessFile file = new RandomAccessFile(key, "r")) {
            long size = file.length();
            byte[] bytes = new byte[Math.toIntExact(Math.min(length, size))];
            file.seek(size - bytes.length);
            file.readFully(bytes);
            return new Tail(bytes, size);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }

        @Override
        public byte[] read(String key, long offset, int length) {
          try (RandomAccessFile file = new RandomAccessFile(key, "r")) {
            byte[] bytes = new byte[length];
            file.seek(offset);
            file.readFully(bytes);
            return bytes;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  static ParquetFile read(Path file) {
    return new ParquetFooters(LOCAL).read(file.toString());
  }

  /** One row per consumer, written by parquet-java with the given message schema. */
  @SafeVarargs
  static Path parquetJava(Path file, String schema, Consumer<Group>... rows) {
    MessageType type = MessageTypeParser.parseMessageType(schema);
    SimpleGroupFactory groups = new SimpleGroupFactory(type);
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      try (ParquetWriter<Group> writer =
          ExampleParquetWriter.builder(new LocalOutputFile(file))
              .withConf(new PlainParquetConfiguration())
              .withType(type)
              .build()) {
        for (Consumer<Group> row : rows) {
          Group group = groups.newGroup();
          row.accept(group);
          writer.write(group);
        }
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The result of a query, written by DuckDB. */
  static Path copy(Path file, String select) {
    return copy(file, select, "");
  }

  /**
   * The result of a query, written by DuckDB with further options, e.g. {@code , ROW_GROUP_SIZE 1}.
   */
  static Path copy(Path file, String select, String options) {
    Properties properties = new Properties();
    properties.setProperty("autoinstall_known_extensions", "false");
    properties.setProperty("autoload_known_extensions", "false");
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:", properties);
        Statement statement = duckdb.createStatement()) {
      statement.execute("SET threads = 1");
      statement.execute(
          "COPY ("
              + select
              + ") TO '"
              + file.toString().replace("'", "''")
              + "' (FORMAT parquet"
              + options
              + ")");
      return file;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Rewrites a file's footer in place. */
  static Path editFooter(Path file, Consumer<FileMetaData> edit) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      int length =
          ByteBuffer.wrap(bytes)
              .order(ByteOrder.LITTLE_ENDIAN)
              .getInt(bytes.length - TRAILER_BYTES);
      int start = bytes.length - TRAILER_BYTES - length;
      FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(bytes, start, length));
      edit.accept(footer);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(bytes, 0, start);
      Util.writeFileMetaData(footer, out);
      byte[] trailer = Arrays.copyOfRange(bytes, bytes.length - TRAILER_BYTES, bytes.length);
      ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN).putInt(0, out.size() - start);
      out.write(trailer);
      Files.write(file, out.toByteArray());
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
