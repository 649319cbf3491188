import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { approvals, auditEvents, toolCalls, turnEvents } from "@/db/schema";
import { listApprovals } from "@/server/approvals/list-approvals";
import { exportAuditEvents } from "@/server/audit-log/export-audit-events";
import { listAuditEvents } from "@/server/audit-log/list-audit-events";
import { db } from "@/server/platform/database/database";
import { type PublishedEvent, subscribe } from "@/server/platform/extension-points/outbox";
import { createRule } from "@/server/policy/rules/create-rule";
import { updateRule } from "@/server/policy/rules/update-rule";
import { authorize } from "@/server/testing/builders";
import { createHook } from "@/server/testing/configure";
import { hookDraft } from "@/server/testing/hook-drafts";
import { approverActor, neverAborted, onlyApproval, submitCalls, useStage } from "@/server/testing/stage";
import { waitForActiveTurns } from "../active-turns";
import { listRecentCalls } from "../read/list-recent-calls";
import { listRecentTurns } from "../read/list-recent-turns";
import { waitForTurn } from "../read/wait-for-turn";
import { decideWithEdits } from "./decide-with-edits";

const stage = useStage();

const approveWith = (id: string, args: JsonObject) =>
  decideWithEdits(approverActor(stage), id, { decision: "approve", comment: "", arguments: args });

const rule = (draft: Partial<GuardRuleDraft>) =>
  createRule(
    authorize(stage.built.admin, "guard:write"),
    GuardRuleDraft.parse({ name: "Rule", tool: "change", verdict: "deny", ...draft }),
  );

describe("an approval with changed arguments", () => {
  test("runs exactly the changed ones, keeps both, and the model is told first", async () => {
    const asked = await submitCalls(stage, [["change", { text: "all of it" }]]);
    const { id, callId, argumentsDigest } = await onlyApproval(asked.id);
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const approved = await approveWith(id, { text: "a part" });
    expect(approved).toMatchObject({ status: "approved", arguments: { text: "a part" }, askedArguments: { text: "all of it" } });
    expect(approved.argumentsDigest).not.toBe(argumentsDigest);
    const [call] = (await waiting).calls;
    expect(stage.log).toEqual(["change a part"]);
    expect(call?.content).toMatch(/^A person changed the arguments of this call before approving it\..*"all of it".*"a part"/);
    expect(call?.content).toMatch(/\n\nchanged a part$/);
    expect((await db().select().from(toolCalls).where(eq(toolCalls.id, callId)))[0]?.arguments).toEqual({ text: "a part" });
    const audit = await db().select().from(auditEvents).where(eq(auditEvents.subject, id));
    expect(audit.find(({ event }) => event === "approval.approved")?.data).toMatchObject({
      arguments: { text: "a part" },
      askedArguments: { text: "all of it" },
    });
  });

  test("reads the same in the turn, the lists, the audit, its export, the events and the webhook: what ran, by whom, and what was asked", async () => {
    const { built } = stage;
    const published: PublishedEvent[] = [];
    subscribe("test", { queue: async (_, events) => void published.push(...events), isWanted: async () => true });
    const asked = await submitCalls(stage, [["change", { text: "all of it" }]]);
    const { id } = await onlyApproval(asked.id);
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const approved = await approveWith(id, { text: "a part" });
    const done = await waiting;
    await waitForActiveTurns();

    const by = { type: "user", id: built.approver.id, name: built.approver.name };
    const told = { arguments: { text: "a part" }, askedArguments: { text: "all of it" }, editedBy: by };
    expect(approved).toMatchObject(told);
    expect(approved.summary).toContain("a part");
    expect(done.calls[0]).toMatchObject(told);
    const reader = authorize(built.admin, "turns:read");
    expect((await listRecentCalls(reader, { tool: "change" })).items[0]).toMatchObject(told);
    expect((await listRecentTurns(reader)).items[0]?.calls[0]).toMatchObject({ summary: expect.stringContaining("a part"), editedBy: by });
    const history = await listApprovals(authorize(built.admin, "approvals:read"), { isDecided: true });
    expect(history.items[0]).toMatchObject({ ...told, summary: approved.summary });

    const auditor = authorize(built.admin, "audit:read");
    const { items } = await listAuditEvents(auditor, { conversationId: stage.conversationId });
    for (const event of ["approval.approved", "call.started", "call.succeeded"]) {
      expect(items.find((item) => item.event === event)?.data, event).toMatchObject(told);
    }
    const csv = await new Response(await exportAuditEvents(auditor, { event: "approval.approved" }, "csv")).text();
    expect(csv).toContain('""arguments"":{""text"":""a part""}');
    expect(csv).toContain('""askedArguments"":{""text"":""all of it""}');
    const [event] = await db()
      .select({ data: turnEvents.data })
      .from(turnEvents)
      .where(and(eq(turnEvents.turnId, asked.id), eq(turnEvents.event, "approval.decided")));
    expect(event?.data).toMatchObject(told);
    expect(published.find(({ event }) => event === "approval.decided")?.payload).toMatchObject({
      summary: approved.summary,
      askedSummary: expect.stringContaining("all of it"),
      editedBy: by,
    });
    expect(JSON.stringify(published.find(({ event }) => event === "turn.finished")?.payload)).toContain(
      JSON.stringify(told.askedArguments),
    );
  });

  test("keeps a masked secret only where the call touches nothing new", async () => {
    const asked = await submitCalls(stage, [["change", { text: "send --token ghp_0123456789abcdefghijABCDEFGHIJ012345 to a" }]]);
    const { id, arguments: shown } = await onlyApproval(asked.id);
    expect(shown.text).not.toContain("0123456789");
    // A tool that does not say its effects could take the secret anywhere.
    await expect(approveWith(id, { text: String(shown.text).replace(/a$/, "b") })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("Write the secret itself"),
    });
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    await approveWith(id, { text: "send --token another to b" });
    await waiting;
    expect(stage.log).toEqual(["change send --token another to b"]);
  });

  test("is refused where the rule names other people than when the call was asked", async () => {
    const asking = await rule({ verdict: "require_approval" });
    const asked = await submitCalls(stage, [["change", { text: "x" }]]);
    const { id } = await onlyApproval(asked.id);
    const stricter = { name: "Rule", tool: "change", verdict: "require_approval", approvers: { roles: ["owner"], quorum: 2 } };
    await updateRule(authorize(stage.built.admin, "guard:write"), asking.id, GuardRuleDraft.parse(stricter), null);
    await expect(approveWith(id, { text: "y" })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("who decides"),
    });
    expect(stage.log).toEqual([]);
  });

  test("is refused where the schema, a rule or a critical finding is against it, and the approval goes on waiting", async () => {
    const asked = await submitCalls(stage, [["change", { text: "x" }]]);
    const { id } = await onlyApproval(asked.id);
    const refused = (args: JsonObject, path: string, message: RegExp) =>
      expect(approveWith(id, args)).rejects.toMatchObject({
        code: "invalid",
        message: expect.stringMatching(message),
        details: { errors: [{ path }] },
      });
    await refused({ text: 7 }, "arguments.text", /do not fit its schema/);
    await rule({ pattern: "never" });
    await refused({ text: "never this" }, "arguments", /The policy denies these arguments/);
    await refused(
      { text: "-----BEGIN PRIVATE KEY-----\n0123456789abcdefABCDEF0123456789abcdefABCDEF0123456789abcdefABCD\n-----END PRIVATE KEY-----" },
      "arguments",
      /critical finding|policy denies/,
    );
    expect((await onlyApproval(asked.id)).status).toBe("pending");
    expect(stage.log).toEqual([]);
  });

  test("is not let past a hook that would change it again", async () => {
    await createHook(
      authorize(stage.built.admin, "hooks:write"),
      hookDraft({ event: "before_tool", action: { type: "set", pointer: "/text", value: "fixed" } }),
    );
    const asked = await submitCalls(stage, [["change", { text: "x" }]]);
    const { id, arguments: shown } = await onlyApproval(asked.id);
    expect(shown).toEqual({ text: "fixed" });
    await expect(approveWith(id, { text: "other" })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("would change these arguments"),
    });
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    await approveWith(id, { text: "fixed" });
    expect((await waiting).status).toBe("completed");
  });

  test("counts once among racing answers", async () => {
    const asked = await submitCalls(stage, [["change", { text: "x" }]]);
    const { id } = await onlyApproval(asked.id);
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    const answers = await Promise.allSettled(["a", "b", "c"].map((text) => approveWith(id, { text })));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await waiting;
    const [row] = await db().select().from(approvals).where(eq(approvals.id, id));
    expect(stage.log).toEqual([`change ${row?.editedArguments?.text}`]);
  });
});
