import "server-only";
import { and, eq } from "drizzle-orm";
import type { GrantDraft, GrantScope } from "@/contracts/guard/grants";
import { normalRepository } from "@/contracts/lib/normal-repository";
import type { Db } from "@/db/client";
import { agents, apiKeys, conversations, memberships, users } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { maySee } from "@/server/conversations/find-conversation";
import { AppError } from "@/server/platform/errors";
import { invalidGrant } from "./invalid-grant";

/**
 * Checks that the scope of a grant exists and that the actor may grant for it. Approvers may grant for a conversation that
 * they may see and for themselves; every other scope needs an admin.
 * @returns the id of the scope; null for the workspace
 * @throws AppError `forbidden`, `invalid`, `not_found`
 */
export async function requireGrantScope(
  tx: Pick<Db, "select">,
  actor: Authorized<"approvals:decide">,
  { scope, scopeId }: Pick<GrantDraft, "scope" | "scopeId">,
): Promise<string | null> {
  const isAdmin = actor.permissions.has("admin");
  if (scope !== "conversation" && !(scope === "user" && (scopeId ?? actor.id) === actor.id) && !isAdmin) {
    throw new AppError("forbidden", `${onlyAdmins[scope]} Ask an admin, or grant it for the conversation.`);
  }
  if (scope === "workspace") {
    if (scopeId !== undefined && scopeId !== actor.workspaceId)
      throw invalidGrant("scopeId", "A grant for the workspace takes no other scopeId.");
    return null;
  }
  if (scope === "repository") {
    if (scopeId === undefined) throw invalidGrant("scopeId", "A grant for a repository needs scopeId: the address of the repository.");
    const repository = normalRepository(scopeId);
    if (repository === "" || repository.includes("*")) throw invalidGrant("scopeId", "Name one repository, such as github.com/acme/shop.");
    return repository;
  }
  const id = scope === "user" ? (scopeId ?? actor.id) : scopeId;
  if (id === undefined) throw invalidGrant("scopeId", `A grant for the scope ${scope} needs scopeId: the id of the ${scope}.`);
  if (!(await exists(tx, actor, scope, id))) {
    throw new AppError("not_found", `There is no ${scope === "user" ? "user or API key" : scope} with the id ${id} in this workspace.`);
  }
  return id;
}

const onlyAdmins: Record<Exclude<GrantScope, "conversation">, string> = {
  repository: "Only an admin of the workspace grants something to everybody who works in a repository.",
  agent: "Only an admin of the workspace grants something to all conversations of an agent.",
  user: "Only an admin of the workspace grants something to somebody else.",
  workspace: "Only an admin of the workspace grants something to the whole workspace.",
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function exists(
  tx: Pick<Db, "select">,
  actor: Authorized<"approvals:decide">,
  scope: "conversation" | "agent" | "user",
  id: string,
): Promise<boolean> {
  if (!uuid.test(id)) return false;
  const { workspaceId } = actor;
  if (scope === "conversation") {
    const [found] = await tx
      .select({ agentId: conversations.agentId })
      .from(conversations)
      .where(and(eq(conversations.id, id), eq(conversations.workspaceId, workspaceId)));
    return found !== undefined && maySee(actor, found);
  }
  if (scope === "agent") {
    const found = await tx
      .select({ id: agents.id })
      .from(agents)
      .where(and(eq(agents.id, id), eq(agents.workspaceId, workspaceId)));
    return found.length > 0;
  }
  const [people, keys] = await Promise.all([
    tx
      .select({ id: users.id })
      .from(users)
      .innerJoin(memberships, eq(memberships.userId, users.id))
      .where(and(eq(users.id, id), eq(memberships.workspaceId, workspaceId))),
    tx
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, workspaceId))),
  ]);
  return people.length + keys.length > 0;
}
