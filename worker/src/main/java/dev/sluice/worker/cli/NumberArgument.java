package dev.sluice.worker.cli;

/** A number that a person typed. */
final class NumberArgument {

  private NumberArgument() {}

  /**
   * Reads a number of 0 or more.
   *
   * @param name what it is, for the error
   * @throws CommandException for anything else
   */
  static long parse(String name, String text) {
    long number;
    try {
      number = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw CommandErrors.badNumber(name, text);
    }
    if (number < 0) {
      throw CommandErrors.badNumber(name, text);
    }
    return number;
  }
}
