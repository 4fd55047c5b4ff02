package dev.sluice.activities.query;

import dev.sluice.catalog.read.ScanFile;
import java.util.stream.LongStream;

/** Tells which rows of files are deleted beside what their delete files say. */
interface DeletedPositions {

  /** Those that the catalog itself holds. */
  DeletedPositions INLINED =
      new DeletedPositions() {
        @Override
        public boolean any(ScanFile file) {
          return !file.inlinedDeletes().isEmpty();
        }

        @Override
        public LongStream of(ScanFile file) {
          return file.inlinedDeletes().stream().mapToLong(Long::longValue);
        }
      };

  /** Whether there is any. */
  boolean any(ScanFile file);

  /** Positions in the file, counted from 0; not held in memory, however many. */
  LongStream of(ScanFile file);
}
