package dev.sluice.activities.parquet;

import java.nio.file.Path;
import org.apache.parquet.example.data.Group;

/** Files laid out as writers of the past did it. */
final class LegacyFiles {

  private LegacyFiles() {}

  /** Two-level lists: of numbers and of groups; row 1 has neither. */
  static Path lists(Path file) {
    return TestFiles.parquetJava(
        file,
        """
        message m {
          required int32 id;
          optional group l (LIST) { repeated int32 array; }
          optional group ls (LIST) { repeated group array { optional int32 x; optional int32 y; } }
        }
        """,
        row -> {
          row.append("id", 0);
          row.addGroup("l").append("array", 1).append("array", 2);
          row.addGroup("ls").addGroup("array").append("x", 7).append("y", 8);
        },
        row -> row.append("id", 1));
  }

  /** A two-level list of a group with a single field. */
  static Path listOfOneField(Path file) {
    return TestFiles.parquetJava(
        file,
        "message m { optional group ls (LIST) { repeated group array { optional int32 x; } } }",
        row -> row.addGroup("ls").addGroup("array").append("x", 7));
  }

  /** A map whose outer group has the annotation of the inner one. */
  static Path mapKeyValue(Path file) {
    return TestFiles.parquetJava(
        file,
        """
        message m {
          optional group m (MAP_KEY_VALUE) {
            repeated group map { required binary key (STRING); optional int32 value; }
          }
        }
        """,
        row -> {
          Group entry = row.addGroup("m").addGroup("map");
          entry.append("key", "k");
          entry.append("value", 1);
        });
  }
}
