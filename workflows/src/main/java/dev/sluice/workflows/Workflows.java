package dev.sluice.workflows;

import dev.sluice.workflows.internal.CopyWorkflowImpl;
import dev.sluice.workflows.internal.DataModelingRunImpl;
import dev.sluice.workflows.internal.ModelCopyWorkflowImpl;
import dev.sluice.workflows.internal.PublishSetWorkflowImpl;
import dev.sluice.workflows.internal.RegisterWorkflowImpl;
import dev.sluice.workflows.internal.RollbackWorkflowImpl;
import dev.sluice.workflows.internal.UpstreamImportImpl;
import java.util.List;

/** What a worker registers. */
public final class Workflows {
  /** Task queue of Sluice's own workers unless configured otherwise. */
  public static final String TASK_QUEUE = "sluice";

  private Workflows() {}

  /** Returns the implementation classes of Sluice's workflows. */
  public static List<Class<?>> implementations() {
    return List.of(
        RegisterWorkflowImpl.class,
        CopyWorkflowImpl.class,
        ModelCopyWorkflowImpl.class,
        RollbackWorkflowImpl.class,
        PublishSetWorkflowImpl.class);
  }

  /** Returns the implementation classes of the sample upstream, for the demo and for tests. */
  public static List<Class<?>> sampleUpstream() {
    return List.of(UpstreamImportImpl.class, DataModelingRunImpl.class);
  }
}
