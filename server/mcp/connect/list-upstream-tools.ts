import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import { log } from "@/server/platform/log";

const maxTools = 5_000;
const maxPages = 200;
const maxNameCharacters = 500;

const hint = z.boolean().optional().catch(undefined);
const words = z.string().optional().catch(undefined);

/** A tool as a server lists it. Only the name is needed; whatever else is not as it should be counts as not said. */
export const UpstreamTool = z.object({
  name: z.string().min(1).max(maxNameCharacters),
  title: words,
  description: words,
  inputSchema: z.unknown().optional(),
  annotations: z.object({ title: words, readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint }).optional().catch(undefined),
});
export type UpstreamTool = z.infer<typeof UpstreamTool>;

const Page = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) });

/**
 * Every tool that a server lists, page by page. A tool that is not one is left out and its neighbours stay; the SDK's
 * own listing would refuse them all.
 */
export async function listUpstreamTools(
  client: Client,
  options: { serverName: string; signal: AbortSignal; timeout: number },
): Promise<UpstreamTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const { serverName, ...request } = options;
  const found = new Map<string, UpstreamTool>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  let skipped = 0;
  do {
    const page = await client.request({ method: "tools/list", params: cursor === undefined ? {} : { cursor } }, Page, request);
    for (const listed of page.tools) {
      const tool = UpstreamTool.safeParse(listed);
      // A name that cannot be stored could not be told apart from its stored form.
      if (tool.success && tool.data.name.isWellFormed() && !tool.data.name.includes("\u0000")) {
        if (!found.has(tool.data.name)) found.set(tool.data.name, tool.data);
      } else skipped += 1;
    }
    if (cursor !== undefined) seen.add(cursor);
    cursor = page.nextCursor;
    // A cursor that comes back would page for ever.
  } while (cursor !== undefined && !seen.has(cursor) && seen.size < maxPages && found.size < maxTools);
  if (skipped > 0 || cursor !== undefined) {
    log().warn(
      { server: serverName, skipped, taken: found.size, isCut: cursor !== undefined },
      "an MCP server's tool list was not taken whole",
    );
  }
  return [...found.values()].slice(0, maxTools);
}
