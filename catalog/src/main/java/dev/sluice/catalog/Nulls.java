package dev.sluice.catalog;

/** Whether a column accepts NULL. */
public enum Nulls {
  ALLOWED,
  FORBIDDEN
}
