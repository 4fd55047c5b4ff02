package dev.sluice.workflows.activity;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says that a trigger is written down.
 *
 * @param disposition the disposition that is stored now
 * @param reason why it differs from what was asked; null when it does not
 */
public record TriggerReceipt(TriggerDisposition disposition, @Nullable String reason) {

  /** Checks presence. */
  public TriggerReceipt {
    Objects.requireNonNull(disposition, "disposition");
  }

  /** Returns the receipt of a trigger that was written down as asked. */
  public static TriggerReceipt asAsked(TriggerRecord asked) {
    return new TriggerReceipt(asked.disposition(), null);
  }
}
