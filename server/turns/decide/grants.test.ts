import { describe, expect, test, vi } from "vitest";
import type { ApprovalAnswer } from "@/contracts/approvals/approvals";
import { GrantDraft, Remember } from "@/contracts/guard/grants";
import { auditEvents } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { createGrant } from "@/server/approvals/grants/create-grant";
import { listGrants } from "@/server/approvals/grants/list-grants";
import { revokeGrant } from "@/server/approvals/grants/revoke-grant";
import { type Actor, requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { buildConversation, buildWorkspace } from "@/server/testing/builders";
import { approverActor, neverAborted, onlyApproval, runtimeActor, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { waitForTurn } from "../read/wait-for-turn";
import { removeConversation } from "../remove-conversation";

const stage = useStage();
const decider = (actor: Actor) => requirePermission(actor, "approvals:decide");
const reader = () => requirePermission(stage.built.viewer, "approvals:read");
const adminOf = () => decider(stage.built.admin);

/** Submits a call that asks, approves it with a wish to remember, and waits for the turn. */
async function approveAndRemember(remember: object, { actor = stage.built.approver as Actor, text = "it" } = {}) {
  const asked = await submitCalls(stage, [["change", { text }]]);
  expect(asked.status).toBe("suspended");
  const waiting = waitForTurn(asked.id, 20, neverAborted);
  // After a refused decision nothing awaits the turn.
  waiting.catch(() => {});
  const answer: ApprovalAnswer = { decision: "approve", comment: "", remember: Remember.parse(remember) };
  await decideApproval(decider(actor), (await onlyApproval(asked.id)).id, answer);
  return waiting;
}

const draftOf = (draft: object) =>
  GrantDraft.parse({ scope: "workspace", tool: "change", match: { kind: "exact", arguments: { text: "it" } }, ...draft });
const again = async (text = "it", conversationId = stage.conversationId) => {
  const turn = await submitCalls({ ...stage, conversationId }, [["change", { text }]]);
  return turn.calls[0];
};

test("more grants than there are connections are made at the same time, because none holds one while it needs another", async () => {
  const texts = ["a", "b", "c", "d", "e", "f"];
  await Promise.all(texts.map((text) => createGrant(adminOf(), draftOf({ match: { kind: "exact", arguments: { text } } }))));
  expect((await listGrants(reader(), {})).items).toHaveLength(texts.length);
});

describe("a remembered approval", () => {
  test("lets the same call of the conversation pass, and counts, and is told in decision and audit", async () => {
    expect(statuses(await approveAndRemember({ scope: "conversation" }))).toEqual(["succeeded"]);
    const call = await again();
    expect(call).toMatchObject({
      status: "succeeded",
      decision: { verdict: "allow", reason: expect.stringContaining("Approved in advance") },
    });
    const { items } = await listGrants(reader(), {});
    expect(items).toMatchObject([
      { scope: "conversation", kind: "conversation_end", state: "active", uses: 1, maxSeverity: "low", lastUsedAt: expect.any(String) },
    ]);
    expect(call?.decision?.grantId).toBe(items[0]?.id);
    const told = (await db().select().from(auditEvents)).filter(({ data }) => data.grantId === items[0]?.id);
    expect(told).toMatchObject([
      { event: "call.started", verdict: "allow" },
      { event: "call.succeeded", verdict: "allow" },
    ]);
  });

  test("does not cover other arguments, nor another conversation", async () => {
    await approveAndRemember({ scope: "conversation" });
    expect((await again("else"))?.status).toBe("awaiting_approval");
    const other = await buildConversation(stage.built.agentKey);
    expect((await again("it", other.id))?.status).toBe("awaiting_approval");
  });

  test("by a pattern covers what the pattern finds, and must cover the call itself", async () => {
    const admin = stage.built.admin;
    await approveAndRemember({ scope: "agent", match: { parameter: "text", pattern: "^it" } }, { actor: admin });
    expect((await again("it too"))?.status).toBe("succeeded");
    const wrong = approveAndRemember(
      { scope: "workspace", match: { parameter: "text", pattern: "^never" } },
      { actor: admin, text: "that" },
    );
    await expect(wrong).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining("does not cover the call") });
    const broken = approveAndRemember({ scope: "workspace", match: { pattern: "(" } }, { actor: admin, text: "those" });
    await expect(broken).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining("at character 1") });
  });

  test("that is refused leaves the question open: both or neither", async () => {
    const asked = await submitCalls(stage, [["change", { text: "it" }]]);
    const { id } = await onlyApproval(asked.id);
    const answer: ApprovalAnswer = { decision: "approve", comment: "", remember: Remember.parse({ scope: "workspace" }) };
    await expect(decideApproval(approverActor(stage), id, answer)).rejects.toMatchObject({ code: "forbidden" });
    expect((await onlyApproval(asked.id)).status).toBe("pending");
    expect((await listGrants(reader(), {})).total).toBe(0);
    await expect(decideApproval(adminOf(), id, { ...answer, decision: "reject" })).rejects.toMatchObject({ code: "invalid" });
  });
});

describe("a grant", () => {
  test("that is revoked counts no more, from the next call on", async () => {
    const grant = await createGrant(adminOf(), draftOf({}));
    expect((await again())?.status).toBe("succeeded");
    await revokeGrant(adminOf(), grant.id);
    expect((await again())?.status).toBe("awaiting_approval");
    expect((await listGrants(reader(), { active: false })).items).toMatchObject([{ id: grant.id, state: "revoked", uses: 1 }]);
    await expect(revokeGrant(adminOf(), grant.id)).rejects.toMatchObject({ code: "conflict" });
  });

  test("is revoked by who gave it, or by an admin", async () => {
    const { id } = await createGrant(adminOf(), draftOf({}));
    await expect(revokeGrant(approverActor(stage), id)).rejects.toMatchObject({ code: "forbidden" });
    const elsewhere = await buildWorkspace();
    await expect(revokeGrant(decider(elsewhere.admin), id)).rejects.toMatchObject({ code: "not_found" });
    const own = await createGrant(approverActor(stage), draftOf({ scope: "conversation", scopeId: stage.conversationId }));
    await revokeGrant(approverActor(stage), own.id);
  });

  test("ends with its conversation", async () => {
    await createGrant(adminOf(), draftOf({ scope: "conversation", scopeId: stage.conversationId }));
    await removeConversation(runtimeActor(stage), stage.conversationId);
    expect((await listGrants(reader(), { active: true })).total).toBe(0);
    expect((await listGrants(reader(), {})).items).toMatchObject([{ state: "revoked" }]);
  });

  test("whose time is up counts no more", async () => {
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    await createGrant(adminOf(), draftOf({ expiresAt }));
    expect((await again())?.status).toBe("succeeded");
    await vi.waitFor(
      async () => expect((await listGrants(reader(), {})).items).toMatchObject([{ state: "expired", kind: "until" }]),
      5_000,
    );
    expect((await again())?.status).toBe("awaiting_approval");
  });

  test.each([
    ["conversation", "approver", true],
    ["user", "approver", true],
    ["agent", "approver", false],
    ["workspace", "approver", false],
    ["agent", "admin", true],
    ["workspace", "admin", true],
  ] as const)("for the scope %s is given by the %s: %s", async (scope, who, isAllowed) => {
    const ids = { conversation: stage.conversationId, agent: stage.built.agent.id, user: undefined, workspace: undefined };
    const made = createGrant(decider(stage.built[who]), draftOf({ scope, scopeId: ids[scope] }));
    await (isAllowed ? expect(made).resolves.toMatchObject({ scope }) : expect(made).rejects.toMatchObject({ code: "forbidden" }));
  });

  test.each([
    [{ kind: "until" }, "expiresAt is required when the kind is until"],
    [{ kind: "conversation_end" }, "needs the scope conversation"],
    [{ kind: "always", expiresAt: "2999-01-01T00:00:00Z" }, "expiresAt belongs to the kind until"],
    [{ expiresAt: "2001-01-01T00:00:00Z" }, "lies in the past"],
    [{ scope: "agent" }, "needs scopeId"],
    [{ match: { kind: "pattern", pattern: "a(" } }, "at character 2"],
  ])("like %j is refused with a sentence", async (draft, sentence) => {
    await expect(createGrant(adminOf(), draftOf(draft))).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(sentence),
    });
  });

  test("is never for what is critical", () => {
    const parsed = GrantDraft.safeParse({ ...draftOf({}), maxSeverity: "critical" });
    expect(parsed.error?.issues[0]?.message).toContain("never approved in advance");
  });
});
