import "server-only";
import { type SQL, sql } from "drizzle-orm";
import type { AuditRemovalPlan } from "@/contracts/audit/audit-retention";
import { auditArchives } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { auditSources } from "../archive/return-rows";
import { type AuditKind, ofKind } from "../kinds";
import { type KeptDays, readKeptDays } from "./settings";

const daysByKind = ({ callDays, configurationDays, signInDays }: KeptDays): [AuditKind, number][] => [
  ["calls", callDays],
  ["configuration", configurationDays],
  ["signIns", signInDays],
];

const isOld = (kind: AuditKind, days: number): SQL => sql`(${ofKind[kind]} and e.at < now() - make_interval(days => ${days}::int))`;

/** SQL that selects rows of `audit_events as e` that are old enough to go; null when all are kept. */
export function oldRows(kept: KeptDays): SQL | null {
  const kinds = daysByKind(kept).flatMap(([kind, days]) => (days > 0 ? [isOld(kind, days)] : []));
  return kinds.length > 0 ? sql`(${sql.join(kinds, sql` or `)})` : null;
}

/** SQL that selects archives with rows that may be old enough to go. */
export function oldArchives(kept: KeptDays): SQL {
  const kinds = daysByKind(kept).map(([kind, days]) =>
    days > 0
      ? sql`((${auditArchives.kinds} ->> ${kind})::int > 0 and ${auditArchives.minAt} < now() - make_interval(days => ${days}::int))`
      : sql`false`,
  );
  return sql`(${sql.join(kinds, sql` or `)})`;
}

/** SQL: the hold `audit_holds as h` keeps the row `audit_events as e`. A person is held as actor and as subject. */
export const holdKeepsRow = sql`(h.workspace_id = e.workspace_id
  and (h.held_from is null or e.at >= h.held_from) and (h.held_to is null or e.at < h.held_to)
  and case h.kind when 'period' then true when 'person' then h.subject in (e.actor_id, e.subject) else lower(h.subject) = lower(e.agent) end)`;

/** SQL that selects rows of `audit_events as e` that a hold keeps. */
export const isHeld = sql`exists (select from audit_holds h where ${holdKeepsRow})`;

/** SQL: the row `audit_events as e` has its content; what was erased stays, because its record counts it. */
export const isNotErased = sql`e.data #> '{erased,digest}' is null`;

/** Counts what the retention would remove now, of the settings or of the given days. */
export async function planRemoval({ workspaceId }: Authorized<"audit:read">, days: Partial<KeptDays>): Promise<AuditRemovalPlan> {
  const kept = { ...(await readKeptDays(workspaceId)), ...days };
  const old = oldRows(kept);
  if (!old) return { calls: 0, configuration: 0, signIns: 0, held: 0, oldest: null };
  const count = (kind: AuditKind) => sql`(count(*) filter (where ${ofKind[kind]} and not held))::int`;
  const plan = { calls: 0, configuration: 0, signIns: 0, held: 0 };
  let oldest = Number.POSITIVE_INFINITY;
  for await (const { from } of auditSources(workspaceId, oldArchives(kept))) {
    const [part] = await db().execute<typeof plan & { oldest: number | null }>(sql`
      select ${count("calls")} as calls, ${count("configuration")} as configuration, ${count("signIns")} as "signIns",
        (count(*) filter (where held))::int as held, (extract(epoch from min(e.at) filter (where not held)) * 1000)::float8 as oldest
      from (select e.event, e.at, ${isHeld} as held from ${from} as e where e.workspace_id = ${workspaceId} and ${old} and ${isNotErased}) e`);
    if (!part) throw new Error("The plan of the retention has no row");
    plan.calls += part.calls;
    plan.configuration += part.configuration;
    plan.signIns += part.signIns;
    plan.held += part.held;
    oldest = Math.min(oldest, part.oldest ?? oldest);
  }
  return { ...plan, oldest: Number.isFinite(oldest) ? new Date(oldest).toISOString() : null };
}
