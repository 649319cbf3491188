import type { GuardRule } from "@/contracts/guard/guard";
import type { guardRules } from "@/db/schema";

export type GuardRuleRow = typeof guardRules.$inferSelect;

/** Presents a stored rule as the API shows it. */
export function presentRule({ workspaceId, expiresAt, createdAt, updatedAt, ...rule }: GuardRuleRow): GuardRule {
  return {
    ...rule,
    source: "workspace",
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
