package dev.sluice.activities.delta;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Values as texts that are equal exactly when the values are. */
final class RowTexts {

  static final String NULL = "∅";

  private RowTexts() {}

  static String text(String value) {
    return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  static String day(long sinceEpoch) {
    return "d" + sinceEpoch;
  }

  static String micros(long sinceEpoch) {
    return "t" + sinceEpoch;
  }

  static String real(double value) {
    return Double.toString(value);
  }

  static String number(BigDecimal value) {
    return value.stripTrailingZeros().toPlainString();
  }

  static String struct(List<String> fields) {
    return "{" + String.join(", ", fields) + "}";
  }

  static String list(List<String> elements) {
    return "[" + String.join(", ", elements) + "]";
  }

  /** Entries have no order. */
  static String map(List<String> keys, List<String> values) {
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      entries.add(keys.get(i) + "→" + values.get(i));
    }
    return "<" + String.join(", ", entries.stream().sorted().toList()) + ">";
  }
}
