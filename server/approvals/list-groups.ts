import "server-only";
import { count, desc, min, type SQL, sql } from "drizzle-orm";
import type { ApprovalFilter, InboxGroup } from "@/contracts/approvals/approvals";
import { severities } from "@/contracts/decisions/decision";
import { approvals } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { approvalCondition } from "./approval-filter";

const maxGroups = 200;

/** Counts the approvals that match a filter by rule, tool and shape, the largest group first. */
export async function listGroups(
  actor: Authorized<"approvals:read">,
  filter: ApprovalFilter,
): Promise<{ groups: InboxGroup[]; total: number }> {
  const covered = approvalCondition(actor, filter);
  const { ruleId, ruleName, toolName, kind, shape, expiresAt } = approvals;
  const groups = await db()
    .select({ ruleId, ruleName, toolName, kind, shape, count: count(), worst: worstRisk, nextExpiry: min(expiresAt) })
    .from(approvals)
    .where(covered)
    .groupBy(ruleId, ruleName, toolName, kind, shape)
    .orderBy(desc(count()), toolName, shape)
    .limit(maxGroups);
  const total = groups.length < maxGroups ? groups.reduce((sum, group) => sum + group.count, 0) : await db().$count(approvals, covered);
  return {
    groups: groups.map(({ toolName: tool, worst, nextExpiry, ...group }) => ({
      ...group,
      tool,
      worstRisk: severities[worst] ?? "info",
      nextExpiry: (nextExpiry ?? sharedNow()).toISOString(),
    })),
    total,
  };
}

/** Index in `severities` of a group's worst risk, which is the lowest index because the worst severity comes first. */
const worstRisk: SQL<number> = sql<number>`min(array_position(array[${sql.join(
  severities.map((severity) => sql`${severity}`),
  sql`, `,
)}]::text[], ${approvals.risk})) - 1`.mapWith(Number);
