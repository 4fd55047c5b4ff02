package dev.sluice.activities.temporal;

import dev.sluice.activities.query.DataFiles;

/** The data files of the lakes a worker knows, for reading what is in them. */
@FunctionalInterface
public interface LakeFiles {

  /** Returns the files of a lake. */
  DataFiles of(LakeAccess lake);
}
