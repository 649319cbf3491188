import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

export const countedTools = ["look", "put", "book"] as const;
export type CountedTool = (typeof countedTools)[number];

export type CountingServer = {
  url: string;
  /** Ids in the order in which their calls came. */
  received: Record<CountedTool, string[]>;
  stop: () => void;
};

const hints = {
  look: { readOnlyHint: true },
  put: { idempotentHint: true, destructiveHint: false },
  // Says nothing about itself, so it is taken for one with side effects that must not happen twice.
  book: {},
} as const;

/** An MCP server over streamable HTTP that notes every call: one tool that reads, one that may be repeated, one that may not. */
export async function startCountingServer(): Promise<CountingServer> {
  const received: CountingServer["received"] = { look: [], put: [], book: [] };
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "counter", version: "1.0.0" });
    for (const tool of countedTools) {
      server.registerTool(
        tool,
        { description: `Notes the id (${tool})`, inputSchema: z.object({ id: z.string(), ms: z.number() }), annotations: hints[tool] },
        async ({ id, ms }) => {
          received[tool].push(id);
          await pause(ms);
          return { content: [{ type: "text", text: id }] };
        },
      );
    }
    return server;
  });
  const http = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
      const headers = new Headers();
      for (const [name, value] of Object.entries(incoming.headers)) if (typeof value === "string") headers.set(name, value);
      const request = new Request(`http://127.0.0.1${incoming.url}`, {
        method: incoming.method ?? "GET",
        headers,
        ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
      });
      const answer = await handler.fetch(request);
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body) for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) outgoing.write(chunk);
      outgoing.end();
    } catch {
      // The caller was killed in the middle of its call.
      outgoing.destroy();
    }
  });
  // A replica that keeps its connection for a while must not find it closed by us first.
  http.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    received,
    stop() {
      http.closeAllConnections();
      http.close();
    },
  };
}
