import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterEach, expect, inject, test } from "vitest";
import { guardEndpoints } from "@/contracts/guard/guard";
import { approvals } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { databaseUrl, db } from "@/server/platform/database/database";
import { createRule } from "@/server/policy/rules/create-rule";
import { readiness } from "@/server/replicas/readiness";
import { authorize } from "@/server/testing/builders";
import { approverActor, onlyApproval, submitCalls, useStage } from "@/server/testing/stage";
import { problemResponse } from "./steps/problem";

/** A generous timeout, because a busy machine ends connections slowly. */
const patiently = { timeout: 15_000 };

const stage = useStage();
const name = () => new URL(databaseUrl()).pathname.slice(1);

async function maintain(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(inject("maintenanceDatabaseUrl"), { max: 1, onnotice: () => {} });
  await work(sql).finally(() => sql.end());
}

/** Makes the database read-only like a standby, or writable again, and ends its connections. */
const setReadOnly = (isReadOnly: boolean) =>
  maintain(async (sql) => {
    await sql.unsafe(
      `alter database ${name()} ${isReadOnly ? "set default_transaction_read_only = on" : "reset default_transaction_read_only"}`,
    );
    await endConnections(sql);
  });

const endConnections = (sql: postgres.Sql) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name()} and application_name like 'handrail%' and application_name <> 'handrail presence'`;

/** Takes away the room for temporary files, or gives it back; both hold for new connections. */
const limitTemporaryFiles = (isLimited: boolean) =>
  maintain(async (sql) => {
    await sql.unsafe(`alter database ${name()} ${isLimited ? "set temp_file_limit = '1MB'" : "reset temp_file_limit"}`);
    await endConnections(sql);
  });

let unlock: () => Promise<void> = async () => {};
afterEach(async () => {
  await unlock();
  unlock = async () => {};
});

/** Locks a table against writes by others. */
async function lock(table: string): Promise<void> {
  const other = postgres(databaseUrl(), { max: 1, onnotice: () => {} });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const done = other
    .begin(async (tx) => {
      await tx.unsafe(`lock table ${table} in exclusive mode`);
      held.resolve();
      await released;
    })
    .finally(() => other.end());
  await held.promise;
  unlock = async () => {
    release();
    await done;
  };
}

/** Returns the answer that a caller gets to failing work. */
async function answerTo(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error === null) throw new Error("It did not fail");
  const response = problemResponse(error, "r");
  return { status: response.status, retryAfter: response.headers.get("retry-after"), detail: (await response.json()).detail };
}

const rule = () =>
  createRule(
    authorize(stage.built.admin, "guard:write"),
    guardEndpoints.createRule.body.parse({ name: "Writing", tool: "change", verdict: "allow", reason: "A test" }),
  );
const because = (reason: string) => ({ status: 503, retryAfter: "1", detail: expect.stringContaining(reason) });

test("a read-only database is not ready, and callers are told to come again", async () => {
  await setReadOnly(true);
  try {
    // The pool notices an ended connection at the first statement on it.
    await expect
      .poll(() => readiness(), patiently)
      .toMatchObject({ checks: { database: "ok", audit: "cannot be written: it is read-only" } });
    expect(await readiness()).toMatchObject({ status: "unavailable" });
    expect(await answerTo(rule())).toEqual(because("it is read-only"));
    await expect.poll(() => answerTo(submitCalls(stage, [["look"]])), patiently).toEqual(because("it is read-only"));
    expect(stage.log).not.toContain("change");
  } finally {
    await setReadOnly(false);
  }
  await expect.poll(async () => (await readiness()).checks.audit, patiently).toBe("ok");
});

test("a database without room for new pages is not ready", async () => {
  await limitTemporaryFiles(true);
  await expect
    .poll(() => readiness(), patiently)
    .toMatchObject({ status: "unavailable", checks: { audit: "cannot be written: it has no resources left" } });
  await limitTemporaryFiles(false);
  await expect.poll(async () => (await readiness()).checks.audit, patiently).toBe("ok");
});

test("a missing audit table is answered with why, and nothing runs", async () => {
  await db().execute(sql`alter table audit_events rename to audit_events_elsewhere`);
  try {
    expect(await answerTo(rule())).toEqual(because("a table is missing"));
    expect(await answerTo(submitCalls(stage, [["change", { text: "unseen" }]]))).toEqual(because("a table is missing"));
    expect((await readiness()).checks.audit).toBe("cannot be written: a table is missing");
    expect(stage.log).not.toContain("unseen");
  } finally {
    await db().execute(sql`alter table audit_events_elsewhere rename to audit_events`);
  }
});

test("a locked table answers submissions, decisions and changes with why, where they would hang", async () => {
  const turn = await submitCalls(stage, [["change", { text: "asked" }]]);
  const { id } = await onlyApproval(turn.id);
  await lock("turns, approvals, audit_events, guard_rules");
  const [submitted, decided, configured, ready] = await Promise.all([
    answerTo(submitCalls(stage, [["look"]], { wait: 3 })),
    answerTo(decideApproval(approverActor(stage), id, { decision: "approve", comment: "" })),
    answerTo(rule()),
    readiness(),
  ]);
  expect(submitted).toEqual(because("a table is locked"));
  expect(decided).toEqual(because("a table is locked"));
  expect(configured).toEqual(because("a table is locked"));
  expect(ready.checks.audit).toBe("cannot be written: a statement took too long");
  await unlock();
  expect(await db().select({ status: approvals.status }).from(approvals).where(sql`id = ${id}`)).toEqual([{ status: "pending" }]);
}, 20_000);
