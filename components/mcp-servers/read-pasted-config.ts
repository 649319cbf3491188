import { z } from "zod";
import { emptyFields, keyValue, type ServerFields } from "./server-draft";

const PastedServer = z.object({
  type: z.string().optional(),
  transport: z.string().optional(),
  command: z.string().optional(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().optional(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
});
type PastedServer = z.infer<typeof PastedServer>;
const Servers = z.record(z.string(), PastedServer);
const Pasted = z.union([
  z.object({ mcpServers: Servers }).transform(({ mcpServers }) => mcpServers),
  z.object({ servers: Servers }).transform(({ servers }) => servers),
  Servers,
]);

/**
 * The first server of a configuration as other programs keep it (`{ "mcpServers": { name: { command, args, env } } }`),
 * as fields of our form.
 * @throws Error with a sentence for the person who pasted it.
 */
export function readPastedConfig(text: string): ServerFields {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error("This is not JSON. Paste the whole object, with its braces.");
  }
  // A single server without a name around it.
  const lone = PastedServer.refine(({ command, url, serverUrl }) => Boolean(command ?? url ?? serverUrl)).safeParse(json);
  const found = lone.success ? { "": lone.data } : (Pasted.safeParse(json).data ?? {});
  const [first] = Object.entries(found);
  if (!first) throw new Error('No server was found in it. It looks like { "mcpServers": { "name": { "command": "npx", "args": [] } } }.');
  return fieldsOfPasted(...first);
}

function fieldsOfPasted(name: string, server: PastedServer): ServerFields {
  const url = server.url ?? server.serverUrl ?? "";
  const kind = server.type ?? server.transport ?? "";
  return {
    ...emptyFields,
    alias: aliasFrom(name),
    transport: url === "" ? "stdio" : kind === "sse" ? "sse" : "streamable_http",
    command: server.command ?? "",
    args: server.args.join("\n"),
    env: Object.entries(server.env).map(([key, value]) => keyValue(key, value)),
    cwd: server.cwd ?? "",
    url,
    headers: Object.entries(server.headers).map(([key, value]) => keyValue(key, value)),
  };
}

/** The nearest name that an alias can have: `My Server!` becomes `my-server`. */
function aliasFrom(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/_{2,}/g, "_")
    .replace(/^[-_]+|[-_]+$/g, "")
    .slice(0, 32);
}
