package dev.sluice.workflows;

import java.util.Locale;

/** Where a run is, in the order of the stages. */
public enum RegisterStage {
  /** The trigger is being written down. */
  TRIGGER,
  /** The gate is being asked. */
  GATE,
  /** The attempt is being opened in the job table. */
  OPEN,
  /** The source is looked at and the target resolved. */
  PREPARE,
  /** Objects are copied under the lake's data path. */
  LAND,
  /** Footers of the landed files are read. */
  INSPECT,
  /** The landed files are compared with the source. */
  VERIFY,
  /** The generation becomes the live content. */
  PUBLISH,
  /** The outcome is being written to the job table. */
  CLOSE,
  /** The trigger has its outcome. */
  DONE;

  /** Returns the stage as it is printed and indexed, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
