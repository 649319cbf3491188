import { eq, sql } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { guardEndpoints } from "@/contracts/guard/guard";
import { auditBacklog, auditEvents, conversations, toolCalls } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { settleAuditBacklog } from "@/server/audit/audit-backlog";
import { problemResponse } from "@/server/http/steps/problem";
import { db } from "@/server/platform/database/database";
import { createRule } from "@/server/policy/rules/create-rule";
import { readiness } from "@/server/replicas/readiness";
import { authorize } from "@/server/testing/builders";
import { approverActor, listAuditEvents, loadOnlyTurn, onlyApproval, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { readTurn } from "@/server/turns/read/load-turn";

const stage = useStage();

/** Makes the audit refuse all rows, or only rows of the named events, as a full or broken table does. */
async function breakAudit(events: readonly string[] = []): Promise<void> {
  const named = events.length > 0 ? `if new.event not in (${events.map((event) => `'${event}'`).join(", ")}) then return new; end if;` : "";
  await db().execute(
    sql.raw(
      `create or replace function refuse_audit() returns trigger language plpgsql as $$ begin ${named} raise exception 'no audit today'; end $$`,
    ),
  );
  await db().execute(sql`create trigger refuse_audit before insert on audit_events for each row execute function refuse_audit()`);
}

const mendAudit = () => db().execute(sql`drop trigger if exists refuse_audit on audit_events`);
afterEach(async () => void (await mendAudit()));

const allowWrites = () =>
  createRule(
    authorize(stage.built.admin, "guard:write"),
    guardEndpoints.createRule.body.parse({ name: "Writing", tool: "change", verdict: "allow", reason: "A test" }),
  );

test("a call that changes the world has its intent in the audit before it starts, and its outcome after", async () => {
  await allowWrites();
  const turn = await submitCalls(stage, [["change", { text: "a" }], ["look"]]);
  expect(await listAuditEvents(turn.id)).toEqual(["call.started", "call.succeeded", "call.succeeded"]);
  const [intent] = await db().select().from(auditEvents).where(eq(auditEvents.turnId, turn.id)).orderBy(auditEvents.id);
  expect(intent).toMatchObject({
    tool: "change",
    agent: "default",
    source: "mcp:probe",
    verdict: "allow",
    conversationId: stage.conversationId,
    data: { arguments: { text: "a" } },
  });
});

test("where the audit cannot be written no call with a side effect starts, and the caller is told to come again", async () => {
  await allowWrites();
  await breakAudit();
  const refused = await submitCalls(stage, [["change", { text: "never" }]]).catch((error) => problemResponse(error, "r"));
  if (!(refused instanceof Response)) throw new Error("the turn was not refused");
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toMatchObject({ code: "unavailable", detail: expect.stringContaining("a trigger refused the write") });
  expect(stage.log).toEqual([]);
  expect(await readiness()).toMatchObject({
    status: "unavailable",
    checks: { database: "ok", audit: "cannot be written: a trigger refused the write" },
  });
  await mendAudit();
  await submitCalls(stage, [["change", { text: "once" }]]);
  expect(stage.log).toEqual(["change once"]);
});

test("a call that ran keeps its known outcome when the audit fails afterwards, and its audit row follows", async () => {
  await allowWrites();
  await breakAudit(["call.succeeded"]);
  const turn = await submitCalls(stage, [["change", { text: "once" }]]);
  expect(turn).toMatchObject({ status: "completed", calls: [{ status: "succeeded", content: "changed once" }] });
  expect(await readTurn(turn.id)).toMatchObject({ status: "completed", calls: [{ status: "succeeded" }] });
  expect(await listAuditEvents(turn.id)).toEqual(["call.started"]);
  expect(await db().select().from(auditBacklog)).toHaveLength(1);
  await expect(settleAuditBacklog()).rejects.toThrow();
  await mendAudit();
  await settleAuditBacklog();
  expect(await listAuditEvents(turn.id)).toEqual(["call.started", "call.succeeded"]);
  expect(await db().select().from(auditBacklog)).toEqual([]);
});

test("the first of two calls keeps its outcome, and the second waits until its intent can be written", async () => {
  await allowWrites();
  await breakAudit();
  await mendAudit();
  // The intent of the second is the second audit row with this event.
  await db().execute(
    sql.raw(`create or replace function refuse_audit() returns trigger language plpgsql as $$ begin
      if new.event = 'call.succeeded' or exists (select 1 from audit_events where turn_id = new.turn_id) then raise exception 'no audit today'; end if;
      return new; end $$`),
  );
  await db().execute(sql`create trigger refuse_audit before insert on audit_events for each row execute function refuse_audit()`);
  const submitted = submitCalls(stage, [
    ["change", { text: "first" }],
    ["change", { text: "second" }],
  ]);
  const { id } = await loadOnlyTurn(stage);
  const rows = () => db().select({ status: toolCalls.status }).from(toolCalls).where(eq(toolCalls.turnId, id)).orderBy(toolCalls.position);
  await vi.waitFor(async () => expect((await rows()).map(({ status }) => status)).toEqual(["succeeded", "pending"]));
  expect(stage.log).toEqual(["change first"]);
  await mendAudit();
  const turn = await submitted;
  expect(statuses(turn)).toEqual(["succeeded", "succeeded"]);
  expect(stage.log).toEqual(["change first", "change second"]);
  await settleAuditBacklog();
  expect((await listAuditEvents(id)).toSorted()).toEqual(["call.started", "call.started", "call.succeeded", "call.succeeded"]);
});

test("a decision is refused where the audit cannot take it, and the question stays open", async () => {
  const turn = await submitCalls(stage, [["change", { text: "asked" }]]);
  await breakAudit();
  const { id } = await onlyApproval(turn.id);
  await expect(decideApproval(approverActor(stage), id, { decision: "approve", comment: "" })).rejects.toThrow();
  await mendAudit();
  expect(await onlyApproval(turn.id)).toMatchObject({ status: "pending" });
  expect(await db().select().from(conversations).where(eq(conversations.id, stage.conversationId))).toHaveLength(1);
});
