import "server-only";
import { and, desc, eq, lt } from "drizzle-orm";
import { z } from "zod";
import type { AgentVersion, AgentVersionDetail } from "@/contracts/agents/agents";
import type { JsonObject } from "@/contracts/common";
import { agentVersions } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { type AgentConfiguration, findAgentChanges } from "./agent-changes";
import { findAgent } from "./find-agent";
import { settingsOf } from "./keep-version";
import { tickedNames } from "./ticked-names";

type VersionRow = typeof agentVersions.$inferSelect;

const VersionCursor = z.tuple([z.int32()]);
const none: AgentConfiguration = { settings: { name: "" }, tools: [] };

/** Lists the versions of an agent's configuration, newest first. @throws AppError `not_found` */
export async function listAgentVersions(
  actor: Authorized<"tools:read">,
  agentId: string,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ items: AgentVersion[]; nextCursor: string | null }> {
  await findAgent(db(), actor.workspaceId, agentId);
  const before = cursor === undefined ? undefined : lt(agentVersions.version, decodeCursor(cursor, VersionCursor)[0]);
  const { version, summary, actor: by, createdAt } = agentVersions;
  const found = await db()
    .select({ version, summary, actor: by, createdAt })
    .from(agentVersions)
    .where(and(eq(agentVersions.agentId, agentId), before))
    .orderBy(desc(version))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, (row) => [row.version]);
  return { items: rows.map(presentVersion), nextCursor };
}

/** Returns a version with its settings and what differs from the version before it, or from the agent of now. @throws AppError `not_found` */
export async function getAgentVersion(
  actor: Authorized<"tools:read">,
  agentId: string,
  version: number,
  against: "previous" | "current",
): Promise<AgentVersionDetail> {
  const agent = await findAgent(db(), actor.workspaceId, agentId);
  const row = await findVersion(agentId, version);
  const own = { settings: row.settings, tools: row.tools };
  const changes =
    against === "previous"
      ? findAgentChanges(await previousOf(agentId, version), own)
      : findAgentChanges({ settings: settingsOf(agent), tools: await tickedNames(db(), agentId) }, own);
  return { ...presentVersion(row), settings: row.settings as JsonObject, tools: row.tools, changes };
}

/** @throws AppError `not_found` for a version that was never made or not kept */
export async function findVersion(agentId: string, version: number): Promise<VersionRow> {
  const [row] = await db()
    .select()
    .from(agentVersions)
    .where(and(eq(agentVersions.agentId, agentId), eq(agentVersions.version, version)));
  if (!row) throw new AppError("not_found", `The agent has no version ${version}. List its versions.`);
  return row;
}

async function previousOf(agentId: string, version: number): Promise<AgentConfiguration> {
  const [row] = await db()
    .select({ settings: agentVersions.settings, tools: agentVersions.tools })
    .from(agentVersions)
    .where(and(eq(agentVersions.agentId, agentId), lt(agentVersions.version, version)))
    .orderBy(desc(agentVersions.version))
    .limit(1);
  return row ?? none;
}

function presentVersion({
  version,
  summary,
  actor,
  createdAt,
}: Pick<VersionRow, "version" | "summary" | "actor" | "createdAt">): AgentVersion {
  return { version, summary, actor, createdAt: createdAt.toISOString() };
}
