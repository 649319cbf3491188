import { gunzipSync } from "node:zlib";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { AuditEventName, AuditFilter } from "@/contracts/audit/audit";
import { auditArchives, auditEvents } from "@/db/schema";
import { exportAuditEvents } from "@/server/audit-log/export-audit-events";
import { listAuditEvents } from "@/server/audit-log/list-audit-events";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, type BuiltWorkspace, buildWorkspace } from "@/server/testing/builders";
import { sealAll, verifiedAudit } from "@/server/testing/seal-all";
import { useTestDatabase } from "@/server/testing/test-database";
import { auditForgetting } from "../erasure/erase-payloads";
import { proveRow } from "../prove-row";
import { planRemoval } from "../retention/old-rows";
import { removeOldAudit } from "../retention/remove-old-audit";
import { updateAuditSettings } from "../retention/settings";
import { sealedLines } from "../sealed-export";
import { archiveOldAudit } from "./archive-old-audit";

useTestDatabase();

let built: BuiltWorkspace;
/** The contact who did everything. */
let writer = "";

const day = 86_400_000;
const reader = () => authorize(built.viewer, "audit:read");
const admin = () => authorize(built.admin, "audit:retain");

beforeEach(async () => {
  built = await buildWorkspace();
  writer = newId();
  for (const [daysAgo, subject] of [
    [200, "oldest"],
    [199, "older"],
    [120, "old"],
    [1, "new"],
  ] as const) {
    await write("call.succeeded", daysAgo, subject, { tool: `tool_${subject}`, data: { n: 1e21, note: `"é"\n${subject}` } });
    await sealAll(built.workspace.id);
  }
});

const write = (event: AuditEventName, daysAgo: number, subject: string, more = {}) =>
  db()
    .insert(auditEvents)
    .values({
      id: newId(),
      at: new Date(Date.now() - daysAgo * day),
      workspaceId: built.workspace.id,
      event,
      actorType: "contact",
      actorId: writer,
      actorName: "Ada",
      subject,
      ...more,
    });

async function archive() {
  await updateAuditSettings(admin(), { archiveMonths: 2 }, null);
  await archiveOldAudit();
  return db().select().from(auditArchives).where(eq(auditArchives.workspaceId, built.workspace.id)).orderBy(auditArchives.firstSeal);
}

const inTable = async () =>
  (
    await db().execute<{ subject: string }>(
      sql`select subject from audit_events where workspace_id = ${built.workspace.id} and actor_name = 'Ada' order by at`,
    )
  ).map(({ subject }) => subject);

async function listed(filter: AuditFilter = {}, limit = 50) {
  const subjects: (string | null)[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAuditEvents(reader(), { actor: "ada", ...filter, limit, ...(cursor ? { cursor } : {}) });
    subjects.push(...page.items.map(({ subject }) => subject));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return subjects;
}

const everything = ["new", "old", "older", "oldest"];

test("closed months leave the table for files that prove themselves, and an event records each", async () => {
  const archives = await archive();
  expect(await inTable()).toEqual(["new"]);
  expect(archives.map(({ rows, unusedSince }) => [rows, unusedSince])).toEqual(archives.map(() => [expect.any(Number), null]));
  expect(archives.reduce((sum, { rows }) => sum + rows, 0)).toBe(3);
  const [first] = archives;
  const { stream } = await blobs().read(first?.sha256 ?? "");
  const [line] = gunzipSync(Buffer.from(await new Response(stream).arrayBuffer()))
    .toString()
    .split("\n");
  expect(JSON.parse(line ?? "")).toMatchObject({
    format: "handrail-audit-1",
    archive: first?.id,
    rows: [{ fields: expect.stringContaining("tool_oldest") }],
  });
  const records = await listAuditEvents(reader(), { event: "audit.rows_archived" });
  expect(records.items).toHaveLength(archives.length);
  expect(await verifiedAudit(reader())).toMatchObject({ ok: true, removed: 0, erased: 0 });
});

test("lists, filters, searches and exports read archived events as before, in pages of any size", async () => {
  const before = await listAuditEvents(reader(), { actor: "ada" });
  await archive();
  expect(await listAuditEvents(reader(), { actor: "ada" })).toEqual(before);
  for (const limit of [1, 2, 3, 4]) expect(await listed({}, limit)).toEqual(everything);
  expect(await listed({ tool: "tool_older" })).toEqual(["older"]);
  expect(await listed({ event: "call" })).toEqual(everything);
  expect(await listed({ query: '"é"' })).toEqual(everything);
  expect(await listed({ to: new Date(Date.now() - 130 * day).toISOString() })).toEqual(["older", "oldest"]);
  expect(await listed({ tool: "tool_other" })).toEqual([]);
  const text = await new Response(await exportAuditEvents(reader(), { actor: "Ada" }, "ndjson")).text();
  expect(
    text
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { subject: string }).subject),
  ).toEqual(everything);
});

test("an archived event has its proof, and the sealed export has it", async () => {
  const { items } = await listAuditEvents(reader(), { tool: "tool_oldest" });
  const id = items[0]?.id ?? "";
  const before = await proveRow(reader(), id);
  await archive();
  expect(await proveRow(reader(), id)).toEqual(before);
  let lines = "";
  for await (const line of sealedLines(reader())) lines += line;
  expect(lines).toContain("tool_oldest");
});

test("the retention counts and removes archived events, and what stays is archived again", async () => {
  await archive();
  expect(await planRemoval(reader(), { callDays: 150 })).toMatchObject({ calls: 2, held: 0 });
  await updateAuditSettings(admin(), { callDays: 150 }, null);
  await removeOldAudit();
  expect(await listed()).toEqual(["new", "old"]);
  await archiveOldAudit();
  expect(await inTable()).toEqual(["new"]);
  expect(await verifiedAudit(reader())).toMatchObject({ ok: true, removed: 2 });
});

test("an erasure finds archived events, erases their contents and removes the files that held them", async () => {
  const archives = await archive();
  const erasure = {
    ...{ workspaceId: built.workspace.id, kind: "contact" as const, id: writer, erasureId: newId() },
    ...{ by: { type: "user" as const, id: built.viewer.id, name: "Vera" } },
    ...{ conversations: sql`select null::uuid where false`, rows: sql`select null::text where false` },
  };
  const written = { "audit events": 4 };
  expect(await auditForgetting.count(erasure)).toMatchObject(written);
  const read: object[] = [];
  for await (const { row } of auditForgetting.read(erasure)) read.push(row);
  expect(read).toHaveLength(4);
  let erased = 0;
  for (let part = 1; part > 0; erased += part) {
    part = (await db().transaction((tx) => auditForgetting.forget(tx, erasure)))["audit events"] ?? 0;
  }
  expect(erased).toBe(4);
  for (const { sha256 } of archives) await expect(blobs().read(sha256)).rejects.toMatchObject({ code: "not_found" });
  await archiveOldAudit();
  expect(await inTable()).toEqual([]);
  const { items } = await listAuditEvents(reader(), { actor: "Erased" });
  expect(items.map(({ subject, tool }) => [subject, tool])).toEqual(everything.map((name) => [null, `tool_${name}`]));
  expect(await verifiedAudit(reader())).toMatchObject({ ok: true, erased: 4 });
});

test("a workspace that did not ask for it keeps its events in the table", async () => {
  await archiveOldAudit();
  expect(await inTable()).toHaveLength(4);
  expect(await db().$count(auditArchives, eq(auditArchives.workspaceId, built.workspace.id))).toBe(0);
});

test("a missing file is named by lists and by the verification", async () => {
  const [first] = await archive();
  await blobs().remove(first?.sha256 ?? "");
  await expect(listed()).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("is missing") });
  expect(await verifiedAudit(reader())).toMatchObject({ ok: false, brokenAt: { kind: "archive", seal: 1 } });
});

test("a row that was put beside its archived self is named", async () => {
  const copy = await db().execute<{ id: string; xid: string }>(
    sql`select id, xid::text as xid from audit_events where workspace_id = ${built.workspace.id} and tool = 'tool_older'`,
  );
  await archive();
  await db().execute(sql`insert into audit_events (id, at, workspace_id, event, actor_type, actor_id, actor_name, xid)
    values (${copy[0]?.id}, now(), ${built.workspace.id}, 'call.denied', 'user', 'x', 'x', ${copy[0]?.xid}::int8)`);
  expect(await verifiedAudit(reader())).toMatchObject({ ok: false, brokenAt: { id: copy[0]?.id } });
});

test("a file whose writing was broken off is removed, and its rows stay in the table", async () => {
  const { sha256 } = await blobs().put(Buffer.from("half"));
  await db()
    .insert(auditArchives)
    .values({
      ...{ workspaceId: built.workspace.id, firstSeal: 1, lastSeal: 1, rows: 1, bytes: 4, sha256, unusedSince: new Date() },
      ...{ minAt: new Date(0), maxAt: new Date(), kinds: { calls: 1, configuration: 0, signIns: 0 }, names: [] },
    });
  expect(await listed()).toEqual(everything);
  await archiveOldAudit();
  await expect(blobs().read(sha256)).rejects.toMatchObject({ code: "not_found" });
  expect(await db().$count(auditArchives, eq(auditArchives.workspaceId, built.workspace.id))).toBe(0);
});
