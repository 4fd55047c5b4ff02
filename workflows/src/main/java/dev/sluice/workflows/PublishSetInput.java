package dev.sluice.workflows;

import dev.sluice.workflows.activity.WorkflowPath;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Asks for prepared generations of several sources to become visible together.
 *
 * @param name names the set, as in the workflow's id
 * @param members one generation per source, all for tables of one lake
 */
public record PublishSetInput(String name, List<RegisterTrigger> members) {

  /** Copies the list; a set has at least one member, and no source twice. */
  public PublishSetInput {
    Objects.requireNonNull(name, "name");
    members = List.copyOf(members);
    Set<String> sources = new HashSet<>();
    for (RegisterTrigger member : members) {
      if (member.path() != WorkflowPath.REGISTER) {
        throw new IllegalArgumentException(
            "set "
                + name
                + ": source "
                + member.sourceSchemaId()
                + " is to be copied; a set is made of prepared folders");
      }
      if (!sources.add(member.team() + "/" + member.sourceSchemaId())) {
        throw new IllegalArgumentException(
            "set "
                + name
                + ": source "
                + member.sourceSchemaId()
                + " is in it twice; a table has one content in a snapshot");
      }
    }
    if (members.isEmpty()) {
      throw new IllegalArgumentException("set " + name + ": has no member");
    }
  }
}
