package dev.sluice.workflows.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GenerationTokenTest {

  @ParameterizedTest
  @CsvSource({
    "customers__query_1785365519_02076d94,1785365519_02076d94",
    "customers__query_1785365519,1785365519",
    "a__query_1__query_22,22",
    "customers__query,ecd7521e431d",
    "customers__query_1785365519_02076d9,x",
    "customers__query_1785365519_02076d94x,x",
    "customers__query_٣,x",
    "customers,x",
  })
  void tokenIsTheFoldersEpochOrItsHash(String folder, String expected) {
    String token = GenerationToken.ofFolder(folder).value();
    if (expected.equals("x")) {
      assertThat(token).matches("[0-9a-f]{12}");
    } else {
      assertThat(token).isEqualTo(expected);
    }
  }

  @Test
  void aTokenThatIsNoPathSegmentIsRefused() {
    assertThatThrownBy(() -> new GenerationToken("a/b"))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageStartingWith("generation token 'a/b': the token is refused; it must be digits");
  }

  @Test
  void attemptIdsNameJobAndGeneration() {
    assertThat(AttemptId.register("job-1", new GenerationToken("1785365519_02076d94")))
        .isEqualTo("job-1:1785365519_02076d94");
  }

  @Test
  void aDeltaVersionHasATokenThatTellsIt() {
    assertThat(GenerationToken.ofDelta(12L).value()).isEqualTo("v12");
    assertThat(GenerationToken.ofDelta(null).value()).isEqualTo("newest");
    assertThat(GenerationToken.findDeltaVersion("v12")).hasValue(12L);
    assertThat(GenerationToken.findDeltaVersion("1785365519_02076d94")).isEmpty();
    assertThat(GenerationToken.findDeltaVersion("newest")).isEmpty();
  }
}
