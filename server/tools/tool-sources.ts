import type { ToolSource } from "@/contracts/tools";
import { processWide } from "@/server/platform/process-wide";
import type { AnyTool } from "./define-tool";

/** A tool that is made from rows, and so runs on every replica without a connection. */
export type StoredTool = {
  tool: AnyTool;
  /** The source's own name for a group of its tools; the console filters by it. */
  sourceName: string | null;
};

/**
 * A source whose tools are rows: the catalog loads them with the configuration. MCP servers are no such source, because
 * their tools run over a connection that each replica holds (`live-tools.ts`).
 */
export type StoredToolSource = {
  source: ToolSource;
  /** Loads the runnable tools of a workspace by the ids of their rows. */
  load: (workspaceId: string) => Promise<ReadonlyMap<string, StoredTool>>;
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
