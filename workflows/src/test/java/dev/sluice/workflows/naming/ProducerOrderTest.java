package dev.sluice.workflows.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProducerOrderTest {

  @Test
  void theFoldersEpochIsAnOrder() {
    assertThat(ProducerOrder.ofFolder("customers__query_1785365519_02076d94"))
        .isEqualTo(new ProducerOrder(ProducerOrder.Kind.FOLDER_EPOCH, 1785365519));
  }

  @ParameterizedTest
  @ValueSource(strings = {"customers", "customers__query", "c__query_99999999999999999999"})
  void aFolderWithoutAnEpochNeedsAnExplicitOrder(String folder) {
    assertThat(ProducerOrder.findInFolder(folder)).isEmpty();
    assertThatThrownBy(() -> ProducerOrder.ofFolder(folder))
        .isInstanceOf(InvalidNameException.class)
        .hasMessage(
            "prepared folder '"
                + folder
                + "': no producer order can be derived; the name does not end in"
                + " __query_<epoch seconds>; pass the producer order explicitly");
  }

  @Test
  void ordersOfOneKindAreCompared() {
    assertThat(ProducerOrder.deltaVersion(10).isNewerThan(ProducerOrder.deltaVersion(9))).isTrue();
    assertThat(ProducerOrder.deltaVersion(9).isNewerThan(ProducerOrder.deltaVersion(9))).isFalse();
    assertThat(ProducerOrder.deltaVersion(8).isNewerThan(ProducerOrder.deltaVersion(9))).isFalse();
  }

  @Test
  void ordersOfDifferentKindsAreNot() {
    ProducerOrder version = ProducerOrder.deltaVersion(7);
    ProducerOrder time = ProducerOrder.importFinished(Instant.ofEpochSecond(1));
    assertThat(version.comparableWith(time)).isFalse();
    assertThatThrownBy(() -> version.isNewerThan(time))
        .isInstanceOf(InvalidNameException.class)
        .hasMessage(
            "producer orders delta_version:7 and import_finished:1000000: they cannot be"
                + " compared; a source keeps to one kind of order; send every trigger of the"
                + " source with the same kind");
  }

  @Test
  void textIsReadBack() {
    for (ProducerOrder.Kind kind : ProducerOrder.Kind.values()) {
      ProducerOrder order = new ProducerOrder(kind, 42);
      assertThat(ProducerOrder.parse(order.toString())).isEqualTo(order);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "42", ":42", "delta_version", "delta_version:", "other:1"})
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> ProducerOrder.parse(text))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageStartingWith("producer order '" + text + "': the text is refused;");
  }

  @Test
  void negativeOrdersAreRefused() {
    assertThatThrownBy(() -> ProducerOrder.deltaVersion(-1))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageStartingWith("producer order delta_version:-1: the value is refused;");
  }

  @Test
  void theNewestVersionIsNewerThanAnyThatIsKnown() {
    ProducerOrder newest = ProducerOrder.NEWEST_DELTA_VERSION;

    assertThat(newest.isNewerThan(ProducerOrder.deltaVersion(7))).isTrue();
    assertThat(newest.isNewerThan(newest)).isFalse();
    assertThat(newest.findDeltaVersion()).isEmpty();
    assertThat(ProducerOrder.deltaVersion(7).findDeltaVersion()).hasValue(7L);
    assertThat(ProducerOrder.parse(newest.toString())).isEqualTo(newest);
  }
}
