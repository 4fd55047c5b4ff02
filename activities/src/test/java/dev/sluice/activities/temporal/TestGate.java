package dev.sluice.activities.temporal;

import dev.sluice.workflows.activity.GateActivities;
import dev.sluice.workflows.activity.GateCheck;
import dev.sluice.workflows.activity.GateDecision;
import java.util.function.Supplier;

/** A gate that the test opens, closes or breaks. */
final class TestGate implements GateActivities {

  private volatile Supplier<GateDecision> decision = GateDecision::open;

  void open() {
    decision = GateDecision::open;
  }

  void close(String reason) {
    decision = () -> GateDecision.closed(reason);
  }

  void answer(Supplier<GateDecision> answer) {
    decision = answer;
  }

  void breakWith(RuntimeException failure) {
    decision =
        () -> {
          throw failure;
        };
  }

  @Override
  public GateDecision check(GateCheck input) {
    return decision.get();
  }
}
