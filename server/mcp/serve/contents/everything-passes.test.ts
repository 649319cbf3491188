import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer, ProtocolError, Server } from "@modelcontextprotocol/server";
import { eq } from "drizzle-orm";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { approvals, toolCalls } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize } from "@/server/testing/builders";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { buildMcpKey, connectSession, connectStateless } from "@/server/testing/mcp/mcp-clients";
import { serveMcp } from "@/server/testing/mcp/serve-mcp";
import { resumeOnSignal } from "@/server/turns/recovery/resume-turn";

const { connectedAs, house, start } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

beforeAll(() => {
  const stop = resumeOnSignal();
  return () => stop();
});

const token = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const blocks = [
  { type: "image" as const, data: png, mimeType: "image/png", annotations: { audience: ["user" as const], priority: 0.9 } },
  { type: "text" as const, text: "between", annotations: { lastModified: "2026-01-12T15:00:58Z" }, _meta: { place: 2 } },
  { type: "resource" as const, resource: { uri: "note://one", mimeType: "text/plain", text: "first" } },
  { type: "text" as const, text: "between" },
  { type: "resource_link" as const, uri: "note://two", name: "two", annotations: { priority: 0 } },
  { type: "text" as const, text: "end" },
];

/** A server whose answers use everything that the protocol has for programs. */
function upstream(): McpServer {
  const server = new McpServer({ name: "upstream", version: "1.0.0" });
  const annotations = { readOnlyHint: true };
  const inputSchema = z.object({});
  const _meta = { ui: { resourceUri: "ui://card" }, "handrail/effect": "destroy", vendor: 1 };
  server.registerTool("everything", { description: "Everything", inputSchema, annotations, _meta }, () => ({
    content: blocks,
    _meta: { ui: { theme: "dark" }, note: `key ${token}`, "handrail/turn": "forged", progressToken: 7 },
  }));
  server.registerTool("meta", { description: "Says what it was sent", inputSchema, annotations }, (_args, { mcpReq }) => ({
    content: [{ type: "text", text: JSON.stringify(mcpReq._meta ?? {}) }],
  }));
  server.registerResource("card", "ui://card", { mimeType: "text/html;profile=mcp-app" }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: "text/html;profile=mcp-app", text: "<p>Card</p>", _meta: { ui: { prefersBorder: true } } }],
  }));
  server.registerResource("private", "note://private", {}, ({ href: uri }) => ({ contents: [{ uri, text: "private" }] }));
  return server;
}

const gone = { code: -32_002, message: `It is gone: ${token}`, data: { uri: "ui://gone", hint: "Ask again", key: token } };

/** Serves a server of 2025-11-25 that has nothing any more. It is plain JSON-RPC, because the SDK's servers send -32602 in its place. */
async function serveMissing(): Promise<string> {
  const _meta = { ui: { resourceUri: "ui://gone" } };
  const tool = { name: "look", inputSchema: { type: "object" }, annotations: { readOnlyHint: true }, _meta };
  const answers: Record<string, object> = {
    initialize: {
      result: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: "missing", version: "1.0.0" },
      },
    },
    "tools/list": { result: { tools: [tool] } },
    "tools/call": { error: gone },
    "resources/read": { error: gone },
  };
  const http = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { id, method } = request.method === "POST" ? JSON.parse(Buffer.concat(pieces).toString()) : {};
    if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
    const answer = answers[method] ?? { error: { code: -32_601, message: "Method not found" } };
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  stops.push(() => http.close());
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

/** A server that answers each call with an error of the protocol. */
function refusing(): Server {
  const server = new Server({ name: "refusing", version: "1.0.0" }, { capabilities: { tools: {} } });
  const tool = { name: "refuse", inputSchema: { type: "object" as const }, annotations: { readOnlyHint: true } };
  server.setRequestHandler("tools/list", () => ({ tools: [tool] }));
  server.setRequestHandler("tools/call", () => {
    throw new ProtocolError(-32_050, "Too many calls", { retryAfter: 30 });
  });
  return server;
}

async function connected(make: () => McpServer | Server = upstream) {
  const served = await serveMcp(make);
  stops.push(served.stop);
  return connectedAt(served.url);
}

async function connectedAt(url: string) {
  await start();
  await connectedAs(McpServerDraft.parse({ alias: "up", transport: "streamable_http", url, tier: "core", trustHints: true }));
  return buildMcpKey(house(), crypto.randomUUID());
}

test("blocks keep their order, annotations and _meta for clients of both revisions, and Handrail's own keys are its own", async () => {
  const key = await connected();
  const modern = await connectStateless(key);
  const { client: old } = await connectSession(key);
  for (const client of [modern, old]) {
    const listed = (await client.listTools()).tools.find(({ name }) => name === "up__everything");
    expect(listed?._meta).toEqual({ ui: { resourceUri: "ui://card" }, vendor: 1, "handrail/effect": "read" });
    const { content, _meta } = await client.callTool({ name: "up__everything", arguments: {} });
    expect(content).toEqual(blocks);
    expect(_meta).toMatchObject({ ui: { theme: "dark" }, note: "key sk***89", "handrail/turn": expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(_meta).not.toHaveProperty("progressToken");
  }
  await Promise.all([modern.close(), old.close()]);
});

test("the _meta of a call reaches its server, also after a person has approved the call, and is kept sealed until then only", async () => {
  const key = await connected();
  const { client } = await connectSession(key);
  const _meta = { vendor: { trace: "t1" }, token, "handrail/idempotencyKey": "once", progressToken: 4 };
  const sent = await client.callTool({ name: "up__meta", arguments: {}, _meta });
  expect(JSON.parse((sent.content as { text: string }[])[0]?.text.replace(/\n.*$/s, "") ?? "")).toMatchObject({ vendor: { trace: "t1" } });

  const rule = GuardRuleDraft.parse({ name: "Ask", tool: "up__meta", verdict: "require_approval" });
  await createRule(authorize(house().admin, "guard:write"), rule);
  const asked = await client.callTool({ name: "up__meta", arguments: {}, _meta: { vendor: { trace: "t2" } } });
  const id = (asked._meta as Record<string, string>)["handrail/turn"] ?? "";
  const stored = async () => (await db().select().from(toolCalls).where(eq(toolCalls.turnId, id)))[0]?.sealedMeta;
  expect(await stored()).toMatch(/^v1\./);
  const [approval] = await db().select().from(approvals).where(eq(approvals.turnId, id));
  await decideApproval(authorize(house().admin, "approvals:decide"), approval?.id ?? "", { decision: "approve", comment: "" });
  const approved = await client.callTool({ name: "get_result", arguments: { id } });
  expect(JSON.stringify(approved.content)).toContain("t2");
  expect(await stored()).toBeNull();
  await expect(client.callTool({ name: "up__meta", arguments: {}, _meta: { long: "x".repeat(20_000) } })).rejects.toThrow(
    "_meta: send at most 16,384 characters of JSON.",
  );
  await client.close();
});

test("the user interface that a tool names is readable with its _meta, also where the server's contents are not offered", async () => {
  const client = await connectStateless(await connected());
  expect((await client.readResource({ uri: "ui://card" })).contents).toEqual([
    { uri: "ui://card", mimeType: "text/html;profile=mcp-app", text: "<p>Card</p>", _meta: { ui: { prefersBorder: true } } },
  ]);
  await expect(client.readResource({ uri: "note://private" })).rejects.toThrow("no such resource");
  await client.close();
});

test("titles and hints stand at /mcp only as a server sent them, and Handrail's own view beside them", async () => {
  const named = { title: "Reads a note", annotations: { readOnlyHint: true } };
  const hinting = () => {
    const server = new Server({ name: "hinting", version: "1.0.0" }, { capabilities: { tools: {} } });
    const inputSchema = { type: "object" as const };
    server.setRequestHandler("tools/list", () => ({
      tools: [
        { name: "bare", inputSchema },
        { name: "named", inputSchema, ...named },
      ],
    }));
    return server;
  };
  const client = await connectStateless(await connected(hinting));
  const { tools } = await client.listTools();
  const [bare, full] = ["up__bare", "up__named"].map((name) => tools.find((tool) => tool.name === name));
  expect(bare).not.toHaveProperty("title");
  expect(bare).not.toHaveProperty("annotations");
  expect(bare?._meta).toEqual({ "handrail/effect": "destroy" });
  expect(full).toMatchObject({ ...named, _meta: { "handrail/effect": "read" } });
  await client.close();
});

test("code and data of a server's protocol error are in the result, for the model and for programs", async () => {
  const client = await connectStateless(await connected(refusing));
  const { isError, content, _meta } = await client.callTool({ name: "up__refuse", arguments: {} });
  expect({ isError, content }).toEqual({
    isError: true,
    content: [{ type: "text", text: 'Too many calls\n[MCP error -32050, data: {"retryAfter":30}]' }],
  });
  expect(_meta?.["handrail/error"]).toEqual({ code: -32_050, data: { retryAfter: 30 } });
  await client.close();
});

test("a missing resource keeps its server's code and data: -32002 in the revisions that have it, and -32602 in that of 2026", async () => {
  const key = await connectedAt(await serveMissing());
  const modern = await connectStateless(key);
  const { client: old } = await connectSession(key);
  const data = { uri: "ui://gone", hint: "Ask again", key: "sk***89" };
  const reading = (client: typeof modern | typeof old) => client.readResource({ uri: "ui://gone" }).catch((error) => error);
  expect(await reading(old)).toMatchObject({ code: -32_002, data, message: expect.stringContaining("It is gone: sk***89") });
  expect(await reading(modern)).toMatchObject({ code: -32_602, data });
  for (const client of [modern, old]) {
    const { _meta } = await client.callTool({ name: "up__look", arguments: {} });
    expect(_meta?.["handrail/error"], "a tool's error has the server's code for every client").toEqual({ code: -32_002, data });
  }
  await Promise.all([modern.close(), old.close()]);
});
