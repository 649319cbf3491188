import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { conversations, mcpServers, mcpSessions } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { bootId, newId } from "@/server/platform/ids";
import { signalHere } from "@/server/platform/signals/bus";
import { buildConversation } from "@/server/testing/builders";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { mcpConnections } from "../connections/connections";
import { updateServer } from "../servers/update-server";

const full = path.resolve("server/testing/mcp/full-mcp-server.mjs");
const { admin, connected, draft, house, marker, patience, processes, refusalOf, run, start, statusOf, stop } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });

const perConversation = { sessionScope: "per_conversation" } as const;

async function originOf(user = "u1") {
  const { workspace, admin: owner, agent } = house();
  const { id: conversationId } = await buildConversation(owner, { agentId: agent.id });
  return { origin: { workspaceId: workspace.id, conversationId, requestedBy: { type: "user" as const, id: user, name: user } } };
}

const sessionsOf = (id: string) => db().select().from(mcpSessions).where(eq(mcpSessions.mcpServerId, id));

test("two conversations never see each other's page, and each keeps its own", async () => {
  await start();
  const { id } = await connected("web", [full, marker], perConversation);
  const [a, b] = [await originOf(), await originOf()];
  await run(id, "web__open_page", { url: "https://a.example/private" }, a);
  expect(await run(id, "web__snapshot", {}, b)).toBe("page: no page");
  await run(id, "web__open_page", { url: "https://b.example" }, b);
  expect(await run(id, "web__snapshot", {}, a)).toBe("page: https://a.example/private");
  expect(await run(id, "web__snapshot", {}, b)).toBe("page: https://b.example");
  // One program lists the tools, and each conversation has its own.
  expect(await processes()).toHaveLength(3);
  expect(await refusalOf(run(id, "web__snapshot"))).toContain("this call belongs to none");
  await stop();
  expect(await processes()).toEqual([]);
  expect(await sessionsOf(id)).toEqual([]);
});

test("a session per user is the same in all conversations of that user", async () => {
  await start();
  const { id } = await connected("web", [full], { sessionScope: "per_user" });
  await run(id, "web__open_page", { url: "https://a.example" }, await originOf("ada"));
  expect(await run(id, "web__snapshot", {}, await originOf("ada"))).toBe("page: https://a.example");
  expect(await run(id, "web__snapshot", {}, await originOf("bob"))).toBe("page: no page");
});

test("a stateful program gets a session per conversation when nobody says otherwise", async () => {
  await start();
  expect((await connected("playwright", [full])).sessionScope).toBe("per_conversation");
  expect((await connected("plain", [full])).sessionScope).toBe("shared");
});

test("an idle session is closed, and the next call is told that its state is gone", async () => {
  await start();
  const { id } = await connected("web", [full, marker], { ...perConversation, sessionIdleSeconds: 10 });
  await db().update(mcpServers).set({ sessionIdleSeconds: 1 }).where(eq(mcpServers.id, id));
  await mcpConnections().follow();
  await statusOf(id, "connected");
  const a = await originOf();
  await run(id, "web__open_page", { url: "https://a.example" }, a);
  await expect.poll(processes, patience).toHaveLength(1);
  await expect.poll(() => sessionsOf(id), patience).toEqual([]);
  expect(await run(id, "web__snapshot", {}, a)).toBe(
    "[web runs in a new session, because the earlier session ended: it was idle for 1 seconds. Its state is gone.]\npage: no page",
  );
});

test("a session ends with its conversation, and when the settings of its server change", async () => {
  await start();
  const server = await connected("web", [full, marker], perConversation);
  const a = await originOf();
  await run(server.id, "web__open_page", { url: "https://a.example" }, a);
  await db().delete(conversations).where(eq(conversations.id, a.origin.conversationId));
  signalHere({ topic: "conversation", conversationId: a.origin.conversationId });
  await expect.poll(processes, patience).toHaveLength(1);
  const b = await originOf();
  await run(server.id, "web__open_page", { url: "https://b.example" }, b);
  await updateServer(admin(), server.id, draft("web", [full, marker], { ...perConversation, callTimeoutSeconds: 50 }), null);
  await expect.poll(() => mcpConnections().find(server.id)?.scopedSessions(), patience).toBe(0);
  await statusOf(server.id, "connected");
  expect(await run(server.id, "web__snapshot", {}, b)).toContain("page: no page");
});

test("a crash of one conversation's program leaves the other conversations alone", async () => {
  await start();
  const { id } = await connected("web", [full], perConversation);
  const [a, b] = [await originOf(), await originOf()];
  await run(id, "web__open_page", { url: "https://a.example" }, a);
  expect(await refusalOf(run(id, "web__crash", {}, b))).toContain("not repeated");
  expect(await run(id, "web__snapshot", {}, a)).toBe("page: https://a.example");
  expect(await run(id, "web__snapshot", {}, b)).toMatch(/new session.*page: no page/s);
});

test("the session of a replica that is gone is opened here, and the result says so", async () => {
  await start();
  const { id } = await connected("web", [full], perConversation);
  const a = await originOf();
  const { conversationId } = a.origin;
  await db()
    .insert(mcpSessions)
    .values({ mcpServerId: id, scopeKey: `conversation:${conversationId}`, conversationId, owner: newId() });
  expect(await run(id, "web__snapshot", {}, a)).toBe(
    "[web runs in a new session, because the earlier session ended: the replica that kept it stopped. Its state is gone.]\npage: no page",
  );
  expect(await sessionsOf(id)).toMatchObject([{ owner: bootId() }]);
});

test("sessions that open and close leave no program, pipe or listener behind", async () => {
  await start();
  const { id } = await connected("web", [full, marker], perConversation);
  const conversation = await originOf();
  const connection = mcpConnections().find(id);
  const listeners = () => process.listenerCount("exit") + process.listenerCount("SIGTERM");
  await run(id, "web__pid", {}, conversation);
  await connection?.closeSessions("the test ends it");
  const programs = () => process.getActiveResourcesInfo().filter((kind) => /Process|Pipe|Socket/.test(kind)).length;
  const before = { listeners: listeners(), programs: programs() };
  const pids = new Set<string>();
  for (let cycle = 0; cycle < 6; cycle += 1) {
    pids.add((await run(id, "web__pid", {}, conversation)).split("\n").at(-1) ?? "");
    await connection?.closeSessions("the test ends it");
  }
  expect(pids.size).toBe(6);
  expect(await processes()).toHaveLength(1);
  expect(listeners()).toBe(before.listeners);
  await expect.poll(programs, patience).toBe(before.programs);
});
