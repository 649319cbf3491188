import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { approvals, auditEvents, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { createHook } from "@/server/testing/configure";
import { hookDraft } from "@/server/testing/hook-drafts";
import { approverActor, type Calls, neverAborted, runtimeActor, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { waitForActiveTurns } from "../active-turns";
import { decideWithEdits } from "../answers/decide-with-edits";
import { cancelTurn } from "../cancel-turn";
import { readTurn } from "../read/load-turn";
import { waitForTurn } from "../read/wait-for-turn";

const stage = useStage();

const approvalsOf = (turnId: string) => db().select().from(approvals).where(eq(approvals.turnId, turnId)).orderBy(approvals.id);
const decide = (id: string, decision: "approve" | "reject", comment = "") =>
  decideApproval(approverActor(stage), id, { decision, comment });
const rule = (draft: Partial<GuardRuleDraft>) =>
  createRule(
    authorize(stage.built.admin, "guard:write"),
    GuardRuleDraft.parse({ name: "Rule", tool: "change", verdict: "deny", ...draft }),
  );
const three = () =>
  submitCalls(stage, [
    ["change", { text: "1" }],
    ["look", { text: "between" }],
    ["change", { text: "2" }],
    ["change", { text: "3" }],
  ]);

test("calls of one reply that need approval are asked together, are decided in any order, and run in theirs", async () => {
  const asked = await three();
  expect(asked.status).toBe("suspended");
  expect(statuses(asked)).toEqual(["awaiting_approval", "pending", "awaiting_approval", "awaiting_approval"]);
  const [first, second, third] = await approvalsOf(asked.id);
  expect([first, second, third].map((approval) => approval?.arguments.text)).toEqual(["1", "2", "3"]);

  await decide(third?.id ?? "", "approve");
  await decide(second?.id ?? "", "approve");
  expect(stage.log).toEqual([]);
  await vi.waitFor(async () => {
    const [row] = await db().select({ answeredAt: turns.answeredAt }).from(turns).where(eq(turns.id, asked.id));
    expect(row?.answeredAt, "no replica resumes the turn again for these answers").toBeNull();
  });
  await waitForActiveTurns();
  expect((await readTurn(asked.id)).status).toBe("suspended");

  const waiting = waitForTurn(asked.id, 20, neverAborted);
  await decide(first?.id ?? "", "approve");
  const done = await waiting;
  expect(statuses(done)).toEqual(["succeeded", "succeeded", "succeeded", "succeeded"]);
  expect(stage.log).toEqual(["change 1", "look between", "change 2", "change 3"]);
});

test("answers of one moment to all calls of a reply count once each, and each call runs once", async () => {
  const asked = await three();
  const waiting = waitForTurn(asked.id, 20, neverAborted);
  const answers = await Promise.allSettled(
    (await approvalsOf(asked.id)).flatMap(({ id }) => [decide(id, "approve"), decide(id, "approve")]),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect((await waiting).status).toBe("completed");
  expect(stage.log).toEqual(["change 1", "look between", "change 2", "change 3"]);
});

test("the rejection of an earlier call leaves the approvals of later ones valid", async () => {
  const asked = await submitCalls(stage, [
    ["change", { text: "same" }],
    ["change", { text: "same" }],
    ["change", { text: "other" }],
  ]);
  const [first, second, third] = await approvalsOf(asked.id);
  const waiting = waitForTurn(asked.id, 20, neverAborted);
  await decide(second?.id ?? "", "approve");
  await decide(third?.id ?? "", "reject", "not this one");
  await decide(first?.id ?? "", "reject");
  const done = await waiting;
  expect(statuses(done)).toEqual(["rejected", "succeeded", "rejected"]);
  expect(done.calls[2]?.content).toContain("not this one");
  expect(stage.log).toEqual(["change same"]);
  expect((await approvalsOf(asked.id)).map(({ status }) => status)).toEqual(["rejected", "approved", "rejected"]);
});

test("a call behind the barrier that was approved is decided again before it runs", async () => {
  const asked = await three();
  const [first, second, third] = await approvalsOf(asked.id);
  await decide(second?.id ?? "", "approve");
  await rule({ pattern: "2" });
  const waiting = waitForTurn(asked.id, 20, neverAborted);
  await decide(third?.id ?? "", "approve");
  await decide(first?.id ?? "", "approve");
  expect(statuses(await waiting)).toEqual(["succeeded", "succeeded", "denied", "succeeded"]);
  expect(stage.log).toEqual(["change 1", "look between", "change 3"]);
});

test("a call behind the barrier can be edited before the calls ahead of it run", async () => {
  const asked = await three();
  const [first, second, third] = await approvalsOf(asked.id);
  await decideWithEdits(approverActor(stage), second?.id ?? "", { decision: "approve", comment: "", arguments: { text: "two" } });
  const waiting = waitForTurn(asked.id, 20, neverAborted);
  await decide(third?.id ?? "", "approve");
  await decide(first?.id ?? "", "approve");
  await waiting;
  expect(stage.log).toEqual(["change 1", "look between", "change two", "change 3"]);
});

test("hooks run once for each call that is asked, in order, and people see what they leave", async () => {
  await createHook(
    authorize(stage.built.admin, "hooks:write"),
    hookDraft({ event: "before_tool", action: { type: "set", pointer: "/text", value: "fixed" } }),
  );
  const asked = await submitCalls(stage, [
    ["change", { text: "1" }],
    ["change", { text: "2" }],
  ]);
  const both = await approvalsOf(asked.id);
  expect(both.map(({ arguments: shown }) => shown.text)).toEqual(["fixed", "fixed"]);
  const waiting = waitForTurn(asked.id, 20, neverAborted, ({ status }) => status === "completed");
  for (const { id } of both) await decide(id, "approve");
  const done = await waiting;
  expect(done.calls.map(({ hooks }) => hooks?.length)).toEqual([1, 1]);
  expect(stage.log).toEqual(["change fixed", "change fixed"]);
});

test("a cancellation takes all questions of the reply back, and a call that nobody is asked about is not hurried", async () => {
  const asked = await three();
  await cancelTurn(runtimeActor(stage), asked.id, neverAborted);
  expect((await approvalsOf(asked.id)).map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
  expect(stage.log).toEqual([]);
  const events = await db().select({ event: auditEvents.event }).from(auditEvents).where(eq(auditEvents.turnId, asked.id));
  expect(events.filter(({ event }) => event === "approval.requested")).toHaveLength(3);
});

describe("calls that touch files", () => {
  beforeEach(async () => {
    await addBuiltinTools(stage.built.workspace.id);
    await rule({ name: "Writes", tool: "write_file", verdict: "require_approval" });
  });
  const write = (path: string, content: string): Calls[number] => ["write_file", { path, content }];

  test("are asked together when they touch different files, also with a reader of a third between", async () => {
    const asked = await submitCalls(stage, [
      write("a.txt", "a"),
      ["read_file", { path: "c.txt" }],
      write("b.txt", "b"),
      write("a.txt", "again"),
    ]);
    expect((await approvalsOf(asked.id)).map(({ arguments: shown }) => shown.content)).toEqual(["a", "b"]);
    const stopping = waitForTurn(asked.id, 14, neverAborted);
    for (const { id } of await approvalsOf(asked.id)) await decide(id, "approve");
    expect(statuses(await stopping).slice(2)).toEqual(["succeeded", "awaiting_approval"]);
    const [, , last] = await approvalsOf(asked.id);
    expect(last?.arguments.content).toBe("again");
    const waiting = waitForTurn(asked.id, 14, neverAborted);
    await decide(last?.id ?? "", "approve");
    const [a, , b, again] = statuses(await waiting);
    expect([a, b, again]).toEqual(["succeeded", "succeeded", "succeeded"]);
  });

  test("are asked anew when an earlier call was edited so that it changes the same file", async () => {
    const asked = await submitCalls(stage, [write("a.txt", "a"), write("b.txt", "b")]);
    const [first, second] = await approvalsOf(asked.id);
    await decide(second?.id ?? "", "approve");
    await decideWithEdits(approverActor(stage), first?.id ?? "", {
      decision: "approve",
      comment: "",
      arguments: { path: "b.txt", content: "mine" },
    });
    await vi.waitFor(async () => expect(await approvalsOf(asked.id)).toHaveLength(3));
    const [, voided, anew] = await approvalsOf(asked.id);
    expect(voided?.status).toBe("void");
    expect(anew).toMatchObject({ status: "pending", drift: [expect.stringContaining("An earlier call of the same reply was changed")] });
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    await decide(anew?.id ?? "", "approve");
    expect(statuses(await waiting)[0]).toBe("succeeded");
    expect(await approvalsOf(asked.id)).toHaveLength(3);
  });

  test("need one answer each when the first of two equal ones is rejected", async () => {
    const asked = await submitCalls(stage, [write("a.txt", "a"), write("a.txt", "a")]);
    const [first, ...none] = await approvalsOf(asked.id);
    expect(none).toEqual([]);
    await decide(first?.id ?? "", "reject");
    await vi.waitFor(async () => expect(await approvalsOf(asked.id)).toHaveLength(2));
    const [, second] = await approvalsOf(asked.id);
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    await decide(second?.id ?? "", "approve");
    expect(statuses(await waiting)).toEqual(["rejected", "succeeded"]);
    expect(await approvalsOf(asked.id)).toHaveLength(2);
  });
});
