package dev.sluice.workflows.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SummaryTextTest {

  @Test
  void aShortTextStaysAndComesInOneLine() {
    assertThat(SummaryText.line("copy model\r\nof team 1")).isEqualTo("copy model of team 1");
  }

  @Test
  void aTextThatJustFitsStays() {
    String fits = "a".repeat(SummaryText.MAX_BYTES);

    assertThat(SummaryText.line(fits)).isEqualTo(fits);
  }

  @Test
  void aLongTextIsCutByItsBytesBetweenTwoCharacters() {
    for (String character : new String[] {"a", "é", "表", "🦆"}) {
      String cut = SummaryText.line(character.repeat(SummaryText.MAX_BYTES + 1));

      int bytes = cut.getBytes(StandardCharsets.UTF_8).length;
      assertThat(bytes)
          .as(character)
          .isLessThanOrEqualTo(SummaryText.MAX_BYTES)
          .isGreaterThan(SummaryText.MAX_BYTES - 4);
      assertThat(cut.substring(0, cut.length() - 1).replace(character, "")).isEmpty();
      assertThat(cut).endsWith("…");
    }
  }
}
