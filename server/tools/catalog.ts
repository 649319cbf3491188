import "server-only";
import { asc, eq } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { Tool, ToolSource, ToolTier } from "@/contracts/tools";
import { agents, agentTools, delegates, guardConfig, mcpServers, tools } from "@/db/schema";
import { compileToolPattern } from "@/server/guard/matching/tool-pattern";
import { surfaceOf } from "@/server/guard/surface/surface-of";
import { db } from "@/server/platform/database";
import { versionedCache } from "@/server/platform/versioned-cache";
import { builtinTools } from "./builtin";
import { coreExecuteName, notConnected } from "./builtin/framework/core-execute";
import type { AnyTool } from "./define-tool";
import { effectiveSet } from "./disclosure";
import { nameIndex } from "./resolve-name";
import { withBackground } from "./run-in-background";

/** One tool of a workspace as configuration has it now. Whether its source is there to run it is another question. */
export type RegisteredTool = typeof tools.$inferSelect & {
  sourceRef: string | null;
  /** Alias of the MCP server. */
  sourceName: string | null;
  /** The server of an MCP tool is switched on. */
  sourceEnabled: boolean;
  /** `escalate`: never shown to models, and reached through core_execute only. */
  surface: Tool["surface"];
  surfaceReason: string;
  /** On the guard's list of denied tools: never offered. */
  isDenied: boolean;
  tier: ToolTier;
  /** Why the tool's own tier cannot be set. */
  tierLockedReason: string | null;
  /** What the model reads: the override, or the tool's own description. */
  shownDescription: string;
  /** What the model is told to send: the tool's schema, and what the pipeline understands beside it. */
  shownInputSchema: JsonObject;
  effectiveTimeoutMs: number;
  alwaysOn: boolean;
  hiddenUntilActive: boolean;
};

export type CatalogAgent = typeof agents.$inferSelect & {
  ticked: ReadonlySet<string>;
  /** The tools that it may use at all, by name, in listing order. */
  effective: ReadonlyMap<string, RegisteredTool>;
};

/** Everything about a workspace's tools and agents that a call needs, read once a configuration. */
export type Catalog = {
  /** Builtin by name, then the others by name. */
  tools: readonly RegisteredTool[];
  find: (requestedName: string) => RegisteredTool | undefined;
  agents: ReadonlyMap<string, CatalogAgent>;
};

const namesWhere = (isOne: (tool: AnyTool) => boolean | undefined) => new Set(builtinTools.filter(isOne).map(({ name }) => name));
const sourceOrder = (source: ToolSource) => (source === "builtin" ? 0 : 1);

/** Orders tools as every listing shows them, so that prompt caches hold. */
export function byListingOrder(a: { source: ToolSource; name: string }, b: { source: ToolSource; name: string }): number {
  return sourceOrder(a.source) - sourceOrder(b.source) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Reads the tools of a workspace in listing order, straight from the rows. */
export async function loadTools(workspaceId: string): Promise<RegisteredTool[]> {
  const rows = await db()
    .select({
      tool: tools,
      alias: mcpServers.alias,
      serverTier: mcpServers.disclosureTier,
      serverEnabled: mcpServers.enabled,
      escalatePatterns: guardConfig.escalatePatterns,
      deniedTools: guardConfig.deniedTools,
      hasPipeline: delegates.enabled,
    })
    .from(tools)
    .innerJoin(guardConfig, eq(guardConfig.workspaceId, tools.workspaceId))
    .leftJoin(mcpServers, eq(tools.mcpServerId, mcpServers.id))
    .leftJoin(delegates, eq(delegates.workspaceId, tools.workspaceId))
    .where(eq(tools.workspaceId, workspaceId));
  const alwaysOn = namesWhere((tool) => tool.alwaysOn);
  const hidden = namesWhere((tool) => tool.hiddenUntilActive);
  const surfaces = new Map(rows.map(({ tool, escalatePatterns }) => [tool.name, surfaceOf(tool, escalatePatterns)]));
  const denied = (rows[0]?.deniedTools ?? []).map(compileToolPattern);
  const someEscalate = rows.some(({ tool }) => tool.enabled && surfaces.get(tool.name)?.surface === "escalate");
  return rows
    .map(({ tool, alias, serverTier, serverEnabled, escalatePatterns, hasPipeline }) => {
      const { surface, reason: surfaceReason } = surfaces.get(tool.name) ?? surfaceOf(tool, escalatePatterns);
      const isBridge = tool.name === coreExecuteName;
      const isDenied = denied.some((covers) => covers({ ...tool, surface, sourceRef: tool.mcpServerId }));
      return {
        ...tool,
        ...(isBridge && !hasPipeline ? { availability: "unavailable" as const, availabilityReason: sentence(notConnected) } : {}),
        surface,
        surfaceReason,
        isDenied,
        sourceRef: tool.mcpServerId,
        sourceName: alias,
        sourceEnabled: serverEnabled ?? true,
        tier: serverTier ?? tool.disclosureTier ?? tool.defaultTier,
        tierLockedReason: alias
          ? `The tier of this tool is decided by its MCP server "${alias}". Change it there.`
          : alwaysOn.has(tool.name)
            ? "This tool is how an agent reaches the others, so it stays in Core."
            : null,
        shownDescription: tool.descriptionOverride ?? tool.description,
        shownInputSchema: tool.backgroundable ? withBackground(tool.inputSchema) : tool.inputSchema,
        effectiveTimeoutMs: tool.timeoutMs ?? tool.defaultTimeoutMs,
        alwaysOn: alwaysOn.has(tool.name),
        // Where nothing is behind the wall and no pipeline is there, the way through it costs no tokens.
        hiddenUntilActive: hidden.has(tool.name) || (isBridge && !hasPipeline && !someEscalate),
      };
    })
    .sort(byListingOrder);
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** The catalog of a workspace, from memory while its configuration is the same. */
export const catalogOf = versionedCache("catalog", async (workspaceId): Promise<Catalog> => {
  const [registered, agentRows, ticks] = await Promise.all([
    loadTools(workspaceId),
    db().select().from(agents).where(eq(agents.workspaceId, workspaceId)).orderBy(asc(agents.name)),
    db()
      .select({ agentId: agentTools.agentId, toolName: agentTools.toolName })
      .from(agentTools)
      .innerJoin(agents, eq(agentTools.agentId, agents.id))
      .where(eq(agents.workspaceId, workspaceId)),
  ]);
  const ticked = Map.groupBy(ticks, ({ agentId }) => agentId);
  return {
    tools: registered,
    find: nameIndex(registered),
    agents: new Map(
      agentRows.map((row) => {
        const agent = { ...row, ticked: new Set(ticked.get(row.id)?.map(({ toolName }) => toolName)) };
        const effective = new Map(effectiveSet(registered, agent).map((tool) => [tool.name, tool]));
        return [row.id, { ...agent, effective }];
      }),
    ),
  };
});
