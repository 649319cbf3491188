import "server-only";
import { desc, eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { type AgentSettings, type agents, agentVersions } from "@/db/schema";
import { findAgentChanges, summarizeChanges } from "./agent-changes";
import { tickedNames } from "./ticked-names";

type AgentRow = typeof agents.$inferSelect;

/** The row's settings, without its identity. */
export function settingsOf(row: AgentRow): AgentSettings {
  const { id, workspaceId, isDefault, version, createdAt, updatedAt, ...settings } = row;
  return settings;
}

/**
 * Stores the configuration that an agent has before its first kept change. Agents of older installations have none, and
 * the change would otherwise lose how they were.
 */
export async function keepFirstVersion(tx: Db, before: AgentRow): Promise<void> {
  const [known] = await tx
    .select({ version: agentVersions.version })
    .from(agentVersions)
    .where(eq(agentVersions.agentId, before.id))
    .limit(1);
  if (known) return;
  const tools = await tickedNames(tx, before.id);
  const actor: ActorRef = { type: "system", id: "system", name: "Handrail" };
  const summary = "The oldest kept version";
  await tx
    .insert(agentVersions)
    .values({ agentId: before.id, version: before.version, settings: settingsOf(before), tools, summary, actor });
}

/**
 * Stores an agent's configuration as a version, in the transaction of its change.
 * @param summary absent: names the changed settings
 */
export async function keepVersion(tx: Db, row: AgentRow, actor: ActorRef, summary?: string): Promise<void> {
  const now = { settings: settingsOf(row), tools: await tickedNames(tx, row.id) };
  const [before] = await tx
    .select({ settings: agentVersions.settings, tools: agentVersions.tools })
    .from(agentVersions)
    .where(eq(agentVersions.agentId, row.id))
    .orderBy(desc(agentVersions.version))
    .limit(1);
  const line = summary ?? (before ? summarizeChanges(findAgentChanges(before, now)) : "Added");
  await tx.insert(agentVersions).values({ agentId: row.id, version: row.version, ...now, summary: line, actor });
}
