package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.parquet.DataProbe;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.Catalog;

/**
 * Everything an activity needs of one lake.
 *
 * @param name the lake's configured name
 * @param catalog its catalog
 * @param store its data path
 * @param state Sluice's tables beside it
 * @param probe looks into files of its store where a footer leaves a question open
 */
public record LakeAccess(
    String name, Catalog catalog, ObjectStore store, StateDatabase state, DataProbe probe) {

  /** The lake's key in its own database. */
  public String key() {
    return catalog.info().key();
  }
}
