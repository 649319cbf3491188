import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { conversations } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { createRule } from "@/server/policy/rules/create-rule";
import { approverActor, neverAborted, onlyApproval, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { waitForTurn } from "./read/wait-for-turn";

const stage = useStage();
const rule = (draft: object) =>
  createRule(requirePermission(stage.built.admin, "guard:write"), GuardRuleDraft.parse({ name: "Rule", ...draft }));

test("a call that a person refused is asked about again by name, though a rule allows it by then", async () => {
  const asked = await submitCalls(stage, [["change", { text: "x" }]]);
  const waiting = waitForTurn(asked.id, 20, neverAborted);
  await decideApproval(approverActor(stage), (await onlyApproval(asked.id)).id, { decision: "reject", comment: "no" });
  expect(statuses(await waiting)).toEqual(["rejected"]);
  await rule({ tool: "change", verdict: "allow" });
  expect(statuses(await submitCalls(stage, [["change", { text: "other" }]]))).toEqual(["succeeded"]);
  const again = await submitCalls(stage, [["change", { text: "x" }]]);
  expect(again.status).toBe("suspended");
  const question = await onlyApproval(again.id);
  expect(question.decision.reason).toContain(
    'A person refused change ("no") earlier in this conversation, and this is the same call again',
  );
  const goesOn = waitForTurn(again.id, 20, neverAborted);
  await decideApproval(approverActor(stage), question.id, { decision: "approve", comment: "" });
  expect(statuses(await goesOn)).toEqual(["succeeded"]);
  // An approved call is not asked about again.
  expect(statuses(await submitCalls(stage, [["change", { text: "x" }]]))).toEqual(["succeeded"]);
});

test("a denial by policy is not remembered as a refusal, because nobody was asked", async () => {
  await rule({ tool: "change", verdict: "deny", reason: "Not today." });
  const calls = await submitCalls(stage, [
    ["change", { text: "x" }],
    ["change", { text: "x" }],
  ]);
  expect(statuses(calls)).toEqual(["denied", "denied"]);
  expect(calls.calls.map(({ decision }) => decision?.reason)).toEqual(["Not today.", "Not today."]);
  const [row] = await db().select().from(conversations).where(eq(conversations.id, stage.conversationId));
  expect(row?.refusals ?? []).toEqual([]);
});
