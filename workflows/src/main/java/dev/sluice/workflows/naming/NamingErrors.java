package dev.sluice.workflows.naming;

import dev.sluice.workflows.RegisterTrigger;

/** Makes every error of this package; messages are contract. */
final class NamingErrors {
  private static final int SHOWN = 60;

  private NamingErrors() {}

  static InvalidNameException badFolder(String name, String reason) {
    return new InvalidNameException(
        "prepared folder "
            + quoted(name)
            + ": the name is refused; it "
            + reason
            + "; pass the bare name of one folder, such as customers__query_1785365519_02076d94");
  }

  static InvalidNameException badRelativePath(String path, String reason) {
    return new InvalidNameException(
        "landing path "
            + quoted(path)
            + ": the path is refused; it "
            + reason
            + "; list only objects below the prepared folder");
  }

  static InvalidNameException badToken(String value) {
    return new InvalidNameException(
        "generation token "
            + quoted(value)
            + ": the token is refused; it must be digits, ASCII letters and '_'; derive it from"
            + " the prepared folder's name");
  }

  static InvalidNameException badSourceSchemaId(String value) {
    return new InvalidNameException(
        "source schema id "
            + quoted(value)
            + ": the id is refused; it must be 1 to 100 of A-Z, a-z, 0-9, '_' and '-'; pass the"
            + " id of the source table, normally a UUID");
  }

  static InvalidNameException emptyJobId() {
    return new InvalidNameException(
        "job id '': the id is refused; it is empty; pass the id of the import job");
  }

  static InvalidNameException badSchemaName(String value, String origin) {
    return new InvalidNameException(
        "schema name "
            + quoted(value)
            + " ("
            + origin
            + "): the name is refused; it must be 1 to 63 of a-z, 0-9 and '_' and not begin with a"
            + " digit; correct the configuration");
  }

  static InvalidNameException emptyIdentifier() {
    return new InvalidNameException(
        "table name '': the name is refused; it is empty after trimming; give the source a type or"
            + " a table name");
  }

  static InvalidNameException unknownPolicy(String id, String known) {
    return new InvalidNameException(
        "naming policy " + quoted(id) + ": the policy is unknown; use one of " + known);
  }

  static InvalidNameException negativeOrder(ProducerOrder.Kind kind, long value) {
    return new InvalidNameException(
        "producer order "
            + kind.word()
            + ":"
            + value
            + ": the value is refused; it must not be negative; pass the producer's own time or"
            + " version");
  }

  static InvalidNameException badOrder(String text) {
    return new InvalidNameException(
        "producer order "
            + quoted(text)
            + ": the text is refused; it must be <kind>:<value> with kind import_finished,"
            + " delta_version or folder_epoch and a whole number");
  }

  static InvalidNameException noOrderInFolder(String folder) {
    return new InvalidNameException(
        "prepared folder "
            + quoted(folder)
            + ": no producer order can be derived; the name does not end in __query_<epoch seconds>;"
            + " pass the producer order explicitly");
  }

  static InvalidNameException ordersOfDifferentKinds(ProducerOrder one, ProducerOrder other) {
    return new InvalidNameException(
        "producer orders "
            + one
            + " and "
            + other
            + ": they cannot be compared; a source keeps to one kind of order; send every trigger"
            + " of the source with the same kind");
  }

  static InvalidNameException badTrigger(RegisterTrigger trigger, String problem) {
    return new InvalidNameException(
        "trigger of team "
            + trigger.team()
            + ", source "
            + quoted(shortened(trigger.sourceSchemaId()))
            + ": refused; "
            + problem);
  }

  private static String shortened(String text) {
    return text.codePointCount(0, text.length()) <= SHOWN
        ? text
        : text.substring(0, text.offsetByCodePoints(0, SHOWN)) + "…";
  }

  /** Shows control characters escaped, so that a message stays on one line. */
  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("'");
    text.codePoints()
        .forEach(
            c -> {
              if (Character.isISOControl(c)) {
                out.append("\\u").append(String.format("%04x", c));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.append('\'').toString();
  }
}
