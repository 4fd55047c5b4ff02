package dev.sluice.catalog.commit;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One logical change of a lake. The changes of a request are applied in order to the state read
 * under the lock and become one snapshot; column paths are names from the top-level column down.
 */
public sealed interface Change {

  /** Makes a schema. Refused if the name is taken, unless {@code existing} says to use it. */
  record CreateSchema(String name, IfExists existing) implements Change {}

  /** Ends a schema that holds no table, view or macro. */
  record DropSchema(String name) implements Change {}

  /** Makes a table; its schema must exist or be made earlier in the request. */
  record CreateTable(
      TableName name, List<ColumnSpec> columns, List<PartitionKey> partitioning, IfExists existing)
      implements Change {
    /** Copies the lists. */
    public CreateTable {
      columns = List.copyOf(columns);
      partitioning = List.copyOf(partitioning);
    }
  }

  /** Renames within the schema; id, UUID, path and content stay. */
  record RenameTable(TableRef table, String newName) implements Change {}

  /** Ends the table and everything that hangs on it. */
  record DropTable(TableRef table) implements Change {}

  /** Adds a column; {@code parent} is empty for a top-level column, else the struct's path. */
  record AddColumn(TableRef table, List<String> parent, ColumnSpec column) implements Change {
    /** Copies the path. */
    public AddColumn {
      parent = List.copyOf(parent);
    }
  }

  /** Ends a column and its children. Refused for partition and sort keys and the last column. */
  record DropColumn(TableRef table, List<String> column) implements Change {
    /** Copies the path. */
    public DropColumn {
      column = List.copyOf(column);
    }
  }

  /** Renames a column; the id stays. */
  record RenameColumn(TableRef table, List<String> column, String newName) implements Change {
    /** Copies the path. */
    public RenameColumn {
      column = List.copyOf(column);
    }
  }

  /** Widens a leaf column's type (ducklake-format 4.4); anything else is refused. */
  record RetypeColumn(TableRef table, List<String> column, ColumnType newType) implements Change {
    /** Copies the path. */
    public RetypeColumn {
      column = List.copyOf(column);
    }
  }

  /** Sets the partition spec; no keys means unpartitioned from now on. */
  record SetPartitioning(TableRef table, List<PartitionKey> keys) implements Change {
    /** Copies the keys. */
    public SetPartitioning {
      keys = List.copyOf(keys);
    }
  }

  /** Sets the order in which files are written; no keys means none from now on. */
  record SetSortOrder(TableRef table, List<SortKey> keys) implements Change {
    /** Copies the keys. */
    public SetSortOrder {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Sets or removes a comment.
   *
   * @param column names from the top-level column down; empty for the table itself
   * @param comment null removes it
   */
  record SetComment(TableRef table, List<String> column, @Nullable String comment)
      implements Change {
    /** Copies the path. */
    public SetComment {
      column = List.copyOf(column);
    }
  }

  /**
   * Sets or removes what a top-level column is given where an insert says nothing. Rows that are
   * there keep what they read as.
   *
   * @param constant its text form; null removes the default
   */
  record SetDefault(TableRef table, String column, @Nullable String constant) implements Change {}

  /**
   * Allows or forbids NULL in a top-level column. Forbidding it is refused while any live row may
   * hold NULL there, as far as the files' statistics tell.
   */
  record SetNulls(TableRef table, String column, Nulls nulls) implements Change {}

  /**
   * Adds data files. A path that any data file row, live or ended, or a scheduled deletion already
   * names is refused.
   */
  record AddDataFiles(TableRef table, List<NewDataFile> files) implements Change {
    /** Copies the files. */
    public AddDataFiles {
      files = List.copyOf(files);
    }
  }

  /** Adds positional delete files, each superseding the live one of its data file. */
  record AddDeleteFiles(TableRef table, List<NewDeleteFile> files) implements Change {
    /** Copies the files. */
    public AddDeleteFiles {
      files = List.copyOf(files);
    }
  }

  /**
   * Ends data files of which no row is left, together with their delete files (ducklake-format 8.1:
   * no delete file is written for such a file). They must be live.
   */
  record EndDataFiles(TableRef table, List<Long> dataFileIds) implements Change {
    /** Copies the ids. */
    public EndDataFiles {
      dataFileIds = List.copyOf(dataFileIds);
    }
  }

  /**
   * Deletes rows of data files inside the catalog (ducklake-format 8.2), where rows of those files
   * are deleted already. A delete file would not do: DuckDB's flush makes one that begins where the
   * oldest of its deletes does, and two would be live in between.
   */
  record DeleteInCatalog(TableRef table, List<InlinedDelete> deletes) implements Change {
    /** Copies the deletes. */
    public DeleteInCatalog {
      deletes = List.copyOf(deletes);
    }
  }

  /**
   * Rows of one data file.
   *
   * @param dataFileId the data file; must be live, with rows deleted inside the catalog
   * @param positions places of rows that are not deleted yet, from 0
   */
  record InlinedDelete(long dataFileId, List<Long> positions) {
    /** Copies the positions. */
    public InlinedDelete {
      positions = List.copyOf(positions);
    }
  }

  /** Ends rows that DuckDB keeps in the catalog (ducklake-format 8.3). They must be live. */
  record EndInlinedRows(TableRef table, List<Long> rowIds) implements Change {
    /** Copies the ids. */
    public EndInlinedRows {
      rowIds = List.copyOf(rowIds);
    }
  }

  /**
   * Changes nothing, but refuses the request when anything in the table has changed since its base:
   * for a request whose new rows were chosen by looking at the rows that are there.
   */
  record RequireUnchanged(TableRef table) implements Change {}

  /**
   * A positional delete file of one data file.
   *
   * @param dataFileId the data file; must be live
   * @param path full path of the object
   * @param deleteCount all positions in it, old and new
   * @param fileSizeBytes exact size
   * @param footerSize footer length; null when unknown
   */
  record NewDeleteFile(
      long dataFileId,
      String path,
      long deleteCount,
      long fileSizeBytes,
      @Nullable Long footerSize) {

    static NewDeleteFile of(long dataFileId, NewDataFile.Deletes deletes) {
      return new NewDeleteFile(
          dataFileId,
          deletes.path(),
          deletes.count(),
          deletes.fileSizeBytes(),
          deletes.footerSize());
    }
  }

  /**
   * Publication: makes {@code files} the whole content of the table, whatever is live when the lock
   * is held. Schema and table are made when missing; otherwise the table keeps its id, name,
   * comments and partition spec, its columns become {@code columns} by name as far as {@code
   * policy} allows, and all live data files, delete files and inlined rows end. A live file whose
   * path is among {@code files} keeps its row open, if no more of its rows are deleted than {@code
   * files} says; its delete file stays open as well, or is superseded by the new one.
   *
   * @param name the stable name
   * @param columns the columns that the new content has
   * @param partitioning spec for a table made now; an existing table keeps its own (files then
   *     carry values for those keys, or none)
   * @param files the content; empty publishes an empty table
   * @param policy what may happen to the columns of an existing table
   * @param foreign what to do with live content that no commit of ours made
   * @param requiredTableId the table that the name must still mean; null when the caller does not
   *     care
   */
  record ReplaceContent(
      TableName name,
      List<ColumnSpec> columns,
      List<PartitionKey> partitioning,
      List<NewDataFile> files,
      SchemaPolicy policy,
      ForeignContent foreign,
      @Nullable Long requiredTableId)
      implements Change {
    /** Copies the lists. */
    public ReplaceContent {
      columns = List.copyOf(columns);
      partitioning = List.copyOf(partitioning);
      files = List.copyOf(files);
    }
  }

  /** What to do when the thing to make is there already. */
  enum IfExists {
    REFUSE,
    KEEP
  }

  /** How far a publication may change an existing table's columns. */
  enum SchemaPolicy {
    /** Add, drop and widen by name; a change that is no widening re-creates the column. */
    SYNC,
    /** The same as {@link #SYNC}; whoever publishes reports what changed. */
    WARN,
    /** Add and widen; columns that the new content lacks stay and read as NULL. */
    ADD_ONLY,
    /** Any difference refuses the publication. */
    FAIL
  }

  /** Policy for live files or rows in the target that Sluice did not put there. */
  enum ForeignContent {
    REFUSE,
    REPLACE
  }
}
