import "server-only";
import { and, desc, eq, inArray, isNull, ne, or } from "drizzle-orm";
import type { Db } from "@/db/client";
import { type KeptDefinition, mcpServers, toolChanges, tools } from "@/db/schema";
import type { AbsentTool } from "../absent-settings";
import type { AnyTool } from "../define-tool";
import { indexNeighbours, type Neighbours } from "../definitions/inspect-neighbours";
import { inBatches } from "../in-batches";
import { findRenamed } from "./find-renamed";
import { type CurrentChange, type PinPlan, planPin } from "./plan-pin";

type ToolRow = typeof tools.$inferSelect;
type ServerTools = { workspaceId: string; mcpServerId: string };

export type Listing = {
  listed: readonly AnyTool[];
  known: ReadonlyMap<string, ToolRow>;
  absent: ReadonlyMap<string, AbsentTool>;
};

/** Plans the pins of a server's listed tools, by name. A tool without a definition follows its source and has no plan. */
export async function planPins(tx: Db, source: ServerTools, { listed, known, absent }: Listing): Promise<Map<string, PinPlan>> {
  const defined = listed.flatMap(({ name, definition }) => (definition && "contentHash" in definition ? [{ name, definition }] : []));
  const isNews = ({ name, definition }: (typeof defined)[number]) => known.get(name)?.pinHash !== definition.hash;
  const news = defined.filter(isNews);
  const fresh = news.filter(({ name }) => !known.has(name) && !absent.get(name)?.pin);
  const changes = await loadChanges(tx, source, news, known);
  const contents = fresh.map(({ name, definition }) => ({ name, contentHash: definition.contentHash }));
  const renamed = await findRenamed(tx, source, contents, { rows: [...known.values()], absent });
  const neighbours = news.length > 0 ? await loadNeighbours(tx, source) : null;
  const own = new Set(defined.flatMap(({ name, definition }) => [name, definition.rawName]));
  const plans = new Map<string, PinPlan>();
  for (const { name, definition } of defined) {
    const row = known.get(name);
    plans.set(
      name,
      planPin({
        definition,
        row,
        absentPin: absent.get(name)?.pin ?? null,
        current: (row?.changeId && changes.byId.get(row.changeId)) || null,
        rejected: changes.rejected.get(name) ?? null,
        renamedFrom: renamed.get(name) ?? null,
        findings: neighbours && isNews({ name, definition }) ? findingsAmong(neighbours, definition, own) : definition.findings,
      }),
    );
  }
  return plans;
}

function findingsAmong(neighbours: Neighbours, definition: KeptDefinition, own: ReadonlySet<string>) {
  return [...definition.findings, ...neighbours.inspect(definition, own)];
}

type Named = { name: string; definition: KeptDefinition };

async function loadChanges(tx: Db, { mcpServerId }: ServerTools, news: readonly Named[], known: ReadonlyMap<string, ToolRow>) {
  const byId = new Map<string, CurrentChange>();
  const rejected = new Map<string, CurrentChange>();
  for (const batch of inBatches(news)) {
    const ids = batch.flatMap(({ name }) => known.get(name)?.changeId ?? []);
    const names = batch.map(({ name }) => name);
    const isRejected = and(eq(toolChanges.status, "rejected"), inArray(toolChanges.toolName, names));
    const rows = await tx
      .select()
      .from(toolChanges)
      .where(and(eq(toolChanges.mcpServerId, mcpServerId), ids.length > 0 ? or(inArray(toolChanges.id, ids), isRejected) : isRejected))
      .orderBy(desc(toolChanges.id));
    for (const { id, toolName, kind, status, after } of rows) {
      const change = { id, kind, status, hash: after.hash };
      byId.set(id, change);
      if (status === "rejected" && !rejected.has(toolName)) rejected.set(toolName, change);
    }
  }
  return { byId, rejected };
}

/** Loads the names and words of all other sources' tools. */
async function loadNeighbours(tx: Db, { workspaceId, mcpServerId }: ServerTools): Promise<Neighbours> {
  const rows = await tx
    .select({ name: tools.name, rawName: tools.rawName, description: tools.description, alias: mcpServers.alias })
    .from(tools)
    .leftJoin(mcpServers, eq(mcpServers.id, tools.mcpServerId))
    .where(and(eq(tools.workspaceId, workspaceId), or(ne(tools.mcpServerId, mcpServerId), isNull(tools.mcpServerId))));
  return indexNeighbours(rows.map(({ alias, ...tool }) => ({ ...tool, source: alias ?? "builtin" })));
}
