package dev.sluice.activities.delta;

/** How the data files' columns are found (Delta protocol, "Column Mapping"). */
public enum ColumnMapping {
  /** By the logical name. */
  NONE,
  /** By the physical name. */
  NAME,
  /** By the field id; names in the files mean nothing. */
  ID
}
