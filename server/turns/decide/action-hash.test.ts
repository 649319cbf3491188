import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents, toolCalls } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { approverActor, neverAborted, onlyApproval, submitCalls, useStage } from "@/server/testing/stage";
import { decideWithEdits } from "../answers/decide-with-edits";
import { waitForTurn } from "../read/wait-for-turn";

const stage = useStage();

/** Submits a call that asks, approves it and returns the hash of its action, which call, approval and events must share. */
async function hashOf(text: string): Promise<string> {
  const asked = await submitCalls(stage, [["change", { text }]]);
  const approval = await onlyApproval(asked.id);
  const waiting = waitForTurn(asked.id, 20, neverAborted);
  await decideWithEdits(approverActor(stage), approval.id, { decision: "approve", comment: "" });
  await waiting;
  const [call] = await db().select().from(toolCalls).where(eq(toolCalls.turnId, asked.id));
  const events = await db().select().from(auditEvents).where(eq(auditEvents.turnId, asked.id)).orderBy(auditEvents.id);
  const told = events.filter(({ event }) => event.startsWith("approval.") || event.startsWith("call."));
  expect(told.map(({ event }) => event)).toEqual(expect.arrayContaining(["approval.requested", "approval.approved", "call.succeeded"]));
  const hashes = new Set([call?.decision?.actionHash, approval.decision.actionHash, ...told.map(({ data }) => data.actionHash)]);
  expect([...hashes]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  return String(call?.decision?.actionHash);
}

test("approval, call and events of one action share its hash, and another action has another", async () => {
  const first = await hashOf("one");
  expect(await hashOf("one")).toBe(first);
  expect(await hashOf("two")).not.toBe(first);
});
