import "server-only";
import { getConstructionPlans } from "pg-boss";
import type postgres from "postgres";
import { StartError } from "@/db/start-error";
import { bossSchema } from "@/server/jobs/work-items";

/**
 * Returns the SQL that makes the tables of pg-boss, without its transaction because a restore has its own.
 * @throws StartError when the database has those of another version
 */
export async function workSchemaOf(sql: postgres.Sql): Promise<string> {
  const plan = getConstructionPlans(bossSchema);
  const version = /INSERT INTO pgboss\.version\(version\) VALUES \('(\d+)'\)/.exec(plan)?.[1];
  const body = plan.replace(/^\s*BEGIN;\s*$/m, "").replace(/^\s*COMMIT;\s*$/m, "");
  if (!version || /^\s*(?:BEGIN|COMMIT);\s*$/m.test(body)) throw new Error("The construction plan of pg-boss has changed its form");
  const [table] = await sql`select to_regclass('pgboss.version') as name`;
  const [row] = table?.name ? await sql`select version from pgboss.version` : [];
  if (String(row?.version) !== version) {
    throw new StartError(
      "The tables of durable work are not those of this Handrail: make the backup with the version that last ran on this database, or start this one once.",
    );
  }
  return body;
}
