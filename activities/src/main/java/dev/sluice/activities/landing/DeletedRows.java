package dev.sluice.activities.landing;

/** What becomes of rows that a Delta table's deletion vectors take out of its files. */
public enum DeletedRows {
  /** They stay in the copied files, out of sight: cheap, and the change feed still knows them. */
  KEEP,
  /** Files that hold any are written anew without them, as deletion on request needs it. */
  REMOVE
}
