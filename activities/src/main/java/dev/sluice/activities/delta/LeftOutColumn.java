package dev.sluice.activities.delta;

import java.util.List;

/**
 * A column, or a field inside one, that the table has and its reader leaves out, because it can
 * hold nothing but NULL.
 *
 * @param path logical names from the top-level column down
 * @param reason why, as part of a sentence ("it is of type void, …")
 */
public record LeftOutColumn(List<String> path, String reason) {

  /** Copies the path. */
  public LeftOutColumn {
    path = List.copyOf(path);
  }

  /** The sentence for a result: column and reason. */
  public String text() {
    return "column '%s' is left out: %s".formatted(String.join(".", path), reason);
  }
}
