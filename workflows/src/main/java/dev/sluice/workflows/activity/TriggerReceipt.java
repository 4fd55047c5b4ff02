package dev.sluice.workflows.activity;

import java.util.Objects;

/**
 * Says that a trigger is written down.
 *
 * @param disposition the disposition that is stored now
 */
public record TriggerReceipt(TriggerDisposition disposition) {

  /** Checks presence. */
  public TriggerReceipt {
    Objects.requireNonNull(disposition, "disposition");
  }
}
