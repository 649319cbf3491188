import "server-only";
import type { AgentToolsPreview } from "@/contracts/agents";
import { findAgent } from "@/server/agents/find-agent";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { loadCatalog, type RegisteredTool } from "./catalog";
import { disclose, effectiveSet } from "./disclosure";
import { presentListing } from "./present-listing";

/** Previews an agent's tools with these names ticked, with the functions of the real listing. @throws AppError `not_found`. */
export async function previewAgentTools(
  actor: Authorized<"tools:read">,
  agentId: string,
  names: readonly string[],
): Promise<AgentToolsPreview> {
  const { disclosureMode } = await findAgent(db(), actor.workspaceId, agentId);
  const { tools, find } = await loadCatalog(actor.workspaceId);
  const agent = { disclosureMode, ticked: new Set(names) };
  const effective = effectiveSet(tools, agent);
  const disclosed = disclose(effective, agent, new Set());
  const { tokens } = presentListing(disclosed, "handrail");
  const given = new Set(effective.map(({ name }) => name));
  const ofMcp = effective.filter(({ source }) => source === "mcp");
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    advertised: disclosed.advertised.length,
    inDirectory: disclosed.directory.length,
    tokens: { tools: tokens.tools, directory: tokens.directory },
    joinsAllMcp: agent.ticked.size > 0 && ofMcp.some(({ name }) => !agent.ticked.has(name)),
    unavailable: [...agent.ticked].sort().flatMap((name) => {
      const reason = reasonAgainst(byName.get(name), given.has(name), find(name));
      return reason === null ? [] : [{ tool: name, reason }];
    }),
  };
}

/** Returns why an agent does not get a ticked tool, or cannot rely on it; null when it can. */
function reasonAgainst(tool: RegisteredTool | undefined, isGiven: boolean, alias: RegisteredTool | undefined): string | null {
  if (!tool) return alias ? `This name is an alias of ${alias.name} now. Tick ${alias.name} instead.` : "No tool has this name any more.";
  if (!tool.enabled) return "The tool is disabled.";
  if (!tool.sourceEnabled) return `The MCP server "${tool.sourceName}" is disabled.`;
  if (tool.isDenied) return "The guard's list of denied tools names it.";
  if (!isGiven) return tool.surfaceReason;
  return tool.availability === "available" ? null : (tool.availabilityReason ?? `The tool is ${tool.availability}.`);
}
