package dev.sluice.workflows.upstream;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * A sample upstream: imports tables and, when all are there, hands each to Sluice. It shows what an
 * upstream team writes, and needs this module only.
 */
@WorkflowInterface
public interface UpstreamImport {

  /** The workflow's type. */
  String TYPE = "external-data-job";

  /** Imports every table, then starts or signals the register or copy workflow of each. */
  @WorkflowMethod(name = TYPE)
  UpstreamImportResult run(UpstreamImportInput input);
}
