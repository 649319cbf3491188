import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { buildConversation } from "@/server/testing/builders";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import type { PersonQuestion } from "@/server/tools/define-tool";

const { connectedAs, house, run, start } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Serves a server of revision 2025-06-18 with one session, whose tool asks its user to confirm a word. */
async function serveAsking(): Promise<string> {
  const server = new McpServer({ name: "asking", version: "1.0.0" });
  server.registerTool("confirm", { description: "Confirms", inputSchema: { word: z.string() } }, async ({ word }, { sendRequest }) => {
    const params = { message: `Really ${word}?`, requestedSchema: { type: "object" as const, properties: {} } };
    const { action } = await sendRequest({ method: "elicitation/create", params }, z.object({ action: z.string() }));
    return { content: [{ type: "text", text: `${word}: ${action}` }] };
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

test("the questions of several conversations in one session of an older server reach the people of their own call each", async () => {
  await start();
  const { id } = await connectedAs(McpServerDraft.parse({ alias: "ask", transport: "streamable_http", url: await serveAsking() }));
  const { workspace, admin, agent } = house();
  const everybodyAsked = Promise.withResolvers<void>();
  let open = 0;
  const confirm = async (word: string, answer: string) => {
    const { id: conversationId } = await buildConversation(admin, { agentId: agent.id });
    const origin = { workspaceId: workspace.id, conversationId, requestedBy: { type: "user" as const, id: admin.id, name: "Ada" } };
    const questions: string[] = [];
    const ask = async ({ text }: PersonQuestion) => {
      questions.push(text);
      open += 1;
      if (open === 3) everybodyAsked.resolve();
      await everybodyAsked.promise;
      return answer;
    };
    return { answered: await run(id, "ask__confirm", { word }, { ask, origin }), questions };
  };
  const seen = await Promise.all([confirm("one", "Accept"), confirm("two", "Decline"), confirm("three", "Accept")]);
  expect(seen).toEqual([
    { answered: "one: accept", questions: ["The MCP server ask asks: Really one?"] },
    { answered: "two: decline", questions: ["The MCP server ask asks: Really two?"] },
    { answered: "three: accept", questions: ["The MCP server ask asks: Really three?"] },
  ]);
});
