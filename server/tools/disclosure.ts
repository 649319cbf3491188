import type { RegisteredTool } from "./catalog";

type Agent = { disclosureMode: "progressive" | "legacy"; ticked: ReadonlySet<string> };
type Disclosable = Pick<RegisteredTool, "name" | "source" | "enabled" | "sourceEnabled" | "surface" | "tier" | "alwaysOn"> & {
  hiddenUntilActive?: boolean;
  readsArtifacts?: boolean;
  isBridge?: boolean;
  isDenied?: boolean;
  isWithheld?: boolean;
};

/**
 * Returns the tools that an agent may use. With no tool ticked: every enabled tool. With ticks: the ticked tools, the
 * framework's own, and all MCP tools unless a tick names an MCP tool, even a vanished one. Escalate-surface tools,
 * denied tools and tools whose definition nobody accepted are never included.
 */
export function effectiveSet<T extends Disclosable>(tools: readonly T[], agent: Agent): T[] {
  const usable = tools.filter(
    (tool) => tool.enabled && tool.sourceEnabled && tool.surface === "natural" && !tool.isDenied && !tool.isWithheld,
  );
  if (agent.ticked.size === 0) return usable;
  // Decided by name: a ticked tool that its server no longer lists must not open all other MCP tools.
  const someMcpTicked = [...agent.ticked].some(isMcpName);
  return usable.filter(
    (tool) =>
      tool.alwaysOn ||
      tool.hiddenUntilActive ||
      tool.readsArtifacts ||
      tool.isBridge ||
      agent.ticked.has(tool.name) ||
      (tool.source === "mcp" && !someMcpTicked),
  );
}

/** Returns true for `alias__tool`, the names of MCP tools; no other tool's name has two adjacent underscores. */
const isMcpName = (name: string): boolean => name.includes("__");

export type Disclosed<T> = {
  /** Shown in full: core tools, activated tools, and last the framework's own. */
  advertised: T[];
  /** Shown as one line each until enabled. */
  directory: T[];
};

/** Splits an effective set into advertised tools and the directory. The order is kept. */
export function disclose<T extends Disclosable>(effective: readonly T[], agent: Agent, activated: ReadonlySet<string>): Disclosed<T> {
  const isAdvertised = (tool: T) =>
    tool.hiddenUntilActive
      ? activated.has(tool.name)
      : agent.disclosureMode === "legacy" || tool.tier === "core" || activated.has(tool.name);
  const directory = effective.filter((tool) => !tool.hiddenUntilActive && !isAdvertised(tool));
  const isEnabled = (tool: T) => tool.alwaysOn || tool.hiddenUntilActive || tool.tier === "core";
  const anythingToEnable = effective.some((tool) => !isEnabled(tool)) && agent.disclosureMode !== "legacy";
  const advertised = effective.filter(isAdvertised);
  return {
    advertised: [
      ...advertised.filter((tool) => !tool.alwaysOn && !tool.isBridge),
      ...(anythingToEnable ? advertised.filter(({ alwaysOn }) => alwaysOn) : []),
      ...advertised.filter(({ isBridge }) => isBridge),
    ],
    directory,
  };
}
