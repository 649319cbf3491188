import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { AuditEventName } from "@/contracts/audit/audit";
import { AuditHoldDraft } from "@/contracts/audit/audit-retention";
import { auditEvents } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, type BuiltWorkspace, buildWorkspace } from "@/server/testing/builders";
import { sealAll } from "@/server/testing/seal-all";
import { useTestDatabase } from "@/server/testing/test-database";
import { verifyAudit } from "../verify-audit";
import { auditHolds } from "./holds";
import { planRemoval } from "./old-rows";
import { removeOldAudit } from "./remove-old-audit";
import { updateAuditSettings } from "./settings";

useTestDatabase();

let built: BuiltWorkspace;

beforeEach(async () => {
  built = await buildWorkspace();
  await write("call.succeeded", 100, "old call");
  await write("tool.updated", 100, "old change");
  await write("user.signed_in", 100, "old sign-in");
  await write("call.succeeded", 1, "new call");
  await sealAll(built.workspace.id);
});

const write = (event: AuditEventName, daysAgo: number, subject: string, more = {}) =>
  db()
    .insert(auditEvents)
    .values({
      id: newId(),
      at: new Date(Date.now() - daysAgo * 86_400_000),
      workspaceId: built.workspace.id,
      event,
      actorType: "user",
      actorId: built.admin.id,
      actorName: "Ada",
      subject,
      ...more,
    });

const admin = () => authorize(built.admin, "audit:retain");
const reader = () => authorize(built.viewer, "audit:read");
const hold = (draft: object) => auditHolds.create({ actor: admin(), body: AuditHoldDraft.parse({ name: "Case", ...draft }) });

async function subjects() {
  const rows = await db().execute<{ subject: string }>(
    sql`select subject from audit_events where workspace_id = ${built.workspace.id} and actor_name = 'Ada' order by xid, id`,
  );
  return rows.map(({ subject }) => subject);
}

async function verify() {
  await sealAll(built.workspace.id);
  let last = null;
  for await (const line of verifyAudit(reader(), {})) last = line;
  return last;
}

test("rows of a kind go after its days, what went is a row of its own, and the rest verifies", async () => {
  await updateAuditSettings(admin(), { callDays: 30, signInDays: 30 }, null);
  await removeOldAudit();
  expect(await subjects()).toEqual(["old change", "new call"]);
  const [record] = await db().execute<{ data: object }>(
    sql`select data from audit_events where workspace_id = ${built.workspace.id} and event = 'audit.rows_removed'`,
  );
  expect(record?.data).toEqual({ rows: 2, root: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await verify()).toMatchObject({ ok: true, removed: 2 });
});

test("a dry run says how many rows go, and removes none", async () => {
  expect(await planRemoval(reader(), {})).toEqual({ calls: 0, configuration: 0, signIns: 0, held: 0, oldest: null });
  expect(await planRemoval(reader(), { callDays: 30, configurationDays: 30 })).toMatchObject({
    calls: 1,
    configuration: 1,
    signIns: 0,
    held: 0,
  });
  await removeOldAudit();
  expect(await subjects()).toHaveLength(4);
});

test.each([
  ["a person", () => hold({ kind: "person", subject: built.admin.id })],
  ["a period", () => hold({ kind: "period", from: "2000-01-01T00:00:00Z" })],
])("a hold on %s keeps the rows until it ends", async (_, holding) => {
  await updateAuditSettings(admin(), { callDays: 30 }, null);
  const { id } = await holding();
  expect(await planRemoval(reader(), {})).toMatchObject({ calls: 0, held: 1 });
  await removeOldAudit();
  expect(await subjects()).toContain("old call");
  await auditHolds.remove({ actor: admin(), params: { id }, version: null });
  await removeOldAudit();
  expect(await subjects()).not.toContain("old call");
  expect(await verify()).toMatchObject({ ok: true, removed: 1 });
});

test("a hold on an agent keeps its calls and no others", async () => {
  await write("call.succeeded", 99, "call of the deployer", { agent: "Deployer" });
  await sealAll(built.workspace.id);
  await updateAuditSettings(admin(), { callDays: 30 }, null);
  await hold({ kind: "agent", subject: "deployer" });
  await removeOldAudit();
  expect(await subjects()).toEqual(["old change", "old sign-in", "new call", "call of the deployer"]);
});

test("rows that somebody else removed are named, although the seals say that the retention took them", async () => {
  await updateAuditSettings(admin(), { callDays: 30 }, null);
  await removeOldAudit();
  await db().transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = 'replica'`);
    await tx.execute(sql`delete from audit_events where workspace_id = ${built.workspace.id} and subject = 'old change'`);
    await tx.execute(sql`update audit_seals s set leaves = overlay(s.leaves placing
        '\\x01'::bytea from 66 for 1) where s.workspace_id = ${built.workspace.id} and s.number = 1`);
  });
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "record" } });
});

test("a hold that names nobody, a period without a limit and one that ends before it begins are refused", async () => {
  const turned = { from: "2026-12-01T00:00:00.5Z", to: "2026-12-01T00:00:00Z" };
  for (const draft of [{ kind: "person" }, { kind: "agent" }, { kind: "period" }, { kind: "period", ...turned }]) {
    await expect(hold(draft)).rejects.toMatchObject({ code: "invalid" });
  }
});
