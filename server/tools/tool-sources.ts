import type { ToolSource } from "@/contracts/tools/tools";
import { processWide } from "@/server/platform/process-wide";
import type { AnyTool } from "./define-tool";

/** A tool that is made from rows, and so runs on every replica without a connection. */
export type StoredTool = {
  tool: AnyTool;
  /** The source's own name for a group of its tools; the console filters by it. */
  sourceName: string | null;
  /** Its source is switched off or not ready, so no agent has it. */
  isOff?: boolean;
  /** Agents that have chosen other parts of its source, and so do not have it. */
  withoutAgents?: ReadonlySet<string>;
};

/** Names of tools that agents have beside those that are ticked for them, by the agents' ids. */
export type JoinedTools = ReadonlyMap<string, ReadonlySet<string>>;

/** A tool that answers for a name that is no tool's. */
export type Redirect = { tool: string };

/**
 * A source whose tools are rows: the catalog loads them with the configuration. MCP servers are no such source, because
 * their tools run over a connection that each replica holds (`live-tools.ts`).
 */
export type StoredToolSource = {
  source: ToolSource;
  /** Loads the runnable tools of a workspace by the ids of their rows. */
  load: (workspaceId: string) => Promise<ReadonlyMap<string, StoredTool>>;
  /** Finds the tools that agents have because they were given a part of the source. */
  joined?: (workspaceId: string) => Promise<JoinedTools>;
  /** Names that models call although they are no tools, each with the tool that answers; it gets the name as the requested one. */
  redirects?: (workspaceId: string) => Promise<ReadonlyMap<string, Redirect>>;
};

const registry = () => processWide("storedToolSources", () => new Map<string, StoredToolSource>());

/** Registers the source of a family. Families define sources, because the core names none. */
export function provideToolSource(family: string, source: StoredToolSource): void {
  registry().set(family, source);
}

/** Loads the runnable tools of all stored sources by the ids of their rows. */
export async function loadStoredTools(workspaceId: string): Promise<ReadonlyMap<string, StoredTool>> {
  const loaded = await Promise.all([...registry().values()].map(({ load }) => load(workspaceId)));
  return new Map(loaded.flatMap((tools) => [...tools]));
}

/** Loads the tools that agents have beside the ticked ones. */
export async function loadJoinedTools(workspaceId: string): Promise<JoinedTools> {
  const loaded = await Promise.all(
    [...registry().values()].map(async ({ joined }) => joined?.(workspaceId) ?? new Map<string, ReadonlySet<string>>()),
  );
  const all = new Map<string, Set<string>>();
  for (const [agentId, names] of loaded.flatMap((one) => [...one])) all.set(agentId, new Set([...(all.get(agentId) ?? []), ...names]));
  return all;
}

/** Loads the names that are answered by a tool of another name. */
export async function loadRedirects(workspaceId: string): Promise<ReadonlyMap<string, Redirect>> {
  const loaded = await Promise.all(
    [...registry().values()].map(async ({ redirects }) => redirects?.(workspaceId) ?? new Map<string, Redirect>()),
  );
  return new Map(loaded.flatMap((one) => [...one]));
}
