import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { record } from "@/server/audit/record";
import { db } from "@/server/platform/database/database";
import { authorize, type BuiltWorkspace, buildWorkspace } from "@/server/testing/builders";
import { sealAll } from "@/server/testing/seal-all";
import { useTestDatabase } from "@/server/testing/test-database";
import { makeDueCheckpoints } from "./checkpoints";
import { digestSeals } from "./digest-seals";
import { verifyAudit } from "./verify-audit";

useTestDatabase();

let built: BuiltWorkspace;
/** Ids of the rows, in the order of the audit. */
let ids: string[] = [];

beforeEach(async () => {
  built = await buildWorkspace();
  await write("first", "second", "third");
  await sealAll(built.workspace.id);
  await write("fourth", "fifth");
  await sealAll(built.workspace.id);
  const rows = await db().execute<{ id: string }>(
    sql`select id from audit_events where workspace_id = ${built.workspace.id} order by xid, id`,
  );
  ids = rows.map(({ id }) => id);
});

const write = (...subjects: string[]) =>
  record(
    db(),
    ...subjects.map((subject) => ({
      workspaceId: built.workspace.id,
      event: "tool.updated" as const,
      actor: built.admin,
      subject,
      data: { note: `"é"\n${subject}`, n: 1e21 },
    })),
  );

async function verify(range = {}) {
  let last = null;
  for await (const line of verifyAudit(authorize(built.viewer, "audit:read"), range)) last = line;
  if (!last?.done) throw new Error("the verification ended without a result");
  return last;
}

/** Changes rows as the owner of the database can: with the triggers off. */
const tamper = (statement: ReturnType<typeof sql>) =>
  db().transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = 'replica'`);
    await tx.execute(statement);
  });

test("an audit that nobody touched verifies, and the result counts its rows", async () => {
  await write("waits");
  expect(await verify()).toMatchObject({ ok: true, seals: 2, totalSeals: 2, rows: 5, removed: 0, erased: 0, unsealed: 1, brokenAt: null });
});

test("the database digests the seals whose rows stand, and only rows of the others are read one by one", async () => {
  const fitting = async () => [...(await digestSeals(built.workspace.id, 1, 2)).keys()];
  expect(await fitting()).toEqual([1, 2]);
  await tamper(sql`update audit_events set data = '{"note": "nothing"}' where id = ${ids[1]}`);
  expect(await fitting()).toEqual([2]);
});

test("a row that was changed is named", async () => {
  await tamper(sql`update audit_events set data = '{"note": "nothing"}' where id = ${ids[1]}`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "changed", id: ids[1], seal: 1, place: 2 } });
});

test("a row whose time was changed is named", async () => {
  await tamper(sql`update audit_events set at = at - interval '1 day' where id = ${ids[3]}`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "changed", id: ids[3], seal: 2 } });
});

test("a row that was removed is named", async () => {
  await tamper(sql`delete from audit_events where id = ${ids[2]}`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "removed", id: ids[2], seal: 1, place: 3 } });
});

const insertCopy = (columns: string, values: string) =>
  sql`insert into audit_events (id, workspace_id, event, actor_type, actor_id, actor_name${sql.raw(columns)})
    select gen_random_uuid(), workspace_id, event, actor_type, actor_id, actor_name${sql.raw(values)} from audit_events where id = ${ids[1]}`;

test("a row that was inserted among sealed ones is named", async () => {
  await tamper(insertCopy(", at, xid", ", at, xid"));
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "inserted", seal: 2, place: null } });
});

test("a row that was inserted with an earlier time is named once it is sealed", async () => {
  await tamper(insertCopy(", at", ", at - interval '1 hour'"));
  await sealAll(built.workspace.id);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "inserted", seal: 3, place: 6 } });
});

test("two rows whose contents were exchanged are named", async () => {
  const columns = "data, subject";
  await tamper(sql`update audit_events e set (${sql.raw(columns)}) = (select ${sql.raw(columns)} from audit_events o where o.id <> e.id and o.id in (${ids[0]}, ${ids[1]}))
    where e.id in (${ids[0]}, ${ids[1]})`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "reordered", id: ids[0], seal: 1, place: 1 } });
});

test("two rows that exchanged their places are named", async () => {
  await tamper(sql`update audit_events e set xid = (select xid from audit_events o where o.id <> e.id and o.id in (${ids[0]}, ${ids[4]}))
    where e.id in (${ids[0]}, ${ids[4]})`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "reordered", id: ids[0], seal: 1, place: 1 } });
});

test("a truncated audit names its first row", async () => {
  await tamper(sql`delete from audit_events where workspace_id = ${built.workspace.id}`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "removed", id: ids[0], place: 1 } });
});

test("digests of a seal that cannot be read, and data that is none, are named", async () => {
  await tamper(sql`update audit_events set data = 'null' where id = ${ids[4]}`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "changed", id: ids[4], seal: 2 } });
  await tamper(sql`update audit_seals set leaves = '\\x00' where workspace_id = ${built.workspace.id} and number = 1`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "seal", seal: 1 } });
});

test("a record of an erasure that erased nothing is named", async () => {
  const data = { rows: 500, root: "00" };
  await record(db(), { workspaceId: built.workspace.id, event: "audit.payloads_erased", actor: built.admin, subject: "nobody", data });
  await sealAll(built.workspace.id);
  expect(await verify()).toMatchObject({
    ok: false,
    brokenAt: { kind: "record", sentence: expect.stringContaining("records that 500 rows went, and none is marked as gone with it") },
  });
});

test("a row that was changed with its seal breaks the chain or the signature", async () => {
  await tamper(sql`update audit_seals set root = repeat('0', 64) where workspace_id = ${built.workspace.id} and number = 2`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "seal", seal: 2 } });
});

test("a chain that somebody made anew without the key has no signature that fits", async () => {
  await tamper(sql`update audit_seals set signature = (select signature from audit_seals o where o.workspace_id = ${built.workspace.id} and o.number = 1)
    where workspace_id = ${built.workspace.id} and number = 2`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "signature", seal: 2 } });
});

test("an end that was cut off with its seal is named by the checkpoint of the day", async () => {
  await makeDueCheckpoints();
  await tamper(sql`delete from audit_seals where workspace_id = ${built.workspace.id} and number = 2`);
  await tamper(sql`delete from audit_events where id in (${ids[3]}, ${ids[4]})`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "checkpoint", seal: 2 } });
});

test("an audit without its seals is not taken for one that has none yet", async () => {
  await tamper(sql`update audit_events set at = at - interval '1 hour' where workspace_id = ${built.workspace.id}`);
  await tamper(sql`delete from audit_seals where workspace_id = ${built.workspace.id}`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: { kind: "seal", id: ids[0] } });
});

test("a part of the audit is checked alone", async () => {
  const [row] = await db().execute<{ at: string }>(sql`select max(at)::text as at from audit_events where id = ${ids[2]}`);
  await tamper(sql`delete from audit_events where id = ${ids[0]}`);
  const from = new Date(Date.parse(`${row?.at}`) + 1).toISOString();
  expect(await verify({ from })).toMatchObject({ ok: true, seals: 1, rows: 2, unsealed: null });
});
