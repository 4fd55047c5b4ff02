package dev.sluice.worker.wiring;

import dev.sluice.activities.jobs.CheckResults;
import dev.sluice.activities.jobs.ErrorText;
import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.ReaperList;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.SourcePauses;
import dev.sluice.activities.jobs.SourceStatuses;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.TableRenames;
import dev.sluice.activities.jobs.TriggerStore;

/**
 * The stores of the home database. Thread-safe.
 *
 * @param database the database they share
 * @param text cleans error texts
 * @param provisioning lakes, teams and sources
 * @param names the registry of table names
 * @param events the history of every source
 * @param triggers what was asked for
 * @param jobs the attempts
 * @param reaperList what the reaper looks after
 * @param checks results of verification
 * @param statuses how sources stand
 * @param pauses sources that are held
 * @param renames renames of teams' tables
 */
public record HomeStores(
    StateDatabase database,
    ErrorText text,
    Provisioning provisioning,
    TableNames names,
    SourceJobEvents events,
    TriggerStore triggers,
    SourceJobs jobs,
    ReaperList reaperList,
    CheckResults checks,
    SourceStatuses statuses,
    SourcePauses pauses,
    TableRenames renames) {

  /** Makes the stores over a database; sends no statement. */
  static HomeStores over(StateDatabase database, ErrorText text) {
    SourceJobEvents events = new SourceJobEvents(database, text);
    TriggerStore triggers = new TriggerStore(database, events, text);
    return new HomeStores(
        database,
        text,
        new Provisioning(database),
        new TableNames(database),
        events,
        triggers,
        new SourceJobs(database, events, triggers, text),
        new ReaperList(database, events, text),
        new CheckResults(database, text),
        new SourceStatuses(database, events, triggers),
        new SourcePauses(database, events, text),
        new TableRenames(database, events));
  }
}
