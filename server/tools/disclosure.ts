import { coreExecuteName } from "./builtin/framework/core-execute";
import type { RegisteredTool } from "./catalog";

type Agent = { disclosureMode: "progressive" | "legacy"; ticked: ReadonlySet<string> };
type Disclosable = Pick<RegisteredTool, "name" | "source" | "enabled" | "sourceEnabled" | "surface" | "tier" | "alwaysOn"> & {
  hiddenUntilActive?: boolean;
  isDenied?: boolean;
};

/**
 * The tools that an agent may use at all. Nothing ticked: every enabled tool. Ticked: those, the framework's own, and
 * all MCP tools unless at least one of them is ticked. Escalate-surface tools and denied ones are never advertised.
 */
export function effectiveSet<T extends Disclosable>(tools: readonly T[], agent: Agent): T[] {
  const usable = tools.filter((tool) => tool.enabled && tool.sourceEnabled && tool.surface === "natural" && !tool.isDenied);
  if (agent.ticked.size === 0) return usable;
  const someMcpTicked = tools.some((tool) => tool.source === "mcp" && agent.ticked.has(tool.name));
  return usable.filter(
    (tool) =>
      tool.alwaysOn ||
      tool.hiddenUntilActive ||
      tool.name === coreExecuteName ||
      agent.ticked.has(tool.name) ||
      (tool.source === "mcp" && !someMcpTicked),
  );
}

export type Disclosed<T> = {
  /** Shown in full: core, activated, and at the end the framework's own. */
  advertised: T[];
  /** Shown as a line each until enabled. */
  directory: T[];
};

/** Splits an effective set into what is advertised and what stands in the directory. The order is kept. */
export function disclose<T extends Disclosable>(effective: readonly T[], agent: Agent, activated: ReadonlySet<string>): Disclosed<T> {
  const isAdvertised = (tool: T) =>
    tool.hiddenUntilActive
      ? activated.has(tool.name)
      : agent.disclosureMode === "legacy" || tool.tier === "core" || activated.has(tool.name);
  const isBridge = ({ name }: T) => name === coreExecuteName;
  const directory = effective.filter((tool) => !tool.hiddenUntilActive && !isAdvertised(tool));
  const isEnabled = (tool: T) => tool.alwaysOn || tool.hiddenUntilActive || tool.tier === "core";
  const anythingToEnable = effective.some((tool) => !isEnabled(tool)) && agent.disclosureMode !== "legacy";
  const advertised = effective.filter(isAdvertised);
  return {
    advertised: [
      ...advertised.filter((tool) => !tool.alwaysOn && !isBridge(tool)),
      ...(anythingToEnable ? advertised.filter(({ alwaysOn }) => alwaysOn) : []),
      ...advertised.filter(isBridge),
    ],
    directory,
  };
}
