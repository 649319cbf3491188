import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { ensureAuditOrder } from "@/server/audit/ensure-order";
import { record } from "@/server/audit/record";
import { db } from "@/server/platform/database/database";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { sealAll } from "@/server/testing/seal-all";
import { useTestDatabase } from "@/server/testing/test-database";
import { sealAudit } from "./seal-audit";
import { verifyAudit } from "./verify-audit";

useTestDatabase();

async function stage() {
  const { workspace, admin, viewer } = await buildWorkspace();
  const write = (tx: Parameters<typeof record>[0], ...subjects: string[]) =>
    record(tx, ...subjects.map((subject) => ({ workspaceId: workspace.id, event: "tool.updated" as const, actor: admin, subject })));
  const result = async () => {
    let last = null;
    for await (const line of verifyAudit(authorize(viewer, "audit:read"), {})) last = line;
    return last;
  };
  const seals = () =>
    db().execute<{ rows: number; first: number }>(
      sql`select rows, first_place::int as first from audit_seals where workspace_id = ${workspace.id} order by number`,
    );
  return { workspace, write, result, seals };
}

test("a transaction that commits late is sealed, after rows that waited for it", async () => {
  const { workspace, write, result, seals } = await stage();
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const { promise: hasWritten, resolve: written } = Promise.withResolvers<void>();
  const late = db().transaction(async (tx) => {
    await write(tx, "late");
    written();
    await mayCommit;
  });
  await hasWritten;
  await write(db(), "early");
  await sealAudit();
  expect([...(await seals())]).toEqual([]);
  commit();
  await late;
  await sealAll(workspace.id);
  // Transactions of other databases of the server may part the two.
  expect([...(await seals())].reduce((sum, { rows }) => sum + rows, 0)).toBe(2);
  expect(await result()).toMatchObject({ ok: true, rows: 2, unsealed: 0 });
});

test("a transaction that is rolled back leaves no gap in the places", async () => {
  const { workspace, write, result, seals } = await stage();
  await write(db(), "before");
  await sealAll(workspace.id);
  await db()
    .transaction(async (tx) => {
      await write(tx, "gone");
      throw new Error("rolled back");
    })
    .catch(() => {});
  await write(db(), "after");
  await sealAll(workspace.id);
  expect([...(await seals())]).toEqual([
    { rows: 1, first: 1 },
    { rows: 1, first: 2 },
  ]);
  expect(await result()).toMatchObject({ ok: true, rows: 2 });
});

test("sealers at the same time seal each row once, a thousand rows to a seal", async () => {
  const { workspace, write, result, seals } = await stage();
  await write(db(), ...Array.from({ length: 1_500 }, (_, number) => `row ${number}`));
  await Promise.all([sealAll(workspace.id), sealAll(workspace.id), sealAll(workspace.id)]);
  expect([...(await seals())]).toEqual([
    { rows: 1_000, first: 1 },
    { rows: 500, first: 1_001 },
  ]);
  expect(await result()).toMatchObject({ ok: true, rows: 1_500 });
});

test("the audit of a database that came from another cluster goes on after its last row", async () => {
  const { workspace, write, result } = await stage();
  await db().execute(sql`insert into audit_events (id, workspace_id, event, actor_type, actor_id, actor_name, xid)
    values (gen_random_uuid(), ${workspace.id}, 'tool.updated', 'system', 'x', 'x', 4000000000000)`);
  await ensureAuditOrder();
  await write(db(), "here");
  await sealAll(workspace.id);
  expect(await result()).toMatchObject({ ok: true, rows: 2, unsealed: 0 });
});

test("the database refuses to change, remove or truncate rows and seals", async () => {
  const { workspace, write } = await stage();
  await write(db(), "kept");
  await sealAll(workspace.id);
  for (const statement of [
    "update audit_events set subject = 'another'",
    "delete from audit_events",
    "truncate audit_events",
    "truncate audit_events_default",
    "update audit_seals set rows = 0",
    "update audit_seals set leaves = ''",
    "delete from audit_seals",
    "truncate audit_seals",
  ]) {
    await expect(db().execute(sql.raw(statement)), statement).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringMatching(/append-only/) }),
    });
  }
});
