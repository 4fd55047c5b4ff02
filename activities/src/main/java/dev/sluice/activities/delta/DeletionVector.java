package dev.sluice.activities.delta;

/**
 * Where the positions of a file's deleted rows are kept (Delta protocol, "Deletion Vectors"). Read
 * them with {@link DeltaDeletes}.
 */
public sealed interface DeletionVector {

  /** Length of the serialised positions, without the framing of a file. */
  int sizeBytes();

  /** Number of deleted rows, as of the log. */
  long cardinality();

  /**
   * In the log itself.
   *
   * @param encoded the serialised positions in Z85
   */
  record Inline(String encoded, int sizeBytes, long cardinality) implements DeletionVector {}

  /**
   * In an object, possibly beside others.
   *
   * @param key the object's key below the table's folder
   * @param offset where in the object the vector's frame begins
   */
  record Stored(String key, int offset, int sizeBytes, long cardinality)
      implements DeletionVector {}
}
