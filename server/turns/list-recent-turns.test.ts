import { expect, test } from "vitest";
import type { TurnStatus } from "@/contracts/turns";
import { toolCalls, turns } from "@/db/schema";
import { type Actor, refOf } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { newId } from "@/server/platform/ids";
import { buildAgent, buildApiKey, buildConversation, buildWorkspace, holding } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { listRecentTurns } from "./list-recent-turns";

useTestDatabase();

async function buildTurn(actor: Actor, conversationId: string, status: TurnStatus = "completed", names: string[] = ["date_time"]) {
  const id = newId();
  const common = { workspaceId: actor.workspaceId };
  await db()
    .insert(turns)
    .values({ ...common, id, conversationId, status, requestDigest: id, requestedBy: refOf(actor), ...lifeOf(status) });
  await db()
    .insert(toolCalls)
    .values(
      names.map((name, position) => ({
        ...common,
        turnId: id,
        position,
        runtimeId: name,
        requestedName: name,
        name,
        arguments: {},
        status: "succeeded" as const,
        finishedAt: new Date(),
      })),
    );
  return id;
}

/** What the database asks of a turn in each status. */
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
  const { items, nextCursor } = await listRecentTurns(holding(viewer, "turns:read"));
  expect(items.map(({ id }) => id)).toEqual([second, first]);
  expect(items[1]).toMatchObject({ agent: "default", status: "completed", conversationId: one.id, finishedAt: expect.any(String) });
  expect(items[1]?.calls.map(({ name }) => name)).toEqual(["read_file", "date_time"]);
  expect(nextCursor).toBeNull();
});

test("pages follow one another without a gap", async () => {
  const { viewer, agentKey } = await buildWorkspace();
  const { id } = await buildConversation(agentKey);
  const made = [await buildTurn(agentKey, id), await buildTurn(agentKey, id), await buildTurn(agentKey, id)];
  const actor = holding(viewer, "turns:read");
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
  const actor = holding(viewer, "turns:read");
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
  const seen = (actor: Actor) => listRecentTurns(holding(actor, "turns:read")).then(({ items }) => items.map(({ id }) => id));
  expect(await seen(secondKey)).toEqual([ofSecond]);
  expect(await seen(mine.viewer)).toHaveLength(2);
});
