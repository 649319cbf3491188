import "server-only";
import { z } from "zod";
import { type Tool, type ToolFilter, toolSources } from "@/contracts/tools/tools";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { byListingOrder, loadTools } from "../catalog";
import type { RegisteredTool } from "../registered-tool";
import { presentTool } from "./present-tool";

type Page = { items: Tool[]; nextCursor: string | null; total: number };
const Cursor = z.tuple([z.enum(toolSources), z.string()]);

/** Lists the tools that match a filter, in listing order: builtin by name, then MCP by name. */
export async function listTools(
  actor: Authorized<"tools:read">,
  { limit = 200, cursor, ...filter }: ToolFilter & { limit?: number; cursor?: string },
): Promise<Page> {
  const all = (await loadTools(actor.workspaceId)).filter((tool) => covers(filter, tool));
  const after = cursor ? decodeCursor(cursor, Cursor) : null;
  const rest = after ? all.filter((tool) => byListingOrder(tool, { source: after[0], name: after[1] }) > 0) : all;
  const { rows, nextCursor } = toPage(rest, limit, ({ source, name }) => [source, name]);
  return { items: rows.map(presentTool), nextCursor, total: all.length };
}

function covers(filter: ToolFilter, tool: RegisteredTool): boolean {
  const words = filter.query?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const text = [tool.name, tool.title, tool.shownDescription, tool.family, ...tool.aliases].join(" ").toLowerCase();
  return (
    (filter.source === undefined || tool.source === filter.source) &&
    (filter.tier === undefined || tool.tier === filter.tier) &&
    (filter.enabled === undefined || tool.enabled === filter.enabled) &&
    (filter.family === undefined || tool.family === filter.family) &&
    words.every((word) => text.includes(word))
  );
}
