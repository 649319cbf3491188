import "server-only";
import { and, desc, eq, lt } from "drizzle-orm";
import type { Answer } from "@/contracts/endpoint";
import type { policyEndpoints, versionComparisons } from "@/contracts/policy";
import { guardVersions } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { diffPolicies } from "./diff-policies";
import { readSnapshot } from "./read-snapshot";

/**
 * A version of the policy with what it changed, or with what restoring it would change.
 * @throws AppError `not_found`
 */
export async function getVersion(
  { workspaceId }: Holder<"guard:read">,
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
    .select({ snapshot: guardVersions.snapshot })
    .from(guardVersions)
    .where(and(own, against === "previous" ? lt(guardVersions.version, version) : undefined))
    .orderBy(desc(guardVersions.version))
    .limit(1);
  const here = readSnapshot(found.snapshot);
  // The first version came from nothing, which is no change of settings.
  const there = other ? readSnapshot(other.snapshot) : { config: here.config, own: [], rules: [] };
  const { summary, actor, createdAt, snapshot } = found;
  // Restoring a version leaves the policy file as it is.
  const diff =
    against === "previous" ? diffPolicies(there, here) : diffPolicies({ ...there, rules: there.own }, { ...here, rules: here.own });
  return { version, summary, actor, createdAt: createdAt.toISOString(), rules: snapshot.rules.length, diff };
}
