package dev.sluice.activities.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorTextTest {
  private final ErrorText text = new ErrorText(List.of("insights", "pg", "long-secret-value"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "postgresql://u:p4ss@host/db refused | postgresql://u:<redacted>@host/db refused",
        "dbname=x password=p4ss user=u | dbname=x password=<redacted> user=u",
        "Authorization: Bearer abcdef123456 | Authorization: Bearer <redacted>",
        "key?X-Amz-Signature=abc&x=1 | key?X-Amz-Signature=<redacted>&x=1",
        "saw long-secret-value here | saw <redacted> here",
        "pg is no secret word | pg is no secret word",
        "schema insights_data_imports_team_2 | schema insights_data_imports_team_2"
      })
  void secretsAreReplacedAndOrdinaryWordsStay(String given, String expected) {
    assertThat(text.clean(given)).isEqualTo(expected);
  }

  @Test
  void aTextIsCutByCharactersAfterItWasRedacted() {
    String given = "😀".repeat(ErrorText.MAX_LENGTH - 1) + " long-secret-value";

    String clean = text.clean(given);
    assertThat(clean.codePointCount(0, clean.length())).isEqualTo(ErrorText.MAX_LENGTH);
    assertThat(clean).doesNotContain("long");
  }

  @Test
  void nothingStaysNothingAndNulIsRemoved() {
    assertThat(text.cleanOrNull(null)).isNull();
    assertThat(text.clean("a\0b")).isEqualTo("ab");
  }
}
