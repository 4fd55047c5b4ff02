package dev.sluice.activities.temporal;

import dev.sluice.activities.landing.DeletedRows;
import dev.sluice.activities.parquet.MatchOptions;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.PreparedFolder;

/** Where sources' files lie and how strictly they are taken. */
public interface Sources {

  /** Returns a store whose root is the prepared folder of the trigger. */
  ObjectStore preparedFolder(RegisterTrigger trigger, PreparedFolder folder);

  /** Returns a store whose root is the folder of the Delta table of the trigger's source. */
  ObjectStore deltaTable(RegisterTrigger trigger);

  /** Returns the options of the trigger's source. */
  Options options(RegisterTrigger trigger);

  /**
   * How a source is taken.
   *
   * @param match what the files of a generation may lack or have more than others
   * @param schemaPolicy how far a generation may change the table's columns
   * @param foreignContent what becomes of content that is not ours
   * @param deletedRows what becomes of rows that a Delta table's deletion vectors take out
   */
  record Options(
      MatchOptions match,
      SchemaPolicy schemaPolicy,
      ForeignContent foreignContent,
      DeletedRows deletedRows) {

    /** Deleted rows stay in copied files. */
    public Options(MatchOptions match, SchemaPolicy schemaPolicy, ForeignContent foreignContent) {
      this(match, schemaPolicy, foreignContent, DeletedRows.KEEP);
    }

    /** Missing columns read as NULL, columns follow the source, foreign content is refused. */
    public static Options defaults() {
      return new Options(
          new MatchOptions(
              MatchOptions.MissingColumns.READ_AS_DEFAULT,
              MatchOptions.ExtraColumns.REFUSE,
              MatchOptions.PartitionValues.WHEN_KNOWN),
          SchemaPolicy.SYNC,
          ForeignContent.REFUSE);
    }
  }
}
