package dev.sluice.workflows.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Shake128Test {

  @ParameterizedTest
  @CsvSource({
    "0,7f9c2ba4e88f827d616045507605853e",
    "1,85c8de88d28866bf0868090b3961162b",
    "135,a5e2b2278d1b75866c7877a0ffa24737",
    "136,0d0158d446783a9b18a6908c08bb5de6",
    "166,d415754a0ef1981117004372fa22bc8c",
    "167,4f5c6c53ae8190a8ff8a55b2125d2870",
    "168,c22e11586c22b713bde373fce93314d7",
    "169,09fc23f3acfd944380db0c7f5b1bde62",
    "336,518b1887755367d7464330c186178c44",
    "500,94dad312c54406c13475df8f970c27b8",
  })
  void digestsAreThoseOfTheStandard(int times, String expected) {
    byte[] message = "a".repeat(times).getBytes(StandardCharsets.US_ASCII);
    assertThat(HexFormat.of().formatHex(Shake128.digest(message, 16))).isEqualTo(expected);
  }

  @Test
  void moreThanOneBlockOfOutputIsRefused() {
    assertThatThrownBy(() -> Shake128.digest(new byte[0], 169))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("digest length 169 > 168");
  }
}
