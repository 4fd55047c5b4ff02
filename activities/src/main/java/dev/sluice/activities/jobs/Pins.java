package dev.sluice.activities.jobs;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Named pins and reader leases that hold snapshots of a lake against expiry. Stateless; works in
 * the caller's transaction, or commits by itself on a plain context.
 */
public final class Pins {
  private Pins() {}

  /**
   * A pin.
   *
   * @param name unique in the lake
   * @param snapshotId the snapshot that must stay readable
   * @param holder who holds it
   * @param reason what for
   * @param expiresAt when it no longer holds; null for one without an end
   */
  public record Pin(
      String name, long snapshotId, String holder, String reason, @Nullable Instant expiresAt) {}

  /** Sets a pin; a later call for the name wins. */
  public static void set(DSLContext dsl, String lake, Pin pin) {
    dsl.execute(
        """
        INSERT INTO sluice.pin (lake, pin_name, snapshot_id, holder, reason, created_at, expires_at)
        VALUES (?, ?, ?, ?, ?, now(), CAST(? AS timestamptz))
        ON CONFLICT (lake, pin_name) DO UPDATE SET snapshot_id = excluded.snapshot_id,
          holder = excluded.holder, reason = excluded.reason, expires_at = excluded.expires_at
        """,
        lake,
        pin.name(),
        pin.snapshotId(),
        pin.holder(),
        pin.reason(),
        pin.expiresAt());
  }

  /** Removes a pin; no effect when it is not there. */
  public static void release(DSLContext dsl, String lake, String name) {
    dsl.execute("DELETE FROM sluice.pin WHERE lake = ? AND pin_name = ?", lake, name);
  }

  /** The pins that hold at the given time, by name. */
  public static List<Pin> holding(DSLContext dsl, String lake, Instant at) {
    return dsl.fetch(
            """
            SELECT * FROM sluice.pin
            WHERE lake = ? AND (expires_at IS NULL OR expires_at > CAST(? AS timestamptz))
            ORDER BY pin_name
            """,
            lake,
            at)
        .map(
            row ->
                new Pin(
                    row.get("pin_name", String.class),
                    row.get("snapshot_id", Long.class),
                    row.get("holder", String.class),
                    row.get("reason", String.class),
                    row.get("expires_at", Instant.class)));
  }

  /** Finds the oldest snapshot that a pin holds at the given time. */
  public static OptionalLong oldestHeld(DSLContext dsl, String lake, Instant at) {
    return holding(dsl, lake, at).stream().mapToLong(Pin::snapshotId).min();
  }
}
