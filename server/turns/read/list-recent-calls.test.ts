import { expect, test } from "vitest";
import { auditEvents, toolCalls, turns } from "@/db/schema";
import { type Actor, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildAgent, buildApiKey, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { listRecentCalls } from "./list-recent-calls";

useTestDatabase();

/** Inserts a finished call: its row, and its end in the audit. */
async function buildCall(actor: Actor, conversationId: string, name: string) {
  const workspaceId = actor.workspaceId;
  const [turnId, callId] = [newId(), newId()];
  await db()
    .insert(turns)
    .values({
      workspaceId,
      id: turnId,
      conversationId,
      status: "completed",
      requestDigest: "0",
      requestedBy: toActorRef(actor),
      finishedAt: new Date(),
    });
  const call = { workspaceId, id: callId, turnId, position: 0, runtimeId: "1", requestedName: name, name };
  await db()
    .insert(toolCalls)
    .values({
      ...call,
      arguments: { path: "a", token: "ghp_0123456789abcdefghijABCDEFGHIJ012345" },
      status: "succeeded",
      finishedAt: new Date(),
    });
  const by = { actorType: actor.type, actorId: actor.id, actorName: actor.name };
  await db()
    .insert(auditEvents)
    .values({ ...by, id: newId(), workspaceId, event: "call.succeeded", tool: name, conversationId, turnId, callId });
  return callId;
}

async function build() {
  const built = await buildWorkspace();
  const scout = await buildAgent(built.workspace.id, { name: "scout" });
  const scoutKey = await buildApiKey(built.workspace.id, { agentId: scout.id, scopes: ["turns:write", "tools:read"] });
  const main = await buildConversation(built.agentKey);
  const scouting = await buildConversation(scoutKey);
  const first = await buildCall(built.agentKey, main.id, "read_file");
  const second = await buildCall(scoutKey, scouting.id, "read_file");
  const third = await buildCall(scoutKey, scouting.id, "date_time");
  const reader = authorize(built.viewer, "turns:read");
  const idsOf = async (...asked: Parameters<typeof listRecentCalls>) => (await listRecentCalls(...asked)).items.map(({ callId }) => callId);
  return { ...built, scout, scoutKey, first, second, third, reader, idsOf };
}

test("calls of a tool, of an agent and of both come newest first", async () => {
  const { reader, idsOf, scout, first, second, third } = await build();
  expect(await idsOf(reader, {})).toEqual([third, second, first]);
  expect(await idsOf(reader, { tool: "read_file" })).toEqual([second, first]);
  expect(await idsOf(reader, { agentId: scout.id })).toEqual([third, second]);
  expect(await idsOf(reader, { agentId: scout.id, tool: "read_file", limit: 5 })).toEqual([second]);
  const { items, nextCursor } = await listRecentCalls(reader, { limit: 2 });
  expect(items.map(({ callId }) => callId)).toEqual([third, second]);
  expect(await listRecentCalls(reader, { cursor: nextCursor ?? "" })).toMatchObject({ items: [{ callId: first }], nextCursor: null });
  expect(await idsOf(reader, { tool: "not_there" })).toEqual([]);
});

test("a call says its agent and its arguments, with secrets masked", async () => {
  const { reader } = await build();
  const [newest] = (await listRecentCalls(reader, { tool: "read_file" })).items;
  expect(newest).toMatchObject({ agent: "scout", name: "read_file", status: "succeeded", arguments: { path: "a" } });
  expect(JSON.stringify(newest)).not.toContain("ghp_0123456789");
});

test("a key of an agent sees that agent's calls only, whatever it asks for", async () => {
  const { scoutKey, agent, idsOf, second, third } = await build();
  const bound = authorize(scoutKey, "turns:read");
  expect(await idsOf(bound, {})).toEqual([third, second]);
  expect(await idsOf(bound, { tool: "read_file" })).toEqual([second]);
  expect(await idsOf(bound, { agentId: agent.id })).toEqual([]);
});

test("nobody sees the calls of another workspace", async () => {
  const { scout } = await build();
  const other = await buildWorkspace();
  const stranger = authorize(other.viewer, "turns:read");
  expect((await listRecentCalls(stranger, { tool: "read_file" })).items).toEqual([]);
  expect((await listRecentCalls(stranger, { agentId: scout.id })).items).toEqual([]);
  expect((await listRecentCalls(stranger, {})).items).toEqual([]);
});
