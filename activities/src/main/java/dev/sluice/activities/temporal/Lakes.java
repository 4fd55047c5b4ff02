package dev.sluice.activities.temporal;

/** The lakes a worker knows. */
@FunctionalInterface
public interface Lakes {

  /**
   * Returns the lake of that name, opened and checked.
   *
   * @throws dev.sluice.catalog.error.CatalogException when it cannot be opened
   * @throws dev.sluice.activities.jobs.StateException when there is none of that name
   */
  LakeAccess require(String name);
}
