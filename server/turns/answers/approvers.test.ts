import { eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { TurnDraft } from "@/contracts/turns/turns";
import { apiKeys, approvals, approvalVotes, auditEvents, mcpServers, tools } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { getApproval } from "@/server/approvals/get-approval";
import { listInbox } from "@/server/approvals/list-inbox";
import { settleApproval } from "@/server/approvals/settle-approval";
import { type Actor, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { createRule } from "@/server/policy/rules/create-rule";
import { updateConfig } from "@/server/policy/rules/guard-config";
import { authorize, buildApiKey, buildConversation, buildUser, buildWorkspace } from "@/server/testing/builders";
import { skipToDue } from "@/server/testing/skip-to-due";
import { approverActor, listAuditEvents, neverAborted, onlyApproval, submitCalls, useStage } from "@/server/testing/stage";
import { waitForTurn } from "../read/wait-for-turn";
import { submitTurn } from "../submit-turn";

const stage = useStage();
type Approvers = NonNullable<GuardRuleDraft["approvers"]>;

const admin = () => authorize(stage.built.admin, "guard:write");
const asks = (approvers: Partial<Approvers>) =>
  createRule(admin(), GuardRuleDraft.parse({ name: "Two eyes", tool: "change", verdict: "require_approval", approvers }));
const decide = (actor: Actor, id: string, decision: "approve" | "reject" = "approve") =>
  decideApproval(authorize(actor, "approvals:decide"), id, { decision, comment: "" });
const asked = async () => {
  const turn = await submitCalls(stage, [["change", { text: "it" }]]);
  return { turn, approval: await onlyApproval(turn.id) };
};

describe("a quorum", () => {
  test("counts racing votes right: so many different people, each once, and the call runs once", async () => {
    await asks({ quorum: 5 });
    const { turn, approval } = await asked();
    const voters = await Promise.all(Array.from({ length: 12 }, () => buildUser(stage.built.workspace.id, "approver")));
    const waiting = waitForTurn(turn.id, 20, neverAborted);
    const votes = await Promise.allSettled([...voters, ...voters].map((voter) => decide(voter, approval.id)));
    expect(votes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    const given = await db().select().from(approvalVotes).where(eq(approvalVotes.approvalId, approval.id));
    expect(new Set(given.map(({ actor }) => actor.id)).size).toBe(5);
    expect(given).toHaveLength(5);
    expect((await waiting).status).toBe("completed");
    expect(stage.log).toEqual(["change it"]);
    // Concurrent votes share a commit, whose rows have no order.
    expect((await listAuditEvents(turn.id)).filter((event) => event.startsWith("approval.")).sort()).toEqual([
      "approval.approved",
      "approval.requested",
      ...Array(4).fill("approval.voted"),
    ]);
  });

  test("below it a vote stays a vote, nobody votes twice, and one rejection ends it", async () => {
    await asks({ quorum: 2 });
    const { turn, approval } = await asked();
    const first = await decide(stage.built.approver, approval.id);
    expect(first).toMatchObject({ status: "pending", decidedBy: null, quorum: { needed: 2, got: 1 }, votes: [{ decision: "approve" }] });
    expect(first.mayDecide).toMatchObject({ isAllowed: false, reason: expect.stringContaining("voted already") });
    await expect(decide(stage.built.approver, approval.id)).rejects.toMatchObject({
      code: "already_decided",
      message: expect.stringContaining("voted"),
    });
    expect((await listInbox(authorize(stage.built.approver, "approvals:read"), { mine: true })).total).toBe(0);
    expect((await listInbox(authorize(stage.built.admin, "approvals:read"), { mine: true })).total).toBe(1);
    expect(stage.log).toEqual([]);
    const waiting = waitForTurn(turn.id, 20, neverAborted);
    expect(await decide(stage.built.admin, approval.id, "reject")).toMatchObject({ status: "rejected" });
    expect((await waiting).calls[0]?.status).toBe("rejected");
  });
});

/** A key of the person, for a program that relays decisions. */
const decidingKeyOf = (person: Actor) => buildApiKey(stage.built.workspace.id, { scopes: ["approvals:decide"], createdBy: person });

describe("a person with an API key", () => {
  test("has one vote, as a user and with each key", async () => {
    await asks({ quorum: 2 });
    const { approver } = stage.built;
    for (const [first, second] of [
      [approver, await decidingKeyOf(approver)],
      [await decidingKeyOf(approver), approver],
      [await decidingKeyOf(approver), await decidingKeyOf(approver)],
    ] as const) {
      const { approval } = await asked();
      expect(await decide(first, approval.id)).toMatchObject({ status: "pending", quorum: { needed: 2, got: 1 } });
      await expect(decide(second, approval.id)).rejects.toMatchObject({
        code: "already_decided",
        message: expect.stringContaining("Another person has to vote too"),
      });
      const seen = await getApproval(authorize(second, "approvals:read"), approval.id);
      expect(seen.mayDecide).toMatchObject({ isAllowed: false, reason: expect.stringContaining("voted already") });
      expect((await listInbox(authorize(second, "approvals:read"), { mine: true })).items.map(({ id }) => id)).not.toContain(approval.id);
      expect(await decide(await decidingKeyOf(stage.built.admin), approval.id)).toMatchObject({ status: "approved", quorum: { got: 2 } });
    }
  });

  test("decides no call of their own through the key where the requester may not decide", async () => {
    const { admin: person, agent, approver } = stage.built;
    await updateConfig(admin(), { requesterMayDecide: "never" }, null);
    const { id: conversationId } = await buildConversation(person, { agentId: agent.id });
    const draft = TurnDraft.parse({ calls: [{ id: "c", name: "change", arguments: {} }], wait: 5 });
    const turn = await submitTurn(authorize(person, "turns:write"), { conversationId, draft, idempotencyKey: null, signal: neverAborted });
    const { id } = await onlyApproval(turn.id);
    const key = await decidingKeyOf(person);
    await expect(decide(key, id)).rejects.toMatchObject({ code: "forbidden", message: expect.stringContaining("created this API key") });
    expect((await listInbox(authorize(key, "approvals:read"), { mine: true })).total).toBe(0);
    expect(await decide(await decidingKeyOf(approver), id)).toMatchObject({ status: "approved" });
  });
});

test("a vote that counts is answered as a vote, also when the database refuses another vote of the same moment", async () => {
  await asks({ quorum: 3 });
  const { approval } = await asked();
  const { approver, admin: refused } = stage.built;
  await db().execute(
    sql.raw(`create function refuse_vote() returns trigger language plpgsql as $$ begin
      if new.actor ->> 'id' = '${refused.id}' then raise exception 'refused'; end if; return new; end $$;
      create trigger refuse_vote before insert on approval_votes for each row execute function refuse_vote()`),
  );
  const vote = (voter: Actor) =>
    settleApproval(approval, { status: "approved", actor: toActorRef(voter), voterId: voter.personId, comment: "" });
  const votes = await Promise.allSettled([vote(approver), vote(refused)]);
  await db().execute(sql`drop function refuse_vote cascade`);
  expect(votes).toMatchObject([{ status: "fulfilled", value: { status: "pending", approvedBy: [approver.id] } }, { status: "rejected" }]);
  expect((await onlyApproval(approval.turnId)).approvedBy).toEqual([approver.id]);
});

test("audit rows of an approval name agent, source and conversation, as those of its call do", async () => {
  await asks({ quorum: 2 });
  const { turn, approval } = await asked();
  const waiting = waitForTurn(turn.id, 20, neverAborted);
  await decide(stage.built.approver, approval.id);
  await decide(stage.built.admin, approval.id);
  await waiting;
  const rows = await db().select().from(auditEvents).where(eq(auditEvents.callId, approval.callId)).orderBy(auditEvents.id);
  const known = rows.map(({ event, agent, source, conversationId }) => ({ event, agent, source, conversationId }));
  const named = { agent: "default", source: "mcp:probe", conversationId: stage.conversationId };
  expect(known).toEqual(
    ["approval.requested", "approval.voted", "approval.approved", "call.started", "call.succeeded"].map((event) => ({ event, ...named })),
  );
});

describe("who may decide", () => {
  test("are the roles and people of the rule; others are told whom it wants", async () => {
    const named = await buildUser(stage.built.workspace.id, "approver");
    await asks({ roles: ["admin"], users: [named.id] });
    const { approval } = await asked();
    await expect(decide(stage.built.approver, approval.id)).rejects.toMatchObject({
      code: "forbidden",
      message: "The rule that asks wants an admin or The approver to decide.",
    });
    const seen = await getApproval(authorize(stage.built.approver, "approvals:read"), approval.id);
    expect(seen).toMatchObject({ eligible: { roles: ["admin"], users: [{ id: named.id }] }, mayDecide: { isAllowed: false } });
    const mine = async (actor: Actor) => (await listInbox(authorize(actor, "approvals:read"), { mine: true })).total;
    expect([await mine(stage.built.approver), await mine(stage.built.admin), await mine(named)]).toEqual([0, 1, 1]);
    expect(await decide(named, approval.id)).toMatchObject({ status: "approved" });
  });

  test("a rule names members only", async () => {
    const stranger = (await buildWorkspace()).admin;
    await expect(asks({ users: [stranger.id] })).rejects.toMatchObject({
      code: "invalid",
      details: { errors: [{ path: "approvers.users" }] },
    });
  });

  test("a person who asked decides it only as the configuration says", async () => {
    const { admin: person, agent } = stage.built;
    const { id: conversationId } = await buildConversation(person, { agentId: agent.id });
    const ask = async () => {
      const draft = TurnDraft.parse({ calls: [{ id: "c", name: "change", arguments: {} }], wait: 5 });
      const turn = await submitTurn(authorize(person, "turns:write"), {
        conversationId,
        draft,
        idempotencyKey: null,
        signal: neverAborted,
      });
      return onlyApproval(turn.id);
    };
    const own = await ask();
    expect(await decide(person, own.id)).toMatchObject({ status: "approved", eligible: { requesterExcluded: false } });
    await updateConfig(admin(), { requesterMayDecide: "never" }, null);
    const other = await ask();
    await expect(decide(person, other.id)).rejects.toMatchObject({ code: "forbidden", message: expect.stringContaining("another person") });
    expect(await decide(stage.built.approver, other.id)).toMatchObject({ status: "approved", eligible: { requesterExcluded: true } });
  });
});

describe("an escalation", () => {
  test("lets more people decide from its time on, and is told once", async () => {
    await asks({ roles: ["owner"], escalation: { afterSeconds: 600, roles: ["approver"], users: [] } });
    const { turn, approval } = await asked();
    await expect(decide(stage.built.approver, approval.id)).rejects.toMatchObject({ code: "forbidden" });
    await db().update(approvals).set({ escalatesAt: sql`now()` }).where(eq(approvals.id, approval.id));
    await skipToDue("escalate_approval");
    await vi.waitFor(async () => expect((await onlyApproval(turn.id)).escalatedAt).not.toBeNull());
    const events = await db().select().from(auditEvents).where(eq(auditEvents.subject, approval.id));
    expect(events.filter(({ event }) => event === "approval.escalated")).toMatchObject([
      { agent: "default", source: "mcp:probe", data: { to: { roles: ["approver"] } } },
    ]);
    expect((await listInbox(authorize(stage.built.approver, "approvals:read"), { mine: true })).total).toBe(1);
    expect(await decide(stage.built.approver, approval.id)).toMatchObject({ status: "approved", escalation: { isDue: true } });
  });
});

describe("an approval of what cannot run any more", () => {
  const refused = async (change: () => Promise<unknown>, why: string) => {
    const { turn, approval } = await asked();
    await change();
    await expect(decide(stage.built.approver, approval.id)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(why),
    });
    expect((await onlyApproval(turn.id)).status).toBe("pending");
    expect(await decideApproval(approverActor(stage), approval.id, { decision: "reject", comment: "" })).toMatchObject({
      status: "rejected",
    });
  };

  test("is refused with the reason: the tool is disabled", () =>
    refused(() => db().update(tools).set({ enabled: false }).where(eq(tools.name, "change")), "The tool change is disabled."));
  test("is refused with the reason: its server is disabled", () =>
    refused(
      () => db().update(mcpServers).set({ enabled: false }).where(eq(mcpServers.id, stage.serverId)),
      "The MCP server probe is disabled.",
    ));
  test("is refused with the reason: its server is gone", () =>
    refused(() => db().delete(mcpServers).where(eq(mcpServers.id, stage.serverId)), "The tool change does not exist any more."));
  test("is rejected by an answer of the same moment as the refused approval", async () => {
    const { turn, approval } = await asked();
    await db().update(tools).set({ enabled: false }).where(eq(tools.name, "change"));
    const [approved, rejected] = await Promise.allSettled([
      decide(stage.built.approver, approval.id),
      decide(stage.built.admin, approval.id, "reject"),
    ]);
    expect(approved.status).toBe("rejected");
    expect(rejected.status).toBe("fulfilled");
    expect((await onlyApproval(turn.id)).status).toBe("rejected");
  });
  test("is refused with the reason: the key that asked was revoked", () =>
    refused(
      () => db().update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, stage.built.agentKey.id)),
      'The API key "Agent key" that asked for the call was revoked.',
    ));
});
