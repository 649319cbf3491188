import type { Agent as PublicAgent } from "@/contracts/agents/agents";
import { isForModels } from "../app-meta";
import type { RegisteredTool } from "../registered-tool";

type Agent = {
  disclosureMode: PublicAgent["disclosureMode"];
  id?: string;
  ticked: ReadonlySet<string>;
  /** Tools that it has beside the ticked ones. */
  joined?: ReadonlySet<string>;
  /** Builtin tools only. */
  toolsDisabled?: boolean;
  skillsDisabled?: boolean;
  /** Core tools that the budget of schemas moves to the directory in every conversation. */
  demoted?: ReadonlySet<string>;
  /** The agent stands behind the bridge, so tools on the escalate surface are its own. */
  isBehindBridge?: boolean;
};
type Disclosable = Pick<RegisteredTool, "name" | "source" | "enabled" | "sourceEnabled" | "surface" | "tier" | "alwaysOn"> & {
  availability?: RegisteredTool["availability"];
  hiddenUntilActive?: boolean;
  ofSkills?: boolean;
  withoutAgents?: ReadonlySet<string>;
  readsArtifacts?: boolean;
  isBridge?: boolean;
  listedLast?: boolean;
  isDenied?: boolean;
  isWithheld?: boolean;
  meta?: RegisteredTool["meta"];
};

/**
 * Returns the tools that an agent may use. With no tool ticked: every enabled tool. With ticks: the ticked tools, the
 * framework's own, and all MCP tools unless a tick names an MCP tool, even a vanished one. Agents as tools need a tick.
 * Escalate-surface tools are those of the agent behind the bridge. Denied tools and tools whose definition nobody
 * accepted are never included. An agent without tools gets none; one whose tools are switched off keeps the builtin ones,
 * and one whose skills are switched off has nothing of skills.
 */
export function effectiveSet<T extends Disclosable>(tools: readonly T[], agent: Agent): T[] {
  if (agent.disclosureMode === "none") return [];
  const usable = tools.filter(
    (tool) =>
      tool.enabled &&
      tool.sourceEnabled &&
      (tool.surface === "natural" || agent.isBehindBridge === true) &&
      !tool.isDenied &&
      !tool.isWithheld &&
      !(agent.toolsDisabled && !shipped.has(tool.source)) &&
      !(agent.skillsDisabled && (tool.ofSkills || tool.source === "skill")) &&
      !(agent.id !== undefined && tool.withoutAgents?.has(agent.id)) &&
      // The bridge would lead the agent behind it back to itself.
      !(tool.isBridge && agent.isBehindBridge),
  );
  if (agent.ticked.size === 0) return usable.filter(({ source }) => source !== "agent");
  // Decided by name: a ticked tool that its server no longer lists must not open all other MCP tools.
  const someMcpTicked = [...agent.ticked].some(isMcpName);
  return usable.filter(
    (tool) =>
      tool.alwaysOn ||
      tool.hiddenUntilActive ||
      tool.readsArtifacts ||
      tool.isBridge ||
      agent.ticked.has(tool.name) ||
      agent.joined?.has(tool.name) ||
      (tool.source === "mcp" && !someMcpTicked),
  );
}

/** Sources of tools that come with Handrail. */
const shipped: ReadonlySet<string> = new Set(["builtin", "provider"]);

/** Returns true for `alias__tool`, the names of MCP tools; no other tool's name has two adjacent underscores. */
const isMcpName = (name: string): boolean => name.includes("__");

/**
 * Returns whether models hear of a tool: one that cannot run costs tokens and a failed call, and some belong to their
 * server's apps only. The bridge is offered without its pipeline too, because it says what to do about the tools behind it.
 */
export const isOffered = ({ availability, isBridge, meta }: Pick<Disclosable, "availability" | "isBridge" | "meta">): boolean =>
  isForModels(meta) && (availability !== "unavailable" || isBridge === true);

/** Says why models may not call a tool that is not offered. */
export const whyNotOffered = ({ availabilityReason, meta }: Pick<RegisteredTool, "availabilityReason" | "meta">): string =>
  isForModels(meta) ? (availabilityReason ?? "its source does not run.") : "only apps of its MCP server call it.";

export type Disclosed<T> = {
  /** Shown in full: core tools, the framework's own, and last the activated ones. */
  advertised: T[];
  /** Shown in the directory until enabled. */
  directory: T[];
};

const nothing: ReadonlySet<string> = new Set();

/**
 * Splits an effective set into advertised tools and the directory, in the order of the set. Activated tools come last,
 * in the order of their activation, because a changed beginning would invalidate the provider's prompt cache.
 * @param demoted tools that this conversation does not show in full, because the budget is spent
 */
export function disclose<T extends Disclosable>(
  effective: readonly T[],
  agent: Agent,
  activated: ReadonlySet<string>,
  demoted: ReadonlySet<string> = nothing,
): Disclosed<T> {
  const isLegacy = agent.disclosureMode === "legacy";
  const offered = effective.filter(isOffered);
  const isDemoted = ({ name }: T) => demoted.has(name) || agent.demoted?.has(name);
  const isCore = (tool: T) => !tool.hiddenUntilActive && (isLegacy || (tool.tier === "core" && !isDemoted(tool)));
  const isActivated = (tool: T) => !isCore(tool) && activated.has(tool.name) && !demoted.has(tool.name);
  const core = offered.filter(isCore);
  const byName = new Map(offered.filter(isActivated).map((tool) => [tool.name, tool]));
  const directory = offered.filter((tool) => !tool.hiddenUntilActive && !isCore(tool) && !byName.has(tool.name));
  const isEnabled = (tool: T) => tool.alwaysOn || tool.hiddenUntilActive || isCore(tool);
  const anythingToEnable = !isLegacy && offered.some((tool) => !isEnabled(tool));
  return {
    advertised: [
      ...core.filter((tool) => !tool.alwaysOn && !tool.isBridge && !tool.listedLast),
      ...(anythingToEnable ? core.filter(({ alwaysOn }) => alwaysOn) : []),
      ...core.filter(({ isBridge }) => isBridge),
      ...core.filter(({ listedLast, isBridge, alwaysOn }) => listedLast && !isBridge && !alwaysOn),
      ...[...activated].flatMap((name) => byName.get(name) ?? []),
    ],
    directory,
  };
}
