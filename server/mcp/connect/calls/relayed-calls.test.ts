import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { connect } from "@/db/client";
import { mcpSessions, replicaMessages } from "@/db/schema";
import { unseal } from "@/server/platform/crypto";
import { databaseUrl, db } from "@/server/platform/database/database";
import { bootId, newId } from "@/server/platform/ids";
import { sendToReplica } from "@/server/replicas/mailbox";
import { buildConversation } from "@/server/testing/builders";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import type { ClientReply } from "@/server/tools/calling-client";
import { RelayMessage, relayTopic } from "./relay-messages";

const full = path.resolve("server/testing/mcp/full-mcp-server.mjs");
const { connected, house, refusalOf, run, start } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });

/** Another replica as the database sees it: a held lock, and a mailbox that the test reads and answers. */
async function otherReplica() {
  const id = newId();
  const session = connect(databaseUrl(), { max: 1 }).pool;
  await session`select pg_advisory_lock(hashtextextended(${id}, 0))`;
  const unread: RelayMessage[] = [];
  const next = async <K extends RelayMessage["kind"]>(kind: K) => {
    const found = await vi.waitFor(
      async () => {
        const rows = await db().delete(replicaMessages).where(eq(replicaMessages.addressee, id)).returning();
        unread.push(...rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map((row) => RelayMessage.parse(JSON.parse(unseal(row.bodySealed)))));
        const place = unread.findIndex((message) => message.kind === kind);
        if (place < 0) throw new Error(`no ${kind} yet`);
        return unread.splice(place, 1)[0];
      },
      { timeout: 15_000 },
    );
    return found as Extract<RelayMessage, { kind: K }>;
  };
  const tell = (message: RelayMessage) => sendToReplica(bootId(), relayTopic, message);
  return { id, next, tell, die: () => session.end({ timeout: 0 }) };
}

async function setUp() {
  await start();
  const { id } = await connected("web", [full], { sessionScope: "per_conversation" });
  const { workspace, admin, agent } = house();
  const { id: conversationId } = await buildConversation(admin, { agentId: agent.id });
  const origin = { workspaceId: workspace.id, conversationId, requestedBy: { type: "user" as const, id: "u", name: "Ada" } };
  const claim = (owner: string) =>
    db()
      .insert(mcpSessions)
      .values({ mcpServerId: id, scopeKey: `conversation:${conversationId}`, conversationId, owner });
  return { id, origin, claim };
}

test("a call whose session is on another replica is made there: progress, questions and files pass through", async () => {
  const { id, origin, claim } = await setUp();
  const other = await otherReplica();
  await claim(other.id);
  const progress = vi.fn();
  const ask = vi.fn(async () => "blue");
  const ended = run(id, "web__snapshot", { deep: true }, { origin, progress, ask });
  const { relay, from, args, serverId, mayAsk } = await other.next("call");
  expect({ from, args, serverId, mayAsk }).toEqual({ from: bootId(), args: { deep: true }, serverId: id, mayAsk: true });
  await other.tell({ kind: "progress", relay, message: "half way" });
  await other.tell({ kind: "ask", relay, number: 0, question: { text: "Which?" } });
  expect(await other.next("answer")).toEqual({ kind: "answer", relay, number: 0, answer: "blue", refusal: null });
  await other.tell({ kind: "done", relay, isRich: false, result: "page: far away" });
  expect(await ended).toBe("page: far away");
  expect(progress).toHaveBeenCalledWith("half way", undefined);
  await other.die();
});

test("a stopped call is stopped on the other replica, and a replica that dies ends the call with an honest sentence", async () => {
  const { id, origin, claim } = await setUp();
  const other = await otherReplica();
  await claim(other.id);
  const stop = new AbortController();
  const stopped = run(id, "web__snapshot", {}, { origin, signal: stop.signal });
  const ended = expect(stopped).rejects.toThrow("enough");
  const { relay } = await other.next("call");
  stop.abort(new Error("enough"));
  await ended;
  expect((await other.next("cancel")).relay).toBe(relay);
  const lost = refusalOf(run(id, "web__open_page", {}, { origin }));
  await other.next("call");
  await other.die();
  expect(await lost).toMatch(/^The replica that kept the session of web stopped.*effect is not known/);
});

const client = (reply: ClientReply) => ({
  name: "inspector 1.0",
  answers: ["form" as const],
  logLevel: null,
  request: vi.fn(async () => reply),
  log: vi.fn(),
});

test("a server's question of a call whose session is on another replica is answered by the client at this one", async () => {
  const { id, origin, claim } = await setUp();
  const other = await otherReplica();
  await claim(other.id);
  const calling = client({ kind: "answered", result: { action: "accept", content: { name: "Grace" } } });
  const ended = run(id, "web__snapshot", {}, { origin, client: calling });
  const { relay, client: facts } = await other.next("call");
  expect(facts).toEqual({ name: "inspector 1.0", answers: ["form"], logLevel: null });
  const request = { method: "elicitation/create", params: { message: "Your name?" }, key: "name" };
  await other.tell({ kind: "ask_client", relay, number: 3, request });
  expect(await other.next("client_reply")).toEqual({
    ...{ kind: "client_reply", relay, number: 3 },
    reply: { kind: "answered", result: { action: "accept", content: { name: "Grace" } } },
  });
  expect(calling.request).toHaveBeenCalledWith(request, expect.any(AbortSignal));
  await other.tell({ kind: "done", relay, isRich: false, result: "page: far away" });
  await ended;
  await other.die();
});

test("a question of the session here goes to the client at the replica that relayed the call, and its expiry is told as expiry", async () => {
  const { id, origin } = await setUp();
  const other = await otherReplica();
  const call = (relay: string) => ({
    ...{ kind: "call" as const, relay, from: other.id, serverId: id, args: { fields: { properties: {} } }, timeoutMs: 20_000, origin },
    tool: { rawName: "sign_up", inputSchema: { type: "object" }, idempotent: true },
    ...{ mayAsk: true, client: { name: "inspector 1.0", answers: ["form" as const], logLevel: null } },
  });
  await other.tell(call("r1"));
  const { number, request } = await other.next("ask_client");
  expect(request).toMatchObject({ method: "elicitation/create", params: { message: "Please sign up" } });
  const answered = { kind: "answered" as const, result: { action: "accept", content: {} } };
  await other.tell({ kind: "client_reply", relay: "r1", number, reply: answered });
  expect(await other.next("done")).toMatchObject({ relay: "r1", result: '{"action":"accept","content":{}}' });

  await other.tell(call("r2"));
  const again = await other.next("ask_client");
  await other.tell({ kind: "client_reply", relay: "r2", number: again.number, reply: { kind: "expired", seconds: 300 } });
  const ended = JSON.stringify((await other.next("done")).result);
  expect(ended, "the server hears no refusal that nobody spoke").toContain("cancel");
  expect(ended).not.toContain("decline");
  expect(ended).toContain("inspector 1.0 did not answer within 300 seconds.");
  await other.die();
});

test("a call that another replica relays here runs in the session here, and moves on when the session is elsewhere", async () => {
  const { id, origin } = await setUp();
  const other = await otherReplica();
  await run(id, "web__open_page", { url: "https://a.example" }, { origin });
  const call = (relay: string, rawName: string, args = {}) => ({
    ...{ kind: "call" as const, relay, from: other.id, serverId: id, args, timeoutMs: 10_000, origin, mayAsk: true },
    tool: { rawName, inputSchema: { type: "object" }, idempotent: true },
  });
  await other.tell(call("r1", "snapshot"));
  expect(await other.next("done")).toMatchObject({ relay: "r1", isRich: false, result: "page: https://a.example" });
  await other.tell(call("r2", "sign_up", { fields: { properties: {} } }));
  const { question, number } = await other.next("ask");
  expect(question.text).toBe("The MCP server web asks: Please sign up");
  await other.tell({ kind: "answer", relay: "r2", number, answer: "Accept", refusal: null });
  expect(await other.next("done")).toMatchObject({ relay: "r2", result: '{"action":"accept","content":{}}' });
  await other.tell(call("r3", "odd_blocks"));
  expect(await other.next("done")).toMatchObject({
    relay: "r3",
    isRich: true,
    result: { files: [{ mediaType: "image/png", base64: "AAAA" }] },
  });
  const { admin, agent } = house();
  const elsewhere = await buildConversation(admin, { agentId: agent.id });
  await db()
    .insert(mcpSessions)
    .values({ mcpServerId: id, scopeKey: `conversation:${elsewhere.id}`, conversationId: elsewhere.id, owner: other.id });
  await other.tell({ ...call("r4", "snapshot"), origin: { ...origin, conversationId: elsewhere.id } });
  expect((await other.next("moved")).relay).toBe("r4");
  await other.die();
});
