import path from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { TurnDraft } from "@/contracts/turns/turns";
import { auditEvents } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { createConversation } from "@/server/conversations/create-conversation";
import { db } from "@/server/platform/database/database";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { buildMcpKey, connectSession } from "@/server/testing/mcp/mcp-clients";
import { listConversationTools } from "@/server/tools/list-conversation-tools";
import { resumeOnSignal } from "@/server/turns/recovery/resume-turn";
import { submitTurn } from "@/server/turns/submit-turn";
import { appContentSecurityPolicy, readAppOrigins } from "./app-policy";
import { callFromApp, getCallResult } from "./call-from-app";
import { getApp, showAppPage } from "./show-app";

const { connected, house, start } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });

beforeAll(() => {
  const stop = resumeOnSignal();
  return () => stop();
});

const program = path.resolve("server/testing/mcp/app-mcp-server.mjs");
const library = path.resolve("node_modules/@modelcontextprotocol/ext-apps/dist/src/app-with-deps.js");
const caller = () => authorize(house().admin, "turns:write");
const reader = () => authorize(house().admin, "turns:read");
const signal = AbortSignal.timeout(60_000);

async function submit(name: string, args = {}) {
  const { conversation } = await createConversation(caller(), { origin: "chat", metadata: {} });
  const draft = TurnDraft.parse({ calls: [{ id: "call_1", name, arguments: args }], wait: 20 });
  const turn = await submitTurn(caller(), { conversationId: conversation.id, draft, idempotencyKey: null, signal });
  return { turnId: turn.id, callId: turn.calls[0]?.callId ?? "", conversationId: conversation.id, call: turn.calls[0] };
}

/** Connects the server, and calls the tool that shows its app. */
async function shown() {
  await start();
  await connected("counter", [program, library], { tier: "core" });
  return submit("counter__show_counter", { start: 4 });
}

test("the app of a call is given its arguments and result, and its page has the network that its server declared and nothing else", async () => {
  const place = await shown();
  const app = await getApp(reader(), place);
  expect(app).toMatchObject({
    uri: "ui://counter/page.html",
    server: "counter",
    tool: { name: "show_counter", description: "[MCP server: counter] Shows the counter" },
    arguments: { start: 4 },
    result: { structuredContent: { count: 4 }, isError: false, content: [{ type: "text", text: "The count is 4." }] },
    hasBorder: true,
    connectDomains: ["https://api.example.com"],
    resourceDomains: ["https://*.cdn.example.com"],
    frameDomains: [],
  });
  const page = await showAppPage(reader(), place);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(page.headers.get("x-frame-options")).toBe("SAMEORIGIN");
  expect(policy).toContain("sandbox allow-scripts allow-forms");
  expect(policy).toContain("connect-src https://api.example.com;");
  expect(policy).toContain("script-src 'unsafe-inline' blob: https://*.cdn.example.com;");
  expect(policy).not.toContain("script-src *");
  expect(policy).not.toContain("'self' ");
  expect(await page.text()).toContain("Count on");
});

test("an app calls the tools of its own server that are for apps, by the guard and the audit like any call, and no others", async () => {
  const place = await shown();
  const call = (name: string) => callFromApp(caller(), { ...place, name, arguments: {}, signal });
  const counted = await call("count_on");
  expect(counted).toMatchObject({ name: "counter__count_on", status: "succeeded", result: { structuredContent: { count: 5 } } });
  await expect(call("audit")).rejects.toThrow("counter has no tool named audit that its apps may call.");
  await expect(call("date_time")).rejects.toThrow("counter has no tool named date_time");

  const rule = GuardRuleDraft.parse({ name: "Ask", tool: "counter__reset", verdict: "require_approval" });
  await createRule(authorize(house().admin, "guard:write"), rule);
  const asked = await call("reset");
  expect(asked).toMatchObject({ status: "awaiting_approval", result: null });
  const ended = getCallResult(reader(), { ...asked, wait: 30, signal });
  const decider = authorize(house().admin, "approvals:decide");
  await decideApproval(decider, asked.approvalId ?? "", { decision: "approve", comment: "" });
  expect(await ended).toMatchObject({ status: "succeeded", result: { structuredContent: { count: 0 } } });

  const rows = await db().select({ event: auditEvents.event, data: auditEvents.data, subject: auditEvents.subject }).from(auditEvents);
  const made = rows.filter(({ event, subject }) => event === "call.succeeded" && subject === "counter__count_on");
  expect(made.map(({ data }) => data)).toEqual([expect.objectContaining({ carriedBy: "counter__show_counter" })]);
});

test("a tool that its server keeps for apps is hidden from models and refused to them; a client at /mcp gets it for its own apps", async () => {
  const { conversationId } = await shown();
  const { tools } = await listConversationTools(authorize(house().admin, "tools:read"), conversationId, "openai");
  expect(JSON.stringify(tools)).toContain("counter__audit");
  expect(JSON.stringify(tools)).not.toContain("counter__count_on");
  expect((await submit("counter__count_on")).call).toMatchObject({
    isError: true,
    content: 'Only an app of its MCP server "counter" calls counter__count_on. Go on without it.',
  });

  const { client } = await connectSession(await buildMcpKey(house(), crypto.randomUUID()));
  const listed = (await client.listTools()).tools.find(({ name }) => name === "counter__count_on");
  expect(listed?._meta).toMatchObject({ ui: { visibility: ["app"] } });
  expect(await client.callTool({ name: "counter__count_on", arguments: {} })).toMatchObject({ isError: false });
  await client.close();
});

test("a call without an app, a foreign call and a call of another workspace have none", async () => {
  const { turnId, callId } = await shown();
  const plain = await submit("date_time");
  await expect(getApp(reader(), plain)).rejects.toThrow("date_time has no app.");
  await expect(getApp(reader(), { turnId, callId: plain.callId })).rejects.toThrow("This turn has no such call.");
  const stranger = authorize((await buildWorkspace()).admin, "turns:read");
  await expect(getApp(stranger, { turnId, callId })).rejects.toThrow("This turn does not exist");
});

test("no declared origin can end its directive, and only encrypted origins count", () => {
  const domains = [
    "https://a.example",
    "HTTPS://B.example/",
    "wss://c.example:8443",
    "http://d.example",
    "*",
    "'self'",
    "https://e.example x",
    "data:",
  ];
  const origins = readAppOrigins({ ui: { csp: { connectDomains: domains, frameDomains: "https://f.example", baseUriDomains: [1] } } });
  expect(origins).toEqual({
    connect: ["https://a.example", "https://b.example", "wss://c.example:8443"],
    resource: [],
    frame: [],
    base: [],
  });
  expect(appContentSecurityPolicy(readAppOrigins(null))).toContain("connect-src 'none'; frame-src 'none'; base-uri 'none'");
});
