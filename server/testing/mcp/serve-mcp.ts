import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, type McpServer, type Server, type ServerNotifier } from "@modelcontextprotocol/server";

/** Serves an MCP server over streamable HTTP, one instance per request. */
export async function serveMcp(
  make: (notify: ServerNotifier) => McpServer | Server,
): Promise<{ url: string; notify: ServerNotifier; stop: () => void }> {
  const handler: ReturnType<typeof createMcpHandler> = createMcpHandler(() => make(handler.notify));
  const http = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) if (typeof value === "string") headers.set(name, value);
    const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
    const init = { method: incoming.method ?? "GET", headers, ...(hasBody ? { body: Buffer.concat(chunks) } : {}) };
    const answer = await handler.fetch(new Request(`http://127.0.0.1${incoming.url}`, init));
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) outgoing.write(chunk);
    outgoing.end();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    notify: handler.notify,
    stop() {
      http.closeAllConnections();
      http.close();
    },
  };
}
