import { expect, test } from "vitest";
import type { CallStatus } from "@/contracts/calls/call-statuses";
import type { JsonObject } from "@/contracts/common";
import type { TurnFilter, TurnStatus } from "@/contracts/turns/turns";
import { toolCalls, tools, turns } from "@/db/schema";
import { type Actor, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildAgent, buildApiKey, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { listRecentTurns } from "./list-recent-turns";

useTestDatabase();

type MadeCall = { name: string; arguments?: JsonObject; status?: CallStatus };

async function buildTurn(
  actor: Actor,
  conversationId: string,
  status: TurnStatus = "completed",
  calls: (string | MadeCall)[] = ["date_time"],
) {
  const id = newId();
  const common = { workspaceId: actor.workspaceId };
  await db()
    .insert(turns)
    .values({ ...common, id, conversationId, status, requestDigest: id, requestedBy: toActorRef(actor), ...lifeOf(status) });
  await db()
    .insert(toolCalls)
    .values(
      calls
        .map((made) => (typeof made === "string" ? { name: made } : made))
        .map(({ name, arguments: args = {}, status: callStatus = "succeeded" as const }: MadeCall, position) => ({
          ...common,
          turnId: id,
          position,
          runtimeId: name,
          requestedName: name,
          name,
          arguments: args,
          status: callStatus,
          finishedAt: new Date(),
        })),
    );
  return id;
}

/** Columns that the database's constraints require in each status of a turn. */
function lifeOf(status: TurnStatus) {
  return {
    claimedBy: status === "running" ? newId() : null,
    finishedAt: status === "completed" || status === "cancelled" ? new Date() : null,
  };
}

test("turns of all conversations come newest first, with the names of their calls in order", async () => {
  const { viewer, agentKey } = await buildWorkspace();
  const one = await buildConversation(agentKey);
  const other = await buildConversation(agentKey);
  const first = await buildTurn(agentKey, one.id, "completed", ["read_file", "date_time"]);
  const second = await buildTurn(agentKey, other.id, "suspended");
  const { items, nextCursor } = await listRecentTurns(authorize(viewer, "turns:read"));
  expect(items.map(({ id }) => id)).toEqual([second, first]);
  expect(items[1]).toMatchObject({ agent: "default", status: "completed", conversationId: one.id, finishedAt: expect.any(String) });
  expect(items[1]?.calls.map(({ name }) => name)).toEqual(["read_file", "date_time"]);
  expect(nextCursor).toBeNull();
});

test("pages follow one another without a gap", async () => {
  const { viewer, agentKey } = await buildWorkspace();
  const { id } = await buildConversation(agentKey);
  const made = [await buildTurn(agentKey, id), await buildTurn(agentKey, id), await buildTurn(agentKey, id)];
  const actor = authorize(viewer, "turns:read");
  const page = await listRecentTurns(actor, { limit: 2 });
  const rest = await listRecentTurns(actor, { limit: 2, cursor: page.nextCursor ?? "" });
  expect([...page.items, ...rest.items].map((turn) => turn.id)).toEqual(made.toReversed());
  expect(rest.nextCursor).toBeNull();
});

test("a filter keeps one status or one conversation", async () => {
  const { viewer, agentKey } = await buildWorkspace();
  const one = await buildConversation(agentKey);
  const other = await buildConversation(agentKey);
  const waiting = await buildTurn(agentKey, one.id, "suspended");
  const done = await buildTurn(agentKey, other.id);
  const actor = authorize(viewer, "turns:read");
  expect((await listRecentTurns(actor, { status: "suspended" })).items.map(({ id }) => id)).toEqual([waiting]);
  expect((await listRecentTurns(actor, { conversationId: other.id })).items.map(({ id }) => id)).toEqual([done]);
});

test("another workspace's turns, and for an agent's key another agent's, are not there", async () => {
  const mine = await buildWorkspace();
  const stranger = await buildWorkspace();
  await buildTurn(stranger.agentKey, (await buildConversation(stranger.agentKey)).id);
  const second = await buildAgent(mine.workspace.id);
  const secondKey = await buildApiKey(mine.workspace.id, { agentId: second.id });
  const ofSecond = await buildTurn(secondKey, (await buildConversation(secondKey)).id);
  await buildTurn(mine.agentKey, (await buildConversation(mine.agentKey)).id);
  const seen = (actor: Actor) => listRecentTurns(authorize(actor, "turns:read")).then(({ items }) => items.map(({ id }) => id));
  expect(await seen(secondKey)).toEqual([ofSecond]);
  expect(await seen(mine.viewer)).toHaveLength(2);
});

test("turns are found by agent, tool, outcome, words and time", async () => {
  const { workspace, viewer, agentKey } = await buildWorkspace();
  const scout = await buildAgent(workspace.id, { name: "scout" });
  const scoutKey = await buildApiKey(workspace.id, { agentId: scout.id });
  const titled = await buildConversation(agentKey, { metadata: { title: "Quarterly report" } });
  const looked = await buildTurn(agentKey, titled.id, "completed", [{ name: "read_file", arguments: { path: "a_b.txt" } }]);
  const refused = await buildTurn(scoutKey, (await buildConversation(scoutKey)).id, "completed", [
    { name: "read_file", arguments: { path: "axb.txt" } },
    { name: "shell_execute", arguments: { command: "rm -r build" }, status: "rejected" },
  ]);
  const found = (filter: TurnFilter) =>
    listRecentTurns(authorize(viewer, "turns:read"), filter).then(({ items }) => items.map(({ id }) => id));
  expect(await found({ agent: "scout" })).toEqual([refused]);
  expect(await found({ tool: "read_file" })).toEqual([refused, looked]);
  expect(await found({ outcome: "denied" })).toEqual([refused]);
  expect(await found({ outcome: "denied", tool: "read_file" })).toEqual([]);
  expect(await found({ query: "RM -R" })).toEqual([refused]);
  expect(await found({ query: "quarterly" })).toEqual([looked]);
  // Characters with a meaning in SQL patterns are searched literally.
  expect(await found({ query: "a_b" })).toEqual([looked]);
  const now = Date.now();
  expect(await found({ from: new Date(now - 60_000).toISOString(), to: new Date(now + 60_000).toISOString() })).toHaveLength(2);
  expect(await found({ to: new Date(now - 60_000).toISOString() })).toEqual([]);
});

test("a line says the title of its conversation and the argument that each call is about, on one line and without secrets", async () => {
  const { workspace, viewer, agentKey } = await buildWorkspace();
  await db().insert(tools).values({
    workspaceId: workspace.id,
    name: "shell_execute",
    title: "Run",
    description: "",
    source: "builtin",
    rawName: "shell_execute",
    family: "shell",
    effect: "destroy",
    concurrencySafe: false,
    primaryArgument: "command",
    inputSchema: {},
    schemaHash: "",
    defaultTier: "core",
    defaultTimeoutMs: 1_000,
  });
  const { id } = await buildConversation(agentKey, { externalId: "ticket-4711" });
  await buildTurn(agentKey, id, "completed", [
    { name: "shell_execute", arguments: { timeoutSeconds: 3, command: "echo one\n  echo two" } },
    { name: "shell_execute", arguments: { command: `curl -H "Authorization: Bearer ghp_${"a1B2".repeat(9)}" example.com` } },
    { name: "other", arguments: { words: "x".repeat(500) } },
    { name: "date_time" },
  ]);
  const { items } = await listRecentTurns(authorize(viewer, "turns:read"));
  expect(items[0]?.title).toBe("ticket-4711");
  const summaries = items[0]?.calls.map(({ summary }) => summary) ?? [];
  expect(summaries[0]).toBe("echo one echo two");
  expect(summaries[1]).toContain("curl -H");
  expect(summaries[1]).not.toContain("a1B2a1B2");
  expect(summaries[2]).toMatch(/^\{"words": "x+…$/);
  expect(summaries[2]).toHaveLength(160);
  expect(summaries[3]).toBe("");
});
