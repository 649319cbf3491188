import type { ActorRef } from "@/contracts/common";
import { type Permission, type Role, rolePermissions, withImplied } from "@/contracts/permissions";
import { agents, agentTools, apiKeys, conversations, guardConfig, guardVersions, memberships, users, workspaces } from "@/db/schema";
import { type Actor, type Authorized, requirePermission, systemActor, toActorRef } from "@/server/auth/actor";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { toPolicySettings } from "@/server/policy/rules/policy-settings";

type Agent = typeof agents.$inferSelect;
type Conversation = typeof conversations.$inferSelect;
type Workspace = typeof workspaces.$inferSelect;

export type BuiltWorkspace = {
  workspace: Workspace;
  /** The default agent. */
  agent: Agent;
  admin: Actor;
  approver: Actor;
  viewer: Actor;
  /** An API key bound to the default agent, with the scopes of an agent runtime. */
  agentKey: Actor;
};

/** Creates a workspace with a default agent, a user of each role and an agent key. Each call creates an unrelated workspace. */
export async function buildWorkspace(): Promise<BuiltWorkspace> {
  const [workspace] = await db()
    .insert(workspaces)
    .values({ slug: `workspace-${newId()}`, name: "Workspace" })
    .returning();
  if (!workspace) throw new Error("The workspace was not inserted");
  await buildPolicy(workspace.id);
  const agent = await buildAgent(workspace.id, { name: "default", isDefault: true });
  return {
    workspace,
    agent,
    admin: await buildUser(workspace.id, "admin"),
    approver: await buildUser(workspace.id, "approver"),
    viewer: await buildUser(workspace.id, "viewer"),
    agentKey: await buildApiKey(workspace.id, { agentId: agent.id }),
  };
}

/** Creates a new workspace's initial policy as its first version. */
async function buildPolicy(workspaceId: string): Promise<void> {
  const [config] = await db().insert(guardConfig).values({ workspaceId }).returning();
  if (!config) throw new Error("The policy was not inserted");
  const { policyVersion } = config;
  await db()
    .insert(guardVersions)
    .values({
      workspaceId,
      version: policyVersion,
      snapshot: { config: toPolicySettings(config), rules: [] },
      summary: "The policy of a new workspace",
      actor: systemActor,
    });
}

/** Creates a member of a workspace, without a password, and returns the actor of a request. */
export async function buildUser(workspaceId: string, role: Role): Promise<Actor> {
  const id = newId();
  const name = `The ${role}`;
  await db()
    .insert(users)
    .values({ id, email: `${role}-${id}@example.com`, name });
  await db().insert(memberships).values({ workspaceId, userId: id, role });
  return {
    type: "user",
    id,
    name,
    workspaceId,
    role,
    permissions: withImplied(rolePermissions[role]),
    agentId: null,
    personId: id,
    requestId: newId(),
  };
}

/** Creates an API key and returns the actor of a request; the key's text is not kept. Without a creator the key is Handrail's own. */
export async function buildApiKey(
  workspaceId: string,
  {
    agentId = null,
    scopes = ["turns:write", "tools:read"],
    createdBy = systemActor,
  }: { agentId?: string | null; scopes?: Permission[]; createdBy?: ActorRef } = {},
): Promise<Actor> {
  const id = newId();
  const name = "Agent key";
  await db()
    .insert(apiKeys)
    .values({
      id,
      workspaceId,
      name,
      prefix: "hr_test",
      hash: sha256(`hr_${id}`),
      scopes,
      agentId,
      createdBy: toActorRef(createdBy),
    });
  const personId = createdBy.type === "user" ? createdBy.id : id;
  return { type: "api_key", id, name, workspaceId, role: null, permissions: withImplied(scopes), agentId, personId, requestId: newId() };
}

/** Creates an agent with the given tools ticked; no ticks means all tools. */
export async function buildAgent(
  workspaceId: string,
  { tools = [], ...values }: Partial<typeof agents.$inferInsert> & { tools?: string[] } = {},
): Promise<Agent> {
  const [agent] = await db()
    .insert(agents)
    .values({ name: `agent-${newId()}`, ...values, workspaceId })
    .returning();
  if (!agent) throw new Error("The agent was not inserted");
  if (tools.length > 0) {
    await db()
      .insert(agentTools)
      .values(tools.map((toolName) => ({ agentId: agent.id, toolName })));
  }
  return agent;
}

/** Creates a conversation of an agent; actors without a bound agent need `agentId`. */
export async function buildConversation(actor: Actor, values: Partial<typeof conversations.$inferInsert> = {}): Promise<Conversation> {
  const agentId = values.agentId ?? actor.agentId;
  if (!agentId) throw new Error("This actor is bound to no agent: pass agentId");
  const [conversation] = await db()
    .insert(conversations)
    .values({ createdBy: toActorRef(actor), ...values, workspaceId: actor.workspaceId, agentId })
    .returning();
  if (!conversation) throw new Error("The conversation was not inserted");
  return conversation;
}

/** Returns the actor as proof that it holds a permission. @throws AppError `forbidden` when it does not. */
export const authorize = <P extends Permission>(actor: Actor, permission: P): Authorized<P> => requirePermission(actor, permission);
