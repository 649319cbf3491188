import "server-only";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { processWide } from "@/server/platform/process-wide";
import type { RegisteredTool } from "../registered-tool";
import { ToolIndex } from "./tool-index";
import { toToolText } from "./tool-text";

type Held = {
  index: ToolIndex;
  /** Revision of each indexed tool, by name. */
  revisions: Map<string, string>;
  /** The catalog's tools that the index has; replaced when the configuration changes. */
  tools: readonly RegisteredTool[] | null;
  updating: Promise<void>;
};

const maxWorkspaces = 100;
const sliceMs = 8;

const indexes = () => processWide("toolIndexes", () => new LRUCache<string, Held>({ max: maxWorkspaces }));

const revisionOf = (tool: RegisteredTool): string =>
  `${tool.id}:${tool.version}:${tool.updatedAt.getTime()}:${tool.schemaHash}:${tool.sourceName ?? ""}`;

/**
 * Returns the search index of a workspace's tools. Only tools that changed since the last call are indexed again.
 * Agents share the index, because a filter costs less than an index for each.
 */
export async function loadToolIndex(workspaceId: string, tools: readonly RegisteredTool[]): Promise<ToolIndex> {
  const held = indexes().get(workspaceId) ?? { index: new ToolIndex(), revisions: new Map(), tools: null, updating: Promise.resolve() };
  indexes().set(workspaceId, held);
  // Updates run one after the other, because each compares with the state that the one before left.
  if (held.tools !== tools) held.updating = held.updating.then(() => update(held, tools));
  await held.updating;
  return held.index;
}

/** Indexes what changed, in slices, so that ten thousand tools do not block the event loop. */
async function update(held: Held, tools: readonly RegisteredTool[]): Promise<void> {
  if (held.tools === tools) return;
  const names = new Set(tools.map(({ name }) => name));
  for (const name of [...held.revisions.keys()]) {
    if (names.has(name)) continue;
    held.index.remove(name);
    held.revisions.delete(name);
  }
  let sliceBegan = performance.now();
  for (const tool of tools) {
    const revision = revisionOf(tool);
    if (held.revisions.get(tool.name) === revision) continue;
    held.index.put(tool.name, toToolText(tool));
    held.revisions.set(tool.name, revision);
    if (performance.now() - sliceBegan < sliceMs) continue;
    await yieldToEventLoop();
    sliceBegan = performance.now();
  }
  held.tools = tools;
}
