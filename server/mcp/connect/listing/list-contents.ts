import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { McpPrompt, McpResource } from "@/contracts/mcp/mcp-contents";
import { cleanLine, cleanText } from "../text/clean-text";

type ListOptions = { signal: AbortSignal; timeout: number };

/** Limit of entries that are read from one list. */
const maxItems = 2_000;
const maxPages = 200;
const maxUriCharacters = 2_000;

const words = z.string().optional().catch(undefined);
const named = { name: words, title: words, description: words };
const Resource = z.object({
  ...named,
  uri: z.string().min(1),
  mimeType: words,
  size: z.number().nonnegative().optional().catch(undefined),
});
const Template = z.object({ ...named, uriTemplate: z.string().min(1), mimeType: words });
const Prompt = z.object({
  ...named,
  name: z.string().min(1),
  arguments: z
    .array(z.object({ name: z.string(), description: words, required: z.boolean().optional().catch(undefined) }))
    .optional()
    .catch(undefined),
});

/** The entries that a server lists, and a note for each reason why more may be missing. */
export type ContentListing<T> = { items: T[]; notes: string[] };

/** Lists the resources and then the templates of a server; empty for a server without resources. */
export async function listResources(client: Client, options: ListOptions): Promise<ContentListing<McpResource>> {
  if (!client.getServerCapabilities()?.resources) return { items: [], notes: [] };
  const resourceList = { method: "resources/list", member: "resources", item: Resource, keyOf: uriOf, noun: "resource" };
  const resources = await everyItem(client, resourceList, options);
  // A server with resources need not know templates.
  const templateList = {
    method: "resources/templates/list",
    member: "resourceTemplates",
    item: Template,
    keyOf: templateOf,
    noun: "template",
  };
  const templates = await everyItem(client, templateList, options).catch((error) => {
    options.signal.throwIfAborted();
    if (error instanceof Error && "code" in error && error.code === methodNotFound) return { items: [], notes: [] };
    throw error;
  });
  const items = [
    ...resources.items.map((resource) => ({
      ...presented(resource),
      uri: shownUri(resource.uri),
      isTemplate: false,
      size: resource.size ?? null,
    })),
    ...templates.items.map((template) => ({ ...presented(template), uri: shownUri(template.uriTemplate), isTemplate: true, size: null })),
  ].sort((a, b) => compare(a.uri, b.uri));
  return { items, notes: [...resources.notes, ...templates.notes] };
}

const uriOf = ({ uri }: z.output<typeof Resource>): string => uri;
const templateOf = ({ uriTemplate }: z.output<typeof Template>): string => uriTemplate;

/** Lists the prompts of a server; empty for a server without prompts. */
export async function listPrompts(client: Client, options: ListOptions): Promise<ContentListing<McpPrompt>> {
  if (!client.getServerCapabilities()?.prompts) return { items: [], notes: [] };
  const promptList = { method: "prompts/list", member: "prompts", item: Prompt, keyOf: nameOf, noun: "prompt" };
  const prompts = await everyItem(client, promptList, options);
  const items = prompts.items
    .map(({ name, title, description, arguments: args = [] }) => ({
      name: cleanLine(name, 200),
      title: cleanLine(title ?? name, 200),
      description: cleanText(description ?? "", 2_000),
      arguments: args.slice(0, 50).map((argument) => ({
        name: cleanLine(argument.name, 200),
        description: cleanLine(argument.description ?? "", 500),
        required: argument.required === true,
      })),
    }))
    .sort((a, b) => compare(a.name, b.name));
  return { items, notes: prompts.notes };
}

const nameOf = ({ name }: z.output<typeof Prompt>): string => name;

const methodNotFound = -32_601;

function presented({ name, title, description, mimeType }: { name?: string; title?: string; description?: string; mimeType?: string }) {
  return {
    name: cleanLine(title ?? name ?? "", 200),
    description: cleanText(description ?? "", 2_000),
    mimeType: mimeType ? cleanLine(mimeType, 200) : null,
  };
}

const shownUri = (uri: string) => cleanLine(uri, maxUriCharacters);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

type List<T extends z.ZodType> = {
  method: string;
  member: string;
  item: T;
  keyOf: (item: z.output<T>) => string;
  /** Word for one entry: "resource". */
  noun: string;
};

/** Reads a list page by page and leaves out invalid entries. A repeated cursor ends the list, because it would never end. */
async function everyItem<T extends z.ZodType>(
  client: Client,
  { method, member, item, keyOf, noun }: List<T>,
  options: ListOptions,
): Promise<ContentListing<z.output<T>>> {
  const Page = z.looseObject({ [member]: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) });
  // A server that ignores cursors sends its first page again, so each entry is taken once.
  const found = new Map<string, z.output<T>>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  let pages = 0;
  do {
    if (cursor !== undefined) seen.add(cursor);
    const page: Record<string, unknown> = await client.request({ method, params: cursor === undefined ? {} : { cursor } }, Page, options);
    for (const listed of page[member] as unknown[]) {
      const { success, data } = item.safeParse(listed);
      if (success && !found.has(keyOf(data))) found.set(keyOf(data), data);
    }
    cursor = page.nextCursor as string | undefined;
    pages += 1;
  } while (cursor !== undefined && !seen.has(cursor) && pages < maxPages && found.size < maxItems);
  const taken = [...found.values()].slice(0, maxItems);
  const listed = `Listed ${taken.length.toLocaleString("en")} ${noun}${taken.length === 1 ? "" : "s"}`;
  if (found.size > maxItems || (found.size === maxItems && cursor !== undefined))
    return { items: taken, notes: [`${listed}; the server has more of them.`] };
  if (cursor === undefined) return { items: taken, notes: [] };
  const reason = seen.has(cursor) ? "the server repeats its cursor" : `the list was stopped after ${maxPages} pages`;
  return { items: taken, notes: [`${listed}; ${reason}, so ${noun}s on further pages may be missing.`] };
}
