import { expect, test } from "vitest";
import type { CallStatus } from "@/contracts/calls/call-statuses";
import type { Overview } from "@/contracts/operations/overview";
import { approvals, toolCalls, turns } from "@/db/schema";
import { type Actor, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildAgent, buildApiKey, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { countCalls } from "./count-calls";
import { getOverview } from "./get-overview";
import { toTimeRange } from "./time-range";

useTestDatabase();

type Made = { name?: string; status?: CallStatus; durationMs?: number };

/** One finished turn with these calls. */
async function buildTurn(actor: Actor, calls: readonly Made[]): Promise<string[]> {
  const { id: conversationId } = await buildConversation(actor);
  const turnId = newId();
  const now = new Date();
  const common = { workspaceId: actor.workspaceId };
  await db()
    .insert(turns)
    .values({
      ...common,
      id: turnId,
      conversationId,
      status: "completed",
      requestDigest: turnId,
      requestedBy: toActorRef(actor),
      finishedAt: now,
    });
  const rows = await db()
    .insert(toolCalls)
    .values(
      calls.map(({ name = "date_time", status = "succeeded", durationMs = 10 }, position) => ({
        ...common,
        turnId,
        position,
        runtimeId: `${position}`,
        requestedName: name,
        name,
        arguments: {},
        status,
        durationMs,
        finishedAt: now,
      })),
    )
    .returning();
  return rows.map(({ id }) => id);
}

async function buildApproval(actor: Actor, values: Partial<typeof approvals.$inferInsert>): Promise<void> {
  const { id: conversationId } = await buildConversation(actor);
  const turnId = newId();
  const callId = newId();
  const common = { workspaceId: actor.workspaceId, turnId };
  await db()
    .insert(turns)
    .values({
      workspaceId: actor.workspaceId,
      id: turnId,
      conversationId,
      status: "suspended",
      requestDigest: turnId,
      requestedBy: toActorRef(actor),
    });
  const call = { id: callId, position: 0, runtimeId: "1", requestedName: "write_file", name: "write_file", arguments: {} };
  await db()
    .insert(toolCalls)
    .values({ ...common, ...call });
  await db()
    .insert(approvals)
    .values({
      ...common,
      conversationId,
      callId,
      agent: "default",
      toolName: "write_file",
      toolTitle: "Write a file",
      toolSource: "builtin",
      toolEffect: "write",
      arguments: {},
      argumentsDigest: callId,
      decision: { verdict: "require_approval", reason: "", ruleId: null, ruleDigest: null, findings: [], trace: [], policyVersion: 1 },
      requestedBy: toActorRef(actor),
      expiresAt: new Date(Date.now() + 60_000),
      ...values,
    });
}

const sumOf = (byStatus: Overview["calls"]["byStatus"]) => Object.values(byStatus).reduce((sum, count) => sum + count, 0);

test("every call is counted once, by outcome and time, however many there are", async () => {
  const { viewer, agentKey } = await buildWorkspace();
  const many = Array.from({ length: 1_500 }, (): Made => ({}));
  await buildTurn(agentKey, [...many, { status: "failed" }, { status: "failed" }, { status: "denied" }, { status: "expired" }]);
  const { calls, from, to, bucketSeconds } = await getOverview(authorize(viewer, "audit:read"), "24h");
  expect(calls.byStatus).toEqual({ succeeded: 1_500, failed: 2, denied: 1, expired: 1 });
  expect(calls.total).toBe(1_504);
  expect(calls.buckets).toHaveLength(24);
  expect(calls.buckets.reduce((sum, { byStatus }) => sum + sumOf(byStatus), 0)).toBe(1_504);
  expect(calls.buckets[0]?.at).toBe(from);
  expect(Date.parse(to) - Date.parse(from)).toBe(24 * bucketSeconds * 1_000);
});

test("a call that was just made is counted, also after the count was asked for", async () => {
  const { viewer, agentKey } = await buildWorkspace();
  const total = async () => (await getOverview(authorize(viewer, "audit:read"), "24h")).calls.total;
  expect(await total()).toBe(0);
  await buildTurn(agentKey, [{}]);
  expect(await total()).toBe(1);
});

test("a call stands in the bucket of its time, and one before the range is not counted", async () => {
  const { viewer, agentKey } = await buildWorkspace();
  await buildTurn(agentKey, [{}]);
  const now = Date.now();
  const last = await countCalls(viewer.workspaceId, toTimeRange("1h", now));
  expect(sumOf(last.calls.buckets.at(-1)?.byStatus ?? {}) + sumOf(last.calls.buckets.at(-2)?.byStatus ?? {})).toBe(1);
  expect((await countCalls(viewer.workspaceId, toTimeRange("1h", now + 2 * 3_600_000))).calls.total).toBe(0);
});

test("tools are ranked by calls, and trouble names the tool with its agent", async () => {
  const { workspace, viewer, agentKey } = await buildWorkspace();
  const scout = await buildAgent(workspace.id, { name: "scout" });
  const scoutKey = await buildApiKey(workspace.id, { agentId: scout.id });
  await buildTurn(agentKey, [{ name: "read_file" }, { name: "read_file" }, { name: "read_file", status: "timed_out" }, {}]);
  await buildTurn(scoutKey, [
    { name: "write_file", status: "rejected" },
    { name: "write_file", status: "denied" },
    { name: "write_file", status: "interrupted" },
  ]);
  const { topTools, troubles } = await getOverview(authorize(viewer, "audit:read"), "24h");
  expect(topTools).toEqual([
    { tool: "read_file", calls: 3, failed: 1, denied: 0 },
    { tool: "write_file", calls: 3, failed: 1, denied: 2 },
    { tool: "date_time", calls: 1, failed: 0, denied: 0 },
  ]);
  expect(troubles).toEqual([
    { tool: "write_file", agent: "scout", failed: 1, denied: 2 },
    { tool: "read_file", agent: "default", failed: 1, denied: 0 },
  ]);
});

test("latency leaves out calls that never ran", async () => {
  const { viewer, agentKey } = await buildWorkspace();
  await buildTurn(agentKey, [{ durationMs: 100 }, { durationMs: 100 }, { durationMs: 9_000, status: "denied" }]);
  const { calls } = await getOverview(authorize(viewer, "audit:read"), "24h");
  expect(calls.latencyMs?.p50).toBeGreaterThan(95);
  expect(calls.latencyMs?.p95).toBeLessThan(105);
});

test("pending approvals come with those that expire first, and decided ones with how long they waited", async () => {
  const { viewer, agentKey } = await buildWorkspace();
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000);
  for (const seconds of [400, 100, 300, 200]) await buildApproval(agentKey, { summary: `sleep ${seconds}`, expiresAt: at(seconds) });
  await buildApproval(agentKey, { status: "approved", requestedAt: at(-60), decidedAt: at(-50) });
  await buildApproval(agentKey, { status: "expired", requestedAt: at(-600), decidedAt: at(0) });
  const { approvals: seen } = await getOverview(authorize(viewer, "audit:read"), "24h");
  expect(seen).toMatchObject({ pending: 4, decided: 1, waitSeconds: { p50: 10, p95: 10 } });
  const places = seen.nextToExpire.map(({ expiresAt }) => Math.round((Date.parse(expiresAt) - Date.now()) / 100_000));
  expect(places).toEqual([1, 2, 3]);
  expect(seen.nextToExpire[0], "with the command, as in the inbox").toMatchObject({ kind: "call", summary: "sleep 100" });
});

test("first steps are ticked by what was done, and not by a person's own turn alone", async () => {
  const { viewer, admin, agent, agentKey } = await buildWorkspace();
  const setup = async () => (await getOverview(authorize(viewer, "audit:read"), "24h")).setup;
  await buildTurn({ ...admin, agentId: agent.id }, [{}]);
  expect(await setup()).toEqual({ callApproved: false, agentConnected: false, serverAdded: false, ruleWritten: false });
  await buildApproval({ ...admin, agentId: agent.id }, { status: "approved" });
  expect(await setup()).toMatchObject({ callApproved: true, agentConnected: false });
  await buildTurn(agentKey, [{}]);
  expect(await setup()).toMatchObject({ agentConnected: true });
});

test("another workspace's calls and approvals are not counted", async () => {
  const mine = await buildWorkspace();
  const stranger = await buildWorkspace();
  await buildTurn(stranger.agentKey, [{ status: "failed" }]);
  await buildApproval(stranger.agentKey, {});
  const overview = await getOverview(authorize(mine.viewer, "audit:read"), "24h");
  expect(overview.calls.total).toBe(0);
  expect(overview).toMatchObject({
    topTools: [],
    troubles: [],
    approvals: { pending: 0, nextToExpire: [] },
    setup: { agentConnected: false },
  });
});
