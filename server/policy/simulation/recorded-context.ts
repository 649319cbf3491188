import "server-only";
import { type Column, sql } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { CallMachine } from "@/contracts/tools/machine";
import { agents, conversations, turns } from "@/db/schema";
import { loadKeyLimits, noTrust } from "@/server/auth/api-keys/key-limits";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import type { GuardContext } from "@/server/guard/call/guard-request";
import { callerLimits } from "../caller-limits";
import { machineContext } from "../machine-context";
import { programContext } from "../program-context";
import { loadRepositoryPolicies } from "../repository-policies";

/** Columns of a recorded call's turn, conversation and agent that its context is built from. */
export const contextColumns = {
  actor: turns.requestedBy,
  machine: turns.machine,
  conversationId: turns.conversationId,
  channel: conversations.channel,
  origin: conversations.origin,
  interactive: conversations.interactive,
  agent: { id: agents.id, name: agents.name, sharedFolder: agents.sharedFolder, allowedEffects: agents.allowedEffects },
};

/** Returns SQL that tells whether a recorded call's programs ran in the sandbox; null for decisions without that member. */
export const sandboxedIn = (decision: Column) => sql<boolean | null>`(${decision} ->> 'sandboxed')::boolean`;

type ContextRow = {
  actor: ActorRef;
  machine: CallMachine | null;
  conversationId: string;
  agent: Pick<typeof agents.$inferSelect, "id" | "name" | "sharedFolder" | "allowedEffects">;
  /** The value in the recorded decision; null for decisions without one. */
  sandboxed: boolean | null;
} & Pick<typeof conversations.$inferSelect, "channel" | "origin" | "interactive">;

/**
 * Returns a function that builds the context of a recorded call as the guard saw it, but with the present limits of its
 * agent and API key. Refusals of the conversation are left out, as are people's answers.
 */
export async function recordedContexts(workspaceId: string): Promise<(row: ContextRow) => GuardContext> {
  const keyLimits = await loadKeyLimits(workspaceId);
  const programs = programContext();
  const repositoryPolicies = await loadRepositoryPolicies(workspaceId);
  return ({ actor, machine, conversationId, channel, origin, interactive, agent, sandboxed }) => ({
    actor,
    conversationId,
    channel,
    origin,
    interactive,
    agent: { id: agent.id, name: agent.name },
    ...(machine
      ? { ...machineContext(machine), ...(machine.policy === undefined ? {} : { repositoryPolicy: repositoryPolicies(machine.policy) }) }
      : {
          folder: workspaceFolder({ id: conversationId, workspaceId }, agent),
          ...programs,
          sandboxed: sandboxed ?? programs.sandboxed,
        }),
    ...callerLimits(actor, agent, actor.type === "api_key" ? (keyLimits.get(actor.id) ?? noTrust) : null),
  });
}
