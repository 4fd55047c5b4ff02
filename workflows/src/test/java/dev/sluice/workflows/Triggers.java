package dev.sluice.workflows;

import dev.sluice.workflows.naming.ProducerOrder;

/** Triggers of a made-up source. */
final class Triggers {
  static final String SOURCE = "0198f2d0-1111-7000-8000-000000000001";
  private static final long FIRST_EPOCH = 1785365519;

  private Triggers() {}

  static RegisterTrigger generation(int number) {
    return generation(SOURCE, number);
  }

  static RegisterTrigger generation(String source, int number) {
    String folder = "invoices__query_" + (FIRST_EPOCH + number);
    return new RegisterTrigger(
        123,
        "job-" + number,
        source,
        "Stripe",
        null,
        "invoices",
        folder,
        ProducerOrder.ofFolder(folder),
        null,
        null);
  }

  /** A copy of the same source; the job is named after the order. */
  static RegisterTrigger copy(ProducerOrder order) {
    return RegisterTrigger.copy(
        123, "job-" + order.value(), SOURCE, "Stripe", null, "invoices", order, null, null);
  }

  /** The copy of a model; it is called after the query. */
  static RegisterTrigger model(String query, ProducerOrder order) {
    return RegisterTrigger.model(
        123,
        "job-" + order.value(),
        query,
        "",
        "Model " + query,
        "s3://source/models/" + query,
        order,
        null,
        null);
  }

  static String token(int number) {
    return generation(number).generation().value();
  }
}
