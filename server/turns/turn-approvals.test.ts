import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { approvals } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { expireOverdueApprovals } from "@/server/approvals/expire-approvals";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { buildConversation } from "@/server/testing/builders";
import { probes } from "@/server/testing/probe-tools";
import { approverActor, listAuditEvents, neverAborted, onlyApproval, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { replaceTools } from "@/server/testing/test-tools";
import { waitForActiveTurns } from "./active-turns";
import { storedTurn } from "./live-turn";
import { loadTurn } from "./read/load-turn";
import { waitForTurn } from "./read/wait-for-turn";
import { runTurn } from "./run-turn";
import { restartTurn } from "./transitions/restart-turn";

const stage = useStage();

describe("a turn with a question", () => {
  test("stops at the question with everything before it done, and goes on by itself when it is approved", async () => {
    const asked = await submitCalls(stage, [
      ["look", { text: "before" }],
      ["change", { text: "it" }],
      ["look", { text: "after" }],
    ]);
    expect(asked.status).toBe("suspended");
    expect(statuses(asked)).toEqual(["succeeded", "awaiting_approval", "pending"]);
    expect(stage.log).toEqual(["look before"]);

    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const approval = await onlyApproval(asked.id);
    await decideApproval(approverActor(stage), approval.id, { decision: "approve", comment: "" });
    const done = await waiting;
    expect(done.status).toBe("completed");
    expect(done.calls.map(({ content }) => content)).toEqual(["saw before", "changed it", "saw after"]);
    expect(stage.log).toEqual(["look before", "change it", "look after"]);
    expect(await listAuditEvents(asked.id)).toEqual([
      "call.succeeded",
      "approval.requested",
      "approval.approved",
      "call.started",
      "call.succeeded",
      "call.succeeded",
    ]);
  });

  test("a comment with an approval reaches the model before the result, as words of a person", async () => {
    const asked = await submitCalls(stage, [["change", { text: "it" }]]);
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    await decideApproval(approverActor(stage), (await onlyApproval(asked.id)).id, { decision: "approve", comment: "only this once" });
    expect((await waiting).calls[0]?.content).toBe('A person approved this call and said: "only this once".\n\nchanged it');
  });

  test("a rejection is a result with the person's words, and the calls behind it still run", async () => {
    const asked = await submitCalls(stage, [
      ["change", { text: "it" }],
      ["look", { text: "after" }],
    ]);
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    await decideApproval(approverActor(stage), (await onlyApproval(asked.id)).id, { decision: "reject", comment: "not on a Friday" });
    const done = await waiting;
    expect(statuses(done)).toEqual(["rejected", "succeeded"]);
    expect(done.calls[0]).toMatchObject({ isError: true, content: expect.stringContaining("not on a Friday") });
    expect(stage.log).toEqual(["look after"]);
  });

  test("a comment with characters that cannot be stored is a decision all the same", async () => {
    const asked = await submitCalls(stage, [["change"]]);
    const { id } = await onlyApproval(asked.id);
    const settled = await decideApproval(approverActor(stage), id, { decision: "reject", comment: "no \ud83d\0" });
    expect(settled).toMatchObject({ status: "rejected", comment: "no \ufffd\ufffd" });
  });

  test("a replica that comes late to an answered turn runs nothing of it again", async () => {
    const asked = await submitCalls(stage, [
      ["change", { text: "first" }],
      ["change", { text: "second" }],
    ]);
    const early = await loadTurn(asked.id);
    if (!early) throw new Error("not stored");
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    await decideApproval(approverActor(stage), (await onlyApproval(asked.id)).id, { decision: "approve", comment: "" });
    expect(statuses(await waiting)).toEqual(["succeeded", "awaiting_approval"]);
    await waitForActiveTurns();

    const late = storedTurn(early.turn, early.calls);
    restartTurn(late);
    await runTurn(late).rested;
    expect(stage.log).toEqual(["change first"]);
    expect(await loadTurn(asked.id)).toMatchObject({ turn: { status: "suspended" } });
  });

  test("one of two concurrent decisions counts, the other is told who was faster, and the call runs once", async () => {
    const asked = await submitCalls(stage, [["change", { text: "once" }]]);
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const { id } = await onlyApproval(asked.id);
    const answers = await Promise.allSettled(
      (["approve", "approve", "reject", "approve"] as const).map((decision) =>
        decideApproval(approverActor(stage), id, { decision, comment: "" }),
      ),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const answer of answers) if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "already_decided" });
    await waiting;
    await waitForActiveTurns();
    expect(stage.log.length).toBeLessThanOrEqual(1);
  });

  test("nobody answering in time counts as a rejection", async () => {
    const asked = await submitCalls(stage, [["change"], ["look"]]);
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const { id } = await onlyApproval(asked.id);
    await db()
      .update(approvals)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(approvals.id, id));
    await expect(decideApproval(approverActor(stage), id, { decision: "approve", comment: "" })).rejects.toMatchObject({
      code: "already_decided",
    });
    await expireOverdueApprovals();
    expect(statuses(await waiting)).toEqual(["expired", "succeeded"]);
    expect(stage.log).toEqual(["look "]);
  });

  test("a replica whose clock is wrong asks, expires and decides by the database's time", async () => {
    const dayMs = 24 * 3_600_000;
    try {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + dayMs });
      const asked = await submitCalls(stage, [["change"], ["change"]]);
      const { id, requestedAt, expiresAt } = await onlyApproval(asked.id);
      expect(Math.abs(Date.now() - dayMs - requestedAt.getTime())).toBeLessThan(dayMs / 2);
      await expireOverdueApprovals();
      expect((await onlyApproval(asked.id)).status).toBe("pending");
      await db()
        .update(approvals)
        .set({ expiresAt: new Date(requestedAt.getTime() - 1) })
        .where(eq(approvals.id, id));
      vi.setSystemTime(expiresAt.getTime() - 2 * dayMs);
      const late = decideApproval(approverActor(stage), id, { decision: "approve", comment: "" });
      await expect(late).rejects.toMatchObject({ code: "already_decided" });
    } finally {
      vi.useRealTimers();
    }
  });

  test("the key that asked cannot answer", async () => {
    const asked = await submitCalls(stage, [["change"]]);
    const key = { ...stage.built.agentKey, permissions: new Set(["approvals:decide" as const]) };
    const answer = decideApproval(requirePermission(key, "approvals:decide"), (await onlyApproval(asked.id)).id, {
      decision: "approve",
      comment: "",
    });
    await expect(answer).rejects.toMatchObject({ code: "forbidden" });
  });

  test("a tool that changed after the approval is asked about anew, with what drifted", async () => {
    const asked = await submitCalls(stage, [["change", { text: "x" }]]);
    const first = await onlyApproval(asked.id);
    const changed = probes(stage).map((tool) =>
      tool.name === "change" ? { ...tool, inputSchema: { type: "object", properties: {} } } : tool,
    );
    await replaceTools(stage.built.workspace.id, stage.serverId, changed);
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    await decideApproval(approverActor(stage), first.id, { decision: "approve", comment: "" });
    const again = await waiting;
    expect(again.status).toBe("suspended");
    expect(again.calls[0]?.approvalId).not.toBe(first.id);
    expect(stage.log).toEqual([]);
    const [before, after] = await db().select().from(approvals).where(eq(approvals.turnId, asked.id)).orderBy(approvals.id);
    expect(before).toMatchObject({ status: "void", drift: [expect.stringContaining("changed after it was approved")] });
    expect(after).toMatchObject({ status: "pending", drift: before?.drift });

    const second = waitForTurn(asked.id, 20, neverAborted);
    await decideApproval(approverActor(stage), after?.id ?? "", { decision: "approve", comment: "" });
    expect((await second).status).toBe("completed");
    expect(stage.log).toEqual(["change x"]);
  });

  test("a tool that is gone is not approved any more, and the turn goes on with a rejection", async () => {
    const asked = await submitCalls(stage, [["change"], ["look"]]);
    await replaceTools(
      stage.built.workspace.id,
      stage.serverId,
      probes(stage).filter(({ name }) => name !== "change"),
    );
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const { id } = await onlyApproval(asked.id);
    await expect(decideApproval(approverActor(stage), id, { decision: "approve", comment: "" })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("The tool change does not exist any more."),
    });
    await decideApproval(approverActor(stage), id, { decision: "reject", comment: "" });
    expect(statuses(await waiting)).toEqual(["rejected", "succeeded"]);
  });

  test("where nobody can be asked, the call is denied at once", async () => {
    stage.conversationId = (await buildConversation(stage.built.agentKey, { interactive: false })).id;
    const turn = await submitCalls(stage, [["change"], ["look"]]);
    expect(statuses(turn)).toEqual(["denied", "succeeded"]);
    expect(turn.calls[0]?.content).toContain("nobody can be asked");
  });
});
