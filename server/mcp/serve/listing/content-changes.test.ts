import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ResourceListChangedNotificationSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { McpServer, type ServerNotifier } from "@modelcontextprotocol/server";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { buildMcpKey, connectSession, requestMcp } from "@/server/testing/mcp/mcp-clients";
import { serveMcp } from "@/server/testing/mcp/serve-mcp";

const { connectedAs, house, start } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function upstream(): McpServer {
  const capabilities = { logging: {}, resources: { subscribe: true, listChanged: true } };
  const server = new McpServer({ name: "upstream", version: "1.0.0" }, { capabilities });
  const annotations = { readOnlyHint: true };
  server.registerTool("work", { description: "Works", inputSchema: z.object({}), annotations }, async (_args, { mcpReq }) => {
    await mcpReq.log("debug", "looking");
    await mcpReq.log("warning", { found: "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789" }, "worker");
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [1, 2, 3, 4]) {
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 4, message: `step ${progress}` } });
    }
    return { content: [{ type: "text", text: "done" }] };
  });
  server.registerResource("one", "note://one", {}, ({ href: uri }) => ({ contents: [{ uri, text: "first" }] }));
  return server;
}

async function connected(): Promise<{ key: string; notify: ServerNotifier }> {
  await start();
  const { url, stop, notify } = await serveMcp(upstream);
  stops.push(stop);
  const draft = { alias: "up", transport: "streamable_http", url, tier: "core", trustHints: true, offerContents: true };
  await connectedAs(McpServerDraft.parse(draft));
  return { key: await buildMcpKey(house(), crypto.randomUUID()), notify };
}

test("progress keeps the server's numbers and its last step, which comes with the result", async () => {
  const { key } = await connected();
  const { client } = await connectSession(key);
  const steps: object[] = [];
  await client.callTool({ name: "up__work", arguments: {} }, undefined, { onprogress: (step) => steps.push(step) });
  expect(steps[0]).toEqual({ progress: 1, total: 4, message: "step 1" });
  expect(steps.at(-1)).toEqual({ progress: 4, total: 4, message: "step 4" });
  await client.close();
});

test("log messages of a call reach its client from the level on that it asked for, secrets masked, and none before it asked", async () => {
  const { key } = await connected();
  const { client } = await connectSession(key);
  const lines: object[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (method === "notifications/message") lines.push(params ?? {});
  };
  await client.callTool({ name: "up__work", arguments: {} });
  expect(lines).toEqual([]);
  await client.setLoggingLevel("info");
  await client.callTool({ name: "up__work", arguments: {} });
  await expect.poll(() => lines).toEqual([{ level: "warning", logger: "worker", data: { found: "sk***89" } }]);
  await client.close();
});

test("a session hears of the resource that it follows and of changed lists, until it unsubscribes", async () => {
  const { key, notify } = await connected();
  const { client } = await connectSession(key);
  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push("list"));
  await expect(client.subscribeResource({ uri: "note://none" })).rejects.toThrow("There is no such resource");
  await client.subscribeResource({ uri: "note://one" });
  await expect
    .poll(
      () => {
        notify.resourceUpdated("note://one");
        return heard;
      },
      { timeout: 10_000, interval: 200 },
    )
    .toContain("note://one");
  await expect
    .poll(
      () => {
        notify.resourcesChanged();
        return heard;
      },
      { timeout: 10_000, interval: 500 },
    )
    .toContain("list");
  await client.unsubscribeResource({ uri: "note://one" });
  await client.close();
});

test("a client of 2026-07-28 listens to resources in its subscription", async () => {
  const { key, notify } = await connected();
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const heard: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
  const url = new URL("http://localhost:3000/mcp");
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: requestMcp, requestInit }));
  await client.listen({ resourceSubscriptions: ["note://one"] });
  await expect
    .poll(
      () => {
        notify.resourceUpdated("note://one");
        return heard;
      },
      { timeout: 10_000, interval: 200 },
    )
    .toContain("note://one");
  await client.close();
});
