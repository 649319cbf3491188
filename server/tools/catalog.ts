import "server-only";
import { asc, eq } from "drizzle-orm";
import { resultChars } from "@/contracts/tools/result-settings";
import type { ToolSource } from "@/contracts/tools/tools";
import { agents, agentTools, guardConfig, mcpServers, resultSettings, tools } from "@/db/schema";
import { effectiveEffect } from "@/server/guard/effective-effect";
import { compileToolPattern } from "@/server/guard/matching/tool-pattern";
import { classifySurface } from "@/server/guard/surface/classify-surface";
import { db } from "@/server/platform/database/database";
import { versionedCache } from "@/server/platform/signals/versioned-cache";
import { agentBehindBridge, bridgeStateOf, toolEffects } from "@/server/policy/own-tools";
import { sourceHosts } from "@/server/policy/source-hosts";
import { builtinTool, builtinTools } from "./builtin-tools";
import type { AnyTool } from "./define-tool";
import { findDemotions } from "./disclosure/demoted-tools";
import { effectiveSet } from "./disclosure/disclosure";
import { isWithheld, quarantineReason } from "./pins/quarantine";
import { findNativeOptions, readNativeOptions } from "./provider/native-options";
import type { CatalogAgent, RegisteredTool } from "./registered-tool";
import { nameIndex } from "./resolve-name";
import { withBackground } from "./run-in-background";
import { availabilityEpoch, unavailableTools } from "./tool-availability";
import { loadJoinedTools, loadRedirects, loadStoredTools, type Redirect } from "./tool-sources";

/** Everything about a workspace's tools and agents that a call needs, loaded once per config version. */
export type Catalog = {
  /** Builtin tools by name, then the others by name. */
  tools: readonly RegisteredTool[];
  find: (requestedName: string) => RegisteredTool | undefined;
  /** Finds the tool that answers for a name that is no tool's. */
  redirect: (requestedName: string) => Redirect | undefined;
  agents: ReadonlyMap<string, CatalogAgent>;
};

const namesWhere = (isOne: (tool: AnyTool) => boolean | undefined) =>
  new Set(
    builtinTools()
      .filter(isOne)
      .map(({ name }) => name),
  );
const sourceOrder = (source: ToolSource) => (source === "builtin" ? 0 : 1);

/** Orders tools as every listing shows them, so that prompt caches hold. */
export function byListingOrder(a: { source: ToolSource; name: string }, b: { source: ToolSource; name: string }): number {
  return sourceOrder(a.source) - sourceOrder(b.source) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Reads the rows of a workspace's tools, each with the settings of its server, the guard and results. */
async function readRows(workspaceId: string) {
  const found = await db()
    .select({
      tool: tools,
      alias: mcpServers.alias,
      instructions: mcpServers.instructions,
      serverTier: mcpServers.disclosureTier,
      tierPerTool: mcpServers.tierPerTool,
      serverEnabled: mcpServers.enabled,
      network: mcpServers.network,
      allowedHosts: mcpServers.allowedHosts,
      escalatePatterns: guardConfig.escalatePatterns,
      deniedTools: guardConfig.deniedTools,
      maxCharsPerResult: resultSettings.maxCharsPerResult,
    })
    .from(tools)
    .innerJoin(guardConfig, eq(guardConfig.workspaceId, tools.workspaceId))
    .leftJoin(mcpServers, eq(tools.mcpServerId, mcpServers.id))
    .leftJoin(resultSettings, eq(resultSettings.workspaceId, tools.workspaceId))
    .where(eq(tools.workspaceId, workspaceId));
  return found.map(({ tool, ...rest }) => ({ ...rest, tool: { ...tool, ...effectiveEffect(tool) } }));
}

type ToolRow = Awaited<ReturnType<typeof readRows>>[number];

/** The tier of a tool, and why nobody can choose it where that is so. */
function tierOf({ tool, alias, serverTier, tierPerTool }: ToolRow, isAlwaysOn: boolean) {
  const perServer = `The tier of this tool is decided by its MCP server "${alias}". Change it there, or allow a tier per tool there.`;
  return {
    tier: tierPerTool === false ? (serverTier ?? tool.defaultTier) : (tool.disclosureTier ?? serverTier ?? tool.defaultTier),
    tierLockedReason: alias
      ? tierPerTool
        ? null
        : perServer
      : isAlwaysOn
        ? "This tool is how an agent reaches the others, so it stays in Core."
        : null,
  };
}

/** Characters of a result that the model reads. */
function resultLimitOf({ tool, maxCharsPerResult }: ToolRow, ofSource = Number.POSITIVE_INFINITY): number {
  const { resultChars: own = Number.POSITIVE_INFINITY } = shippedTool(tool) ?? {};
  return tool.resultLimit ?? Math.min(own, ofSource, maxCharsPerResult ?? resultChars.default);
}

const shippedTool = ({ source, name }: ToolRow["tool"]): AnyTool | undefined => (source === "builtin" ? builtinTool(name) : undefined);

/** Traits that a tool declares and its row does not keep. */
function traitsOf(tool: ToolRow["tool"], stored: AnyTool | undefined) {
  const { needsInfo, isInternal, ofSkills, hiddenInGroups, onlyInChatsOf, listedLast, guidance } = shippedTool(tool) ?? stored ?? {};
  return {
    ...(needsInfo ? { needsInfo } : {}),
    ...(isInternal ? { isInternal } : {}),
    ...(ofSkills ? { ofSkills } : {}),
    ...(hiddenInGroups ? { hiddenInGroups } : {}),
    ...(onlyInChatsOf ? { onlyInChatsOf } : {}),
    ...(listedLast ? { listedLast } : {}),
    ...(guidance ? { guidance } : {}),
  };
}

/** Loads the tools of a workspace in listing order, straight from the rows. */
export async function loadTools(workspaceId: string): Promise<RegisteredTool[]> {
  const rows = await readRows(workspaceId);
  const [bridge, storedTools, unavailable, nativeOptions] = await Promise.all([
    bridgeStateOf(db(), workspaceId),
    loadStoredTools(workspaceId),
    unavailableTools(workspaceId),
    readNativeOptions(workspaceId),
  ]);
  const alwaysOn = namesWhere((tool) => tool.alwaysOn);
  const hidden = namesWhere((tool) => tool.hiddenUntilActive);
  const readsArtifacts = namesWhere((tool) => tool.readsArtifacts);
  const paging = namesWhere((tool) => tool.neverSpilled);
  const settings = { escalatePatterns: rows[0]?.escalatePatterns ?? null, bridge };
  const surfaces = new Map(rows.map(({ tool }) => [tool.name, classifySurface(tool, settings)]));
  const denied = (rows[0]?.deniedTools ?? []).map(compileToolPattern);
  const someEscalate = rows.some(({ tool }) => tool.enabled && surfaces.get(tool.name)?.surface === "escalate");
  return rows
    .map((row) => {
      const { tool, alias, instructions, serverEnabled } = row;
      const { surface, reason: surfaceReason, sensitiveVerb } = surfaces.get(tool.name) ?? classifySurface(tool, settings);
      const isBridge = tool.source === "builtin" && tool.name === bridge?.name;
      const isDenied = denied.some((covers) => covers({ ...tool, surface, sourceRef: tool.mcpServerId }));
      const stored = storedTools.get(tool.id);
      const unavailableReason = tool.source === "builtin" ? unavailable.get(tool.name) : undefined;
      const effects = tool.source === "builtin" ? toolEffects(tool.name) : stored?.tool.effects;
      return {
        ...tool,
        ...(effects ? { effects } : {}),
        ...(stored ? { stored: stored.tool } : {}),
        ...(tool.source === "provider" ? { nativeOptions: findNativeOptions(nativeOptions, tool.name) } : {}),
        ...traitsOf(tool, stored?.tool),
        ...(isBridge && !bridge.isConnected
          ? { availability: "unavailable" as const, availabilityReason: sentence(bridge.notConnected) }
          : {}),
        ...(unavailableReason ? { availability: "unavailable" as const, availabilityReason: unavailableReason } : {}),
        surface,
        surfaceReason,
        sensitiveVerb,
        isDenied,
        sourceRef: tool.mcpServerId,
        ...sourceHosts(row),
        sourceName: alias ?? stored?.sourceName ?? null,
        sourceInstructions: instructions,
        sourceEnabled: (serverEnabled ?? true) && stored?.isOff !== true,
        ...(stored?.withoutAgents ? { withoutAgents: stored.withoutAgents } : {}),
        ...tierOf(row, alwaysOn.has(tool.name)),
        shownDescription: tool.descriptionOverride ?? tool.description,
        shownInputSchema: tool.backgroundable ? withBackground(tool.inputSchema) : tool.inputSchema,
        effectiveTimeoutMs: tool.timeoutMs ?? tool.defaultTimeoutMs,
        effectiveResultLimit: paging.has(tool.name) ? null : resultLimitOf(row, stored?.tool.resultChars),
        alwaysOn: alwaysOn.has(tool.name),
        readsArtifacts: readsArtifacts.has(tool.name),
        isWithheld: isWithheld(tool),
        ...(tool.quarantine ? { availability: "unavailable" as const, availabilityReason: quarantineReason(tool, alias) } : {}),
        isBridge,
        // Without a pipeline and without escalate tools the bridge is useless, so the bridge must cost no tokens.
        hiddenUntilActive: hidden.has(tool.name) || (isBridge && !bridge.isConnected && !someEscalate),
      };
    })
    .sort(byListingOrder);
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Loads the catalog of a workspace. */
async function readCatalog(workspaceId: string): Promise<Catalog> {
  const [registered, joined, redirects, behindBridge, agentRows, ticks] = await Promise.all([
    loadTools(workspaceId),
    loadJoinedTools(workspaceId),
    loadRedirects(workspaceId),
    agentBehindBridge(db(), workspaceId),
    db().select().from(agents).where(eq(agents.workspaceId, workspaceId)).orderBy(asc(agents.name)),
    db()
      .select({ agentId: agentTools.agentId, toolName: agentTools.toolName })
      .from(agentTools)
      .innerJoin(agents, eq(agentTools.agentId, agents.id))
      .where(eq(agents.workspaceId, workspaceId)),
  ]);
  const ticked = Map.groupBy(ticks, ({ agentId }) => agentId);
  const withTools = agentRows.map((row) => {
    const ownTicks = new Set(ticked.get(row.id)?.map(({ toolName }) => toolName));
    const agent = { ...row, ticked: ownTicks, joined: joined.get(row.id) ?? new Set<string>(), isBehindBridge: row.id === behindBridge };
    const usable = effectiveSet(registered, agent);
    return { ...agent, effective: usable.filter((tool) => !tool.isInternal), internal: usable.filter((tool) => tool.isInternal) };
  });
  const demotions = await findDemotions(workspaceId, withTools);
  return {
    tools: registered,
    find: nameIndex(registered),
    redirect: (requestedName) => redirects.get(requestedName.trim()),
    agents: new Map(
      withTools.map(({ effective, ...agent }, at) => {
        const artifactReader = effective.find((tool) => tool.readsArtifacts)?.name ?? null;
        const { demoted, coreTokens } = demotions[at] ?? { demoted: new Set<string>(), coreTokens: 0 };
        const byName = new Map(effective.map((tool) => [tool.name, tool]));
        return [agent.id, { ...agent, effective: byName, artifactReader, demoted, coreTokens }];
      }),
    ),
  };
}

/** Returns the catalog of a workspace, cached until the configuration or the availability of a tool changes. */
export const loadCatalog = versionedCache("catalog", readCatalog, availabilityEpoch);
