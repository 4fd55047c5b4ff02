package dev.sluice.activities.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateDatabaseTest {

  private final StateFixture fixture = new StateFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static int raise(DSLContext dsl, String state) {
    return dsl.execute("DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '" + state + "'; END $$");
  }

  private static String setting(DSLContext dsl, String name) {
    return String.valueOf(dsl.fetchValue("SELECT current_setting(?)", name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "08006", "25006", "25P03", "25P04", "40001", "40P01", "53300", "55P03", "57014", "57P01"
      })
  void whatPassesMayBeTriedAgain(String state) {
    StateException passing =
        catchThrowableOfType(
            StateException.class, () -> fixture.home.write(dsl -> raise(dsl, state)));

    assertThat(passing).hasMessageContaining("home database");
    assertThat(passing.kind()).isEqualTo(StateException.Kind.UNAVAILABLE);
    assertThat(passing.retryable()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"22001", "23505", "42P01"})
  void whatWouldFailAgainIsNotCalledPassing(String state) {
    assertThat(
            catchThrowableOfType(
                DataAccessException.class, () -> fixture.home.write(dsl -> raise(dsl, state))))
        .hasMessageContaining("no");
  }

  @Test
  void aWritingTransactionIsBoundedAndLeavesNothingOnItsSession() {
    String before = fixture.home.read(dsl -> setting(dsl, "idle_in_transaction_session_timeout"));

    fixture.home.write(
        dsl -> {
          assertThat(setting(dsl, "lock_timeout")).isEqualTo("20s");
          assertThat(setting(dsl, "statement_timeout")).isEqualTo("1min");
          assertThat(setting(dsl, "idle_in_transaction_session_timeout")).isEqualTo("15s");
          return dsl;
        });

    String after = fixture.home.read(dsl -> setting(dsl, "idle_in_transaction_session_timeout"));
    assertThat(after).isEqualTo(before);
  }
}
