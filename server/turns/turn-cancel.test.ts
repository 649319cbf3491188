import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { turns, webhookDeliveries } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { getApproval } from "@/server/approvals/get-approval";
import { db } from "@/server/platform/database/database";
import { signalHere } from "@/server/platform/signals/bus";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import {
  approverActor,
  listAuditEvents,
  loadOnlyTurn,
  neverAborted,
  onlyApproval,
  runtimeActor,
  statuses,
  submitCalls,
  useStage,
} from "@/server/testing/stage";
import { cancelTurn } from "./cancel-turn";
import { noticeLostReplicas } from "./recovery/recover-turns";
import { removeConversation } from "./remove-conversation";

const stage = useStage();

describe("a turn that is stopped", () => {
  test("while it waits for a person: the question is cancelled and nothing runs", async () => {
    const asked = await submitCalls(stage, [["change"], ["look"]]);
    const turn = await cancelTurn(runtimeActor(stage), asked.id, neverAborted);
    expect(turn.status).toBe("cancelled");
    expect(statuses(turn)).toEqual(["cancelled", "cancelled"]);
    expect(await onlyApproval(asked.id)).toMatchObject({ status: "cancelled" });
    expect(stage.log).toEqual([]);
  });

  test("while it waits for a person: its callback is told, and told nothing twice", async () => {
    const asked = await submitCalls(stage, [["change"]], { callbackUrl: "https://example.com/hook" });
    await cancelTurn(runtimeActor(stage), asked.id, neverAborted);
    await cancelTurn(runtimeActor(stage), asked.id, neverAborted);
    const told = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.turnId, asked.id));
    expect(told.map(({ event, payload }) => [event, payload])).toEqual([
      ["turn.finished", { turn: expect.objectContaining({ id: asked.id, status: "cancelled" }) }],
    ]);
  });

  test("together with many others: none waits for a connection that another one holds", async () => {
    const asked = await Promise.all(Array.from({ length: 24 }, () => submitCalls(stage, [["change"]])));
    // The signal clears the cached configuration, so every cancellation reads the configuration again.
    signalHere({ topic: "config", workspaceId: stage.built.workspace.id });
    const turns = await Promise.all(asked.map(({ id }) => cancelTurn(runtimeActor(stage), id, neverAborted)));
    expect(turns.map(({ status }) => status)).toEqual(asked.map(() => "cancelled"));
  });

  test("while a tool runs: the tool is left behind and the rest does not start", async () => {
    const running = submitCalls(stage, [["hold"], ["change"]]);
    await stage.gate.reached;
    const row = await loadOnlyTurn(stage);
    const turn = await cancelTurn(runtimeActor(stage), row.id, neverAborted);
    expect(turn.status).toBe("cancelled");
    expect(statuses(turn)).toEqual(["cancelled", "cancelled"]);
    stage.gate.open();
    expect((await running).status).toBe("cancelled");
  });

  test("with its conversation: questions are cancelled, rows are gone, the audit stays", async () => {
    const asked = await submitCalls(stage, [["change"]]);
    const { id } = await onlyApproval(asked.id);
    await removeConversation(runtimeActor(stage), stage.conversationId);
    expect(await db().select().from(turns).where(eq(turns.id, asked.id))).toEqual([]);
    expect(await listAuditEvents(asked.id)).toEqual(["approval.requested", "turn.cancelled", "approval.cancelled", "call.cancelled"]);
    const said = "This approval was cancelled, because its conversation was deleted. Nothing is left to decide.";
    await expect(getApproval(authorize(stage.built.approver, "approvals:read"), id)).rejects.toMatchObject({
      code: "not_found",
      message: said,
    });
    await expect(decideApproval(approverActor(stage), id, { decision: "approve", comment: "" })).rejects.toMatchObject({
      code: "not_found",
      message: said,
    });
    const { approver: stranger } = await buildWorkspace();
    await expect(getApproval(authorize(stranger, "approvals:read"), id)).rejects.toThrow("does not exist");
  });

  test("with its conversation while a tool runs: the call still stands in the audit, with what it was", async () => {
    const running = submitCalls(stage, [["hold", { text: "it" }]]);
    await stage.gate.reached;
    const row = await loadOnlyTurn(stage);
    // Expected before the removal, because the submission may hear of it while the removal is still under way.
    const refused = expect(running).rejects.toMatchObject({ code: "not_found" });
    await removeConversation(runtimeActor(stage), stage.conversationId);
    stage.gate.open();
    await refused;
    expect(await listAuditEvents(row.id)).toEqual(["turn.cancelled", "call.cancelled"]);
    await expect(submitCalls(stage, [["look"]])).rejects.toMatchObject({ code: "not_found" });
  });
});

test("a cancellation of which no signal came is noticed at the next look", async () => {
  const running = submitCalls(stage, [["hold"]]);
  await stage.gate.reached;
  const { id } = await loadOnlyTurn(stage);
  await db().update(turns).set({ cancelRequestedAt: new Date() }).where(eq(turns.id, id));
  await noticeLostReplicas();
  expect(statuses(await running)).toEqual(["cancelled"]);
});
