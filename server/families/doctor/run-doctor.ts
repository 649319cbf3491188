import "server-only";
import { sql } from "drizzle-orm";
import type { CheckStatus, Diagnosis } from "@/contracts/operations/doctor";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { doctorChecks, runChecks } from "@/server/platform/extension-points/doctor-checks";

const order: readonly CheckStatus[] = ["failed", "warning", "skipped", "ok"];

/** Runs every check for the actor's workspace, on this replica. */
export async function runDoctor(actor: Authorized<"admin">): Promise<Diagnosis> {
  const checks = await runChecks(doctorChecks(), actor.workspaceId);
  const items = checks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  const worst = items[0]?.status;
  return { overall: worst === "failed" || worst === "warning" ? worst : "ok", checkedAt: await now(), items };
}

/** Returns the database's time; the process's own when the database is away, because the diagnosis says so itself. */
async function now(): Promise<string> {
  const rows = await db()
    .execute<{ at: string }>(sql`select now() as at`)
    .catch(() => []);
  return (rows[0] ? new Date(rows[0].at) : new Date()).toISOString();
}
