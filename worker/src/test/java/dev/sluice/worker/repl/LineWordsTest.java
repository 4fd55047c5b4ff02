package dev.sluice.worker.repl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LineWordsTest {

  private static List<String> words(String line) {
    return LineWords.of(line).words();
  }

  @Test
  void quotesKeepBlanksTogetherAndSingleOnesAreTakenOff() {
    assertThat(words("  comment shop orders 'what it''s for'  --column \"e \"\" mail\" "))
        .containsExactly(
            "comment", "shop", "orders", "what it's for", "--column", "\"e \"\" mail\"");
    assertThat(words("insert shop orders id=1 name='a b' note=''"))
        .containsExactly("insert", "shop", "orders", "id=1", "name=a b", "note=");
  }

  @Test
  void aConditionKeepsItsQuotes() {
    assertThat(words("scan shop orders WHERE name = 'a  b' and \"x y\" > 'it''s'"))
        .containsExactly(
            "scan", "shop", "orders", "WHERE", "name", "=", "'a  b'", "and", "\"x y\"", ">",
            "'it''s'");
    assertThat(words("update shop orders set name = 'x' where id = 1"))
        .containsExactly(
            "update", "shop", "orders", "set", "name", "=", "'x'", "where", "id", "=", "1");
  }

  @Test
  void aStatementIsOneWord() {
    assertThat(words("sql SELECT 'a  b'  FROM shop.orders"))
        .containsExactly("sql", "SELECT 'a  b'  FROM shop.orders");
  }

  @Test
  void anOpenQuoteGoesOn() {
    assertThat(LineWords.of("comment s t 'two").open()).isTrue();
    assertThat(LineWords.of("comment s t 'two\nlines'").open()).isFalse();
    assertThat(LineWords.of("sql SELECT 'x").open()).isTrue();
    assertThat(words("comment s t 'two\nlines'")).endsWith("two\nlines");
  }

  @Test
  void blanksAloneAreNoWords() {
    assertThat(words(" \t ")).isEmpty();
    assertThat(LineWords.of("scan ").inWord()).isFalse();
    assertThat(LineWords.of("scan").inWord()).isTrue();
  }
}
