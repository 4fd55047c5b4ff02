package dev.sluice.activities.jobs;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rename of a team's tables from the names of one naming policy to those of another. Written down
 * before the lake is changed; whoever finds one that is applying finishes it.
 *
 * @param id names it; part of the key it is carried out under
 * @param team the team
 * @param lake configured name of the lake that all of the tables are in
 * @param fromPolicy id of the naming policy of before
 * @param toPolicy id of the naming policy of afterwards
 * @param undoes the rename that this one takes back; null for one that a policy was asked for by
 *     name
 * @param opening the highest opening of an attempt when it began: attempts opened earlier have
 *     ended
 * @param state how far it is
 * @param reason why it was given up; null unless it was
 * @param snapshotId the snapshot that renamed the tables; null before that, and when none of them
 *     existed
 * @param begunAt when it was written down
 * @param finishedAt when it was done or given up; null before that
 * @param items the tables whose names change
 */
public record TableRename(
    long id,
    long team,
    String lake,
    String fromPolicy,
    String toPolicy,
    @Nullable Long undoes,
    long opening,
    State state,
    @Nullable String reason,
    @Nullable Long snapshotId,
    Instant begunAt,
    @Nullable Instant finishedAt,
    List<Item> items) {

  /** Copies the list. */
  public TableRename {
    Objects.requireNonNull(lake, "lake");
    Objects.requireNonNull(fromPolicy, "fromPolicy");
    Objects.requireNonNull(toPolicy, "toPolicy");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(begunAt, "begunAt");
    items = List.copyOf(items);
  }

  /**
   * One table.
   *
   * @param schemaId the source that publishes to it
   * @param schema its schema, which stays
   * @param oldName its name before
   * @param newName its name afterwards
   */
  public record Item(String schemaId, String schema, String oldName, String newName) {

    /** Checks presence. */
    public Item {
      Objects.requireNonNull(schemaId, "schemaId");
      Objects.requireNonNull(schema, "schema");
      Objects.requireNonNull(oldName, "oldName");
      Objects.requireNonNull(newName, "newName");
    }
  }

  /** How far a rename is. */
  public enum State {
    /** It was begun; what of it took place is in the lake. */
    APPLYING,
    /** Lake and registry have the new names. */
    DONE,
    /** The lake refused it; nothing has changed. */
    ABANDONED;

    /** Returns the state as it is stored, in lower case. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
