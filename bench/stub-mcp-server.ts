/**
 * An MCP server with one tool that does nothing: what is left is the cost of the way there. A program of its own, over
 * stdio, or over streamable HTTP when its argument is `http`.
 */
import { createServer } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

function stub(): McpServer {
  const server = new McpServer({ name: "stub", version: "1.0.0" });
  server.registerTool(
    "echo",
    { description: "Answers what it is given", inputSchema: z.object({ text: z.string() }), annotations: { readOnlyHint: true } },
    async ({ text }) => ({ content: [{ type: "text", text }] }),
  );
  return server;
}

if (process.argv[2] === "http") serveHttp();
else await stub().connect(new StdioServerTransport());

function serveHttp(): void {
  const handler = createMcpHandler(stub);
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
    if (answer.body) for await (const chunk of answer.body) outgoing.write(chunk);
    outgoing.end();
  });
  http.listen(0, "127.0.0.1", () => {
    const address = http.address();
    console.log(`listening on ${typeof address === "object" ? address?.port : address}`);
  });
  process.once("SIGTERM", () => process.exit(0));
}
