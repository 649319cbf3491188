import "server-only";
import { installShipped } from "./install-shipped";
import { loadWorkspaceSkills, type WorkspaceSkills } from "./workspace-skills";

/** Returns the skills of a workspace, with those that come with Handrail. */
export async function knownSkills(workspaceId: string): Promise<WorkspaceSkills> {
  await installShipped(workspaceId);
  return loadWorkspaceSkills(workspaceId);
}
