import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "@/server/platform/database/database";
import { useTestDatabase } from "@/server/testing/test-database";
import { dropEmptyMonths } from "./drop-empty-months";
import { ensureAuditPartitions } from "./ensure-partitions";

useTestDatabase();

async function partitions(): Promise<string[]> {
  const rows = await db().execute<{ name: string }>(
    sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_events'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}

test("this month and the next two have tables of their own, across the turn of the year, whoever asks and how often", async () => {
  const november = new Date("2030-11-30T23:59:59Z");
  await Promise.all([ensureAuditPartitions(november), ensureAuditPartitions(november)]);
  await ensureAuditPartitions(november);
  expect(await partitions()).toEqual(["audit_events_2030_11", "audit_events_2030_12", "audit_events_2031_01", "audit_events_default"]);
});

test("a month whose rows are in the default partition already stays there, and nothing is refused", async () => {
  await db().execute(
    sql`insert into audit_events (id, at, workspace_id, event, actor_type, actor_id, actor_name)
        values (gen_random_uuid(), '2040-05-10', gen_random_uuid(), 'tool.updated', 'system', 'x', 'x')`,
  );
  await ensureAuditPartitions(new Date("2040-05-11"));
  expect(await partitions()).not.toContain("audit_events_2040_05");
  expect(await partitions()).toContain("audit_events_2040_06");
});

test("the partition of a closed month goes when its rows have gone, and stays while it has one", async () => {
  await ensureAuditPartitions(new Date("2050-01-15"));
  await db().execute(
    sql`insert into audit_events (id, at, workspace_id, event, actor_type, actor_id, actor_name)
        values (gen_random_uuid(), '2050-02-10', gen_random_uuid(), 'tool.updated', 'system', 'x', 'x')`,
  );
  await dropEmptyMonths(new Date("2050-03-01"));
  const left = (await partitions()).filter((name) => name.includes("2050"));
  expect(left).toEqual(["audit_events_2050_02", "audit_events_2050_03"]);
});
