import "server-only";
import type { AgentToolsPreview, disclosureModes } from "@/contracts/agents/agents";
import { sourceLabel } from "@/contracts/tools/tools";
import { findAgent } from "@/server/agents/find-agent";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { loadCatalog } from "./catalog";
import { findDemotions } from "./disclosure/demoted-tools";
import { type Disclosed, disclose, effectiveSet } from "./disclosure/disclosure";
import { countSchemaTokens, presentListing } from "./disclosure/present-listing";
import { schemaTokenBudget } from "./disclosure/schema-budget";
import type { RegisteredTool } from "./registered-tool";

/** Previews an agent's tools with these names ticked, with the functions of the real listing. @throws AppError `not_found`. */
export async function previewAgentTools(
  actor: Authorized<"tools:read">,
  agentId: string,
  names: readonly string[],
): Promise<AgentToolsPreview> {
  const { disclosureMode, toolsDisabled, skillsDisabled } = await findAgent(db(), actor.workspaceId, agentId);
  const { tools, find, agents } = await loadCatalog(actor.workspaceId);
  const { joined = new Set<string>(), isBehindBridge = false } = agents.get(agentId) ?? {};
  const agent = { id: agentId, disclosureMode, ticked: new Set(names), joined, toolsDisabled, skillsDisabled, isBehindBridge };
  // The figures of the other modes are those of the tools that these would give.
  const usable = effectiveSet(tools, { ...agent, disclosureMode: "progressive" });
  const effective = disclosureMode === "none" ? [] : usable;
  const [demotion] = await findDemotions(actor.workspaceId, [{ disclosureMode: "progressive", effective: usable }]);
  const demoted = demotion?.demoted ?? new Set<string>();
  const listed = (mode: (typeof disclosureModes)[number], of: readonly RegisteredTool[]) => {
    const disclosed = disclose(of, { ...agent, disclosureMode: mode }, new Set(), mode === "progressive" ? demoted : new Set());
    return { disclosed, tokens: presentListing(disclosed, "handrail").tokens };
  };
  const { disclosed, tokens } = listed(disclosureMode, effective);
  const [progressive, legacy] = [listed("progressive", usable), listed("legacy", usable)].map(
    ({ tokens }) => tokens.tools + tokens.directory,
  );
  const given = new Set(effective.map(({ name }) => name));
  const ofMcp = effective.filter(({ source }) => source === "mcp");
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    advertised: disclosed.advertised.length,
    inDirectory: disclosed.directory.length,
    tokens: { tools: tokens.tools, directory: tokens.directory },
    sources: sumBySource(disclosed),
    withoutDisclosure: legacy ?? 0,
    modes: { progressive: progressive ?? 0, legacy: legacy ?? 0, none: 0 },
    budget: { tokens: schemaTokenBudget, demoted: disclosureMode === "progressive" ? [...demoted].sort() : [] },
    joinsAllMcp: agent.ticked.size > 0 && ofMcp.some(({ name }) => !agent.ticked.has(name)),
    unavailable: [...agent.ticked].sort().flatMap((name) => {
      const reason = reasonAgainst(byName.get(name), given.has(name), find(name));
      return reason === null ? [] : [{ tool: name, reason }];
    }),
  };
}

/** Sums the tools and tokens by source; the source with the most tokens first. */
function sumBySource({ advertised, directory }: Disclosed<RegisteredTool>): AgentToolsPreview["sources"] {
  const sums = new Map<string, AgentToolsPreview["sources"][number]>();
  const add = (tool: RegisteredTool, isAdvertised: boolean) => {
    const source = sourceLabel(tool);
    const sum = sums.get(source) ?? { source, advertised: 0, inDirectory: 0, tokens: 0, inFull: 0 };
    const tokens = countSchemaTokens(tool, "handrail");
    sum.inFull += tokens;
    if (isAdvertised) {
      sum.advertised += 1;
      sum.tokens += tokens;
    } else sum.inDirectory += 1;
    sums.set(source, sum);
  };
  for (const tool of advertised) add(tool, true);
  for (const tool of directory) add(tool, false);
  return [...sums.values()].sort((a, b) => b.tokens - a.tokens || b.inFull - a.inFull || (a.source < b.source ? -1 : 1));
}

/** Returns why an agent does not get a ticked tool, or cannot rely on it; null when it can. */
function reasonAgainst(tool: RegisteredTool | undefined, isGiven: boolean, alias: RegisteredTool | undefined): string | null {
  if (!tool) return alias ? `This name is an alias of ${alias.name} now. Tick ${alias.name} instead.` : "No tool has this name any more.";
  if (!tool.enabled) return "The tool is disabled.";
  if (!tool.sourceEnabled && tool.source !== "mcp") return `What brings the tool (${tool.sourceName}) is switched off or not ready.`;
  if (!tool.sourceEnabled) return `The MCP server "${tool.sourceName}" is disabled.`;
  if (tool.isDenied) return "The guard's list of denied tools names it.";
  if (!isGiven) return tool.surfaceReason;
  return tool.availability === "available" ? null : (tool.availabilityReason ?? `The tool is ${tool.availability}.`);
}
