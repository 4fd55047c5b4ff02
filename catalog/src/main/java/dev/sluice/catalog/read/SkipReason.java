package dev.sluice.catalog.read;

import dev.sluice.catalog.PartitionTransform;
import java.util.Optional;

/**
 * Why a file surely holds no row for which a part of a condition is true.
 *
 * @param part the part, with every NOT moved down to the comparisons
 * @param evidence what the catalog says against it
 */
public record SkipReason(Predicate part, Evidence evidence) {

  /** One sentence for people, such as {@code amount > 100: the file has amount 1 to 50}. */
  public String text() {
    return PredicateText.of(part) + ": " + evidence.text();
  }

  /** What the catalog says about a file. */
  public sealed interface Evidence {

    /** The same for people. */
    String text();
  }

  /**
   * The column's values lie in a range.
   *
   * @param min the stored lower bound
   * @param max the stored upper bound
   */
  public record Bounds(String min, String max) implements Evidence {
    @Override
    public String text() {
      return "the file's values go from " + min + " to " + max;
    }
  }

  /** Every value of the column is NULL. */
  public record OnlyNulls() implements Evidence {
    @Override
    public String text() {
      return "the file's values are all NULL";
    }
  }

  /** No value of the column is NULL. */
  public record NoNulls() implements Evidence {
    @Override
    public String text() {
      return "the file's values are never NULL";
    }
  }

  /**
   * The file belongs to one partition.
   *
   * @param transform what is taken from the column
   * @param value its stored value; empty for NULL
   */
  public record PartitionValue(PartitionTransform transform, Optional<String> value)
      implements Evidence {
    @Override
    public String text() {
      String of = transform.equals(PartitionTransform.identity()) ? "value" : transform.text();
      return "the file's partition has the " + of + " " + value.orElse("NULL");
    }
  }

  /** There is nothing that could make the part true, whatever the file holds. */
  public record NothingMatches() implements Evidence {
    @Override
    public String text() {
      return "no row can match";
    }
  }
}
