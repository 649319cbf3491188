import "server-only";
import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { agents, agentTools, tools } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { findAgent, lockAgent } from "./find-agent";
import { keepFirstVersion, keepVersion } from "./keep-version";
import { tickedNames } from "./ticked-names";

/** Names of the ticked tools in order, and the agent's version. An empty list means all enabled tools. */
export type TickedTools = { tools: string[]; version: number };

/** @throws AppError `not_found`. */
export async function getAgentTools(actor: Authorized<"tools:read">, agentId: string): Promise<TickedTools> {
  const { version } = await findAgent(db(), actor.workspaceId, agentId);
  return { tools: await tickedNames(db(), agentId), version };
}

/**
 * Replaces the ticked tools of an agent. A name that is already ticked may stay although no such tool exists now,
 * because an MCP server that is down must not lose the choice.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`, `invalid` for names of no tool
 */
export async function setAgentTools(
  actor: Authorized<"agents:write">,
  agentId: string,
  names: readonly string[],
  version: number | null,
): Promise<TickedTools> {
  return db().transaction(async (tx) => {
    const agent = await lockAgent(tx, actor.workspaceId, agentId, version);
    const before = await tickedNames(tx, agentId);
    await assertKnown(tx, actor.workspaceId, names, new Set(before));
    await keepFirstVersion(tx, agent);

    const wanted = [...new Set(names)].sort();
    const gone = and(eq(agentTools.agentId, agentId), wanted.length > 0 ? notInArray(agentTools.toolName, wanted) : undefined);
    await tx.delete(agentTools).where(gone);
    if (wanted.length > 0) {
      await tx
        .insert(agentTools)
        .values(wanted.map((toolName) => ({ agentId, toolName })))
        .onConflictDoNothing();
    }
    const [changed] = await tx
      .update(agents)
      .set({ version: sql`${agents.version} + 1` })
      .where(eq(agents.id, agentId))
      .returning();
    if (!changed) throw new Error("A locked agent was not updated");
    await keepVersion(tx, changed, toActorRef(actor));
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "agent.tools_changed",
      actor: toActorRef(actor),
      subject: agentId,
      data: { tools: wanted, before },
      requestId: actor.requestId,
    });
    return { tools: wanted, version: agent.version + 1 };
  });
}

/** @throws AppError `invalid` with the path of each name that is neither a tool nor ticked already. */
async function assertKnown(tx: Db, workspaceId: string, names: readonly string[], ticked: ReadonlySet<string>): Promise<void> {
  const asked = names.filter((name) => !ticked.has(name));
  if (asked.length === 0) return;
  const known = await tx
    .select({ name: tools.name })
    .from(tools)
    .where(and(eq(tools.workspaceId, workspaceId), inArray(tools.name, asked)));
  const found = new Set(known.map(({ name }) => name));
  const errors = names.flatMap((name, index) =>
    ticked.has(name) || found.has(name) ? [] : [{ path: `tools.${index}`, message: `there is no tool named ${name}` }],
  );
  if (errors.length === 0) return;
  throw new AppError("invalid", `The body is not valid: ${errors[0]?.message}. GET /api/v1/tools lists the names.`, { errors });
}
