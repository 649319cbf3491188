import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { mcpClientSessions } from "@/db/schema";
import { requirePermission } from "@/server/auth/actor";
import { createApiKey } from "@/server/auth/api-keys/create-api-key";
import { removeIdleSessions } from "@/server/families/mcp-clients/remove-idle-sessions";
import { db } from "@/server/platform/database/database";
import { buildMcpKey, connectSession, connectStateless, requestMcp } from "@/server/testing/mcp/mcp-clients";
import { useStage } from "@/server/testing/stage";
import { updateTool } from "@/server/tools/admin/update-tool";

const stage = useStage();
let key: string;
beforeEach(async () => {
  key = await buildMcpKey(stage.built);
});

const listing = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
const ask = (headers: Record<string, string>, body: string | null = listing, method = "POST") =>
  requestMcp("http://localhost:3000/mcp", {
    method,
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body,
  });
const bearer = () => ({ authorization: `Bearer ${key}` });

describe("/mcp refuses", () => {
  test("a request without a key, and a cookie is none", async () => {
    for (const headers of [{}, { cookie: "next-auth.session-token=x" }, { authorization: "Basic aGk6aG8=" }]) {
      const response = await ask(headers as Record<string, string>);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain("Bearer");
      expect((await response.json()).detail).toContain("Authorization: Bearer hr_");
    }
  });

  test("a key that may not call tools", async () => {
    const { admin, agent } = stage.built;
    const draft = { name: "reader", scopes: ["tools:read" as const], agentId: agent.id };
    const reader = await createApiKey(requirePermission(admin, "admin"), draft);
    expect((await ask({ authorization: `Bearer ${reader.key}` })).status).toBe(403);
  });

  test.each([
    ["a page of another site", { origin: "https://evil.example.com" }],
    ["an opaque origin", { origin: "null" }],
    ["a host name that an attacker points here", { host: "evil.example.com" }],
    ["such a host name with its own origin", { host: "evil.example.com:3000", origin: "http://evil.example.com:3000" }],
  ])("%s", async (_who, headers) => {
    const response = await ask({ ...bearer(), ...headers });
    expect(response.status).toBe(403);
  });

  test("what is no JSON, too large, of another type, or names a session that is not there", async () => {
    const broken = await ask(bearer(), "{");
    expect([broken.status, (await broken.json()).error.code]).toEqual([400, -32700]);
    const large = await ask(bearer(), `"${"x".repeat(1_100_000)}"`);
    expect([large.status, await large.json()]).toEqual([
      413,
      { jsonrpc: "2.0", id: null, error: { code: -32600, message: expect.stringContaining("large") } },
    ]);
    const deep = await ask(bearer(), `${"[".repeat(200)}${"]".repeat(200)}`);
    expect([deep.status, await deep.json()]).toMatchObject([
      422,
      { id: null, error: { code: -32600, message: expect.stringContaining("nested deeper") } },
    ]);
    expect((await ask({ ...bearer(), "content-type": "text/plain" })).status).toBe(415);
    expect((await ask({ ...bearer(), "mcp-session-id": "guessed" })).status).toBe(404);
    expect((await ask({ ...bearer(), "mcp-session-id": "guessed" }, null, "DELETE")).status).toBe(404);
    expect((await ask({ ...bearer(), "mcp-session-id": "guessed" }, null, "GET")).status).toBe(404);
    expect((await ask({ ...bearer(), "handrail-conversation": "../x" })).status).toBe(422);
  });
});

describe("/mcp takes", () => {
  test("requests of clients that write null for what they leave out", async () => {
    const send = async (method: string, params: object | null, session: Record<string, string> = {}) => {
      const response = await ask({ ...bearer(), ...session }, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params, result: null }));
      return { response, answer: (await response.json()) as { result?: { tools?: object[]; isError?: boolean } } };
    };
    const unset = { _meta: { progressToken: null } };
    const capabilities = { roots: null, sampling: null, elicitation: null, experimental: null };
    const clientInfo = { name: "nulls", title: null, version: "1" };
    const { response, answer } = await send("initialize", { protocolVersion: "2025-06-18", capabilities, clientInfo, _meta: null });
    expect(answer.result).toMatchObject({ protocolVersion: "2025-06-18" });
    const session = { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
    expect((await send("ping", null, session)).answer.result).toEqual({});
    expect((await send("tools/list", { cursor: null, ...unset }, session)).answer.result?.tools?.length).toBeGreaterThan(2);
    const called = await send("tools/call", { name: "look", arguments: { text: "around" }, ...unset }, session);
    expect(called.answer.result).toMatchObject({ isError: false });
  });

  test.each([
    ["its own page's origin", { origin: "http://localhost:3000" }],
    ["an address instead of a name", { host: "127.0.0.1:3000" }],
    ["an IPv6 address", { host: "[::1]:3000" }],
  ])("%s", async (_who, headers) => {
    const response = await ask({ ...bearer(), ...headers });
    expect(response.status).toBe(200);
    expect((await response.json()).result.tools.length).toBeGreaterThan(2);
  });
});

test("both kinds of clients hear that the list of tools has changed", async () => {
  const { built } = stage;
  const heard = { session: 0, stateless: 0 };
  const { client: old } = await connectSession(key);
  old.fallbackNotificationHandler = async ({ method }) => {
    if (method === "notifications/tools/list_changed") heard.session += 1;
  };
  await old.listTools();
  const client = await connectStateless(key);
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    heard.stateless += 1;
  });
  const subscription = await client.listen({ toolsListChanged: true });
  await updateTool(requirePermission(built.admin, "tools:write"), "look", { enabled: false }, null);
  await expect.poll(() => heard).toEqual({ session: 1, stateless: 1 });
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("look");
  await subscription.close();
  await Promise.all([client.close(), old.close()]);
});

test("a session hears of a change that happened while it had no stream", async () => {
  const { client, transport } = await connectSession(key);
  await client.listTools();
  await updateTool(requirePermission(stage.built.admin, "tools:write"), "look", { enabled: false }, null);
  const stream = await ask({ ...bearer(), accept: "text/event-stream", "mcp-session-id": transport.sessionId ?? "" }, null, "GET");
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  while (!heard.includes("notifications/tools/list_changed")) heard += (await reader?.read())?.value ?? "";
  await reader?.cancel();
  await client.close();
});

test("a session that was idle for a week is removed, and a used one stays", async () => {
  const used = await connectSession(key);
  const idle = await connectSession(key);
  const rows = await db().select().from(mcpClientSessions).orderBy(mcpClientSessions.id);
  await db()
    .update(mcpClientSessions)
    .set({ lastSeenAt: sql`now() - interval '8 days'` })
    .where(eq(mcpClientSessions.id, rows.at(-1)?.id ?? ""));
  await removeIdleSessions();
  await expect(idle.client.listTools()).rejects.toThrow("Session not found");
  expect((await used.client.listTools()).tools.length).toBeGreaterThan(2);
  await Promise.all([used.client.close(), idle.client.close()]);
});
