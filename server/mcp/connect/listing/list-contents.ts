import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { McpPrompt, McpResource } from "@/contracts/mcp-contents";
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

/** Lists the resources and then the templates of a server; empty for a server without resources. */
export async function listResources(client: Client, options: ListOptions): Promise<McpResource[]> {
  if (!client.getServerCapabilities()?.resources) return [];
  const resources = await everyItem(client, { method: "resources/list", member: "resources", item: Resource }, options);
  // A server with resources need not know templates.
  const templates = await everyItem(
    client,
    { method: "resources/templates/list", member: "resourceTemplates", item: Template },
    options,
  ).catch((error) => {
    options.signal.throwIfAborted();
    if (error instanceof Error && "code" in error && error.code === methodNotFound) return [];
    throw error;
  });
  return [
    ...resources.map((resource) => ({
      ...presented(resource),
      uri: shownUri(resource.uri),
      isTemplate: false,
      size: resource.size ?? null,
    })),
    ...templates.map((template) => ({ ...presented(template), uri: shownUri(template.uriTemplate), isTemplate: true, size: null })),
  ].sort((a, b) => compare(a.uri, b.uri));
}

/** Lists the prompts of a server; empty for a server without prompts. */
export async function listPrompts(client: Client, options: ListOptions): Promise<McpPrompt[]> {
  if (!client.getServerCapabilities()?.prompts) return [];
  const prompts = await everyItem(client, { method: "prompts/list", member: "prompts", item: Prompt }, options);
  return prompts
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
}

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

type List<T extends z.ZodType> = { method: string; member: string; item: T };

/** Reads a list page by page and leaves out invalid entries. A repeated cursor ends the list, because it would never end. */
async function everyItem<T extends z.ZodType>(
  client: Client,
  { method, member, item }: List<T>,
  options: ListOptions,
): Promise<z.output<T>[]> {
  const Page = z.looseObject({ [member]: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) });
  const found: z.output<T>[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages && found.length < maxItems; pages += 1) {
    const page: Record<string, unknown> = await client.request({ method, params: cursor === undefined ? {} : { cursor } }, Page, options);
    for (const listed of page[member] as unknown[]) {
      const { success, data } = item.safeParse(listed);
      if (success) found.push(data);
    }
    cursor = page.nextCursor as string | undefined;
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return found.slice(0, maxItems);
}
