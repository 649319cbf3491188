import "server-only";
import { and, desc, eq, lt } from "drizzle-orm";
import type { Answer } from "@/contracts/endpoint";
import type { policyEndpoints, versionComparisons } from "@/contracts/guard/policy";
import { guardVersions } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { diffPolicies } from "../diff-policies";
import { readSnapshot } from "./read-snapshot";
import { wholeSnapshot } from "./snapshots";

/**
 * Returns a version of the policy with the changes that it made, or with the changes that restoring it would make.
 * @throws AppError `not_found`
 */
export async function getVersion(
  { workspaceId }: Authorized<"guard:read">,
  version: number,
  against: (typeof versionComparisons)[number],
): Promise<Answer<typeof policyEndpoints.getVersion>> {
  const own = eq(guardVersions.workspaceId, workspaceId);
  const [found] = await db()
    .select()
    .from(guardVersions)
    .where(and(own, eq(guardVersions.version, version)));
  if (!found) throw new AppError("not_found", `There is no version ${version} of the policy. Choose one of the list.`);
  const [other] = await db()
    .select()
    .from(guardVersions)
    .where(and(own, against === "previous" ? lt(guardVersions.version, version) : undefined))
    .orderBy(desc(guardVersions.version))
    .limit(1);
  const here = readSnapshot(await wholeSnapshot(db(), found));
  // The first version has no predecessor: all its rules count as added, and its settings as unchanged.
  const there = other ? readSnapshot(await wholeSnapshot(db(), other)) : { config: here.config, own: [], rules: [] };
  const { summary, actor, createdAt } = found;
  // The comparison with the present leaves file rules out, because a restore does not change the policy file.
  const diff =
    against === "previous" ? diffPolicies(there, here) : diffPolicies({ ...there, rules: there.own }, { ...here, rules: here.own });
  return { version, summary, actor, createdAt: createdAt.toISOString(), rules: here.own.length, diff };
}
