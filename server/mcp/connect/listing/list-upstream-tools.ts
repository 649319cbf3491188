import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import { maxTools } from "@/contracts/mcp/mcp-servers";
import { log } from "@/server/platform/log";
import { headerFault } from "../schemas/header-declarations";
import { isDeeperThan, maxSchemaDepth } from "../schemas/input-schema";
import { cleanLine } from "../text/clean-text";

/** Listing stops after this many pages in a row without a new tool, because a server may answer empty pages for ever. */
const maxIdlePages = 10;
const maxNameCharacters = 500;
const maxNamesTold = 5;

const hint = z.boolean().optional().catch(undefined);
const words = z.string().optional().catch(undefined);

/** A tool as a server lists it. Only the name is required; any other invalid field counts as missing. */
export const UpstreamTool = z.object({
  name: z.string().min(1).max(maxNameCharacters),
  title: words,
  description: words,
  inputSchema: z.unknown().optional(),
  outputSchema: z.record(z.string(), z.unknown()).optional().catch(undefined),
  execution: z.object({ taskSupport: words }).optional().catch(undefined),
  annotations: z
    .object({ title: words, readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint })
    .optional()
    .catch(undefined),
  _meta: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
export type UpstreamTool = z.infer<typeof UpstreamTool>;

/** A server's tools, and a note for each reason why listed tools are missing. */
export type UpstreamListing = { tools: UpstreamTool[]; notes: string[] };

const Page = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) });

type ListOptions = {
  serverName: string;
  signal: AbortSignal;
  /** Time limit of a page, in milliseconds. */
  timeout: number;
  /** Whether calls repeat declared arguments in HTTP headers; then tools with illegal declarations are left out. */
  sendsHeaders: boolean;
};

/**
 * Lists a server's tools page by page, up to `maxTools`. An invalid entry is left out and the others stay; the SDK's own
 * listing would refuse the whole page.
 */
export async function listUpstreamTools(client: Client, options: ListOptions): Promise<UpstreamListing> {
  if (!client.getServerCapabilities()?.tools) return { tools: [], notes: [] };
  const { serverName, sendsHeaders, ...request } = options;
  const found = new Map<string, UpstreamTool>();
  const seen = new Set<string>();
  const refused = new Set<string>();
  const repeated = new Set<string>();
  let cursor: string | undefined;
  let unusable = 0;
  let idlePages = 0;
  do {
    const before = found.size;
    const page = await client.request({ method: "tools/list", params: cursor === undefined ? {} : { cursor } }, Page, request);
    // A server that ignores cursors sends its first page again and again, which is no repeated name.
    const ofPage = new Set<string>();
    for (const listed of page.tools) {
      const { success, data: tool } = UpstreamTool.safeParse(listed);
      // An unstorable name is refused, because its stored form could equal another tool's name.
      if (!success || !tool.name.isWellFormed() || tool.name.includes("\u0000")) unusable += 1;
      else if (sendsHeaders && hasHeaderFault(tool)) refused.add(tool.name);
      else if (ofPage.has(tool.name)) repeated.add(tool.name);
      else if (!found.has(tool.name)) found.set(tool.name, tool);
      if (success) ofPage.add(tool.name);
    }
    idlePages = found.size > before ? 0 : idlePages + 1;
    if (cursor !== undefined) seen.add(cursor);
    cursor = page.nextCursor;
    // A repeated cursor would page for ever.
  } while (cursor !== undefined && !seen.has(cursor) && idlePages < maxIdlePages && found.size < maxTools);
  const isCut = found.size > maxTools || (found.size === maxTools && cursor !== undefined);
  const isStoppedEarly = idlePages >= maxIdlePages && cursor !== undefined && !seen.has(cursor);
  const isRepeated = cursor !== undefined && seen.has(cursor) && !isCut;
  const notes = [
    ...(isCut ? [cutNote] : []),
    ...(isStoppedEarly ? [idleNote] : []),
    ...(isRepeated ? [cursorNote(found.size)] : []),
    ...unusableNote(unusable),
    ...refusedNote([...refused]),
    ...repeatedNote([...repeated]),
  ];
  if (notes.length > 0)
    log().warn({ server: serverName, taken: Math.min(found.size, maxTools), notes }, "some of an MCP server's tools are missing");
  return { tools: [...found.values()].slice(0, maxTools), notes };
}

function hasHeaderFault({ inputSchema }: UpstreamTool): boolean {
  // `completeSchema` refuses a deeper schema anyway, so such a schema is not walked here.
  return !isDeeperThan(inputSchema, maxSchemaDepth) && headerFault(inputSchema) !== null;
}

const cutNote = `The server lists more than ${maxTools.toLocaleString("en")} tools. The first ${maxTools.toLocaleString("en")} are taken.`;

const idleNote = `The listing was stopped, because ${maxIdlePages} pages in a row had no usable tool. Tools on later pages are missing.`;

const cursorNote = (count: number): string =>
  `Listed ${count.toLocaleString("en")} ${count === 1 ? "tool" : "tools"}; the server repeats its cursor, so tools on further pages may be missing.`;

function unusableNote(count: number): string[] {
  if (count === 0) return [];
  return [
    `${count} ${count === 1 ? "entry" : "entries"} of the server's list ${count === 1 ? "is" : "are"} left out, because MCP tools need a name.`,
  ];
}

function refusedNote(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const told = names.slice(0, maxNamesTold).map((name) => cleanLine(name, 100));
  const more = names.length > told.length ? ` and ${names.length - told.length} more` : "";
  return [`Not offered, because their x-mcp-header declarations break MCP's rules: ${told.join(", ")}${more}.`];
}

function repeatedNote(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const told = names.slice(0, maxNamesTold).map((name) => cleanLine(name, 100));
  const more = names.length > told.length ? ` and ${names.length - told.length} more` : "";
  return [`Listed more than once, so only the first of each name is offered: ${told.join(", ")}${more}.`];
}
