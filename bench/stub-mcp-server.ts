import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/** An MCP server over streamable HTTP with one tool that does nothing: what is left is the cost of the way there. */
export async function startStubMcpServer(): Promise<{ url: string; stop: () => void }> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "stub", version: "1.0.0" });
    server.registerTool(
      "echo",
      { description: "Answers what it is given", inputSchema: z.object({ text: z.string() }), annotations: { readOnlyHint: true } },
      async ({ text }) => ({ content: [{ type: "text", text }] }),
    );
    return server;
  });
  const http = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${incoming.url}`, {
        method: incoming.method ?? "GET",
        headers: Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
          typeof value === "string" ? [[name, value]] : [],
        ),
        ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
      }),
    );
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) outgoing.write(chunk);
    outgoing.end();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, stop: () => http.closeAllConnections() ?? http.close() };
}
