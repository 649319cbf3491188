import "server-only";
import { and, lt, notExists, sql } from "drizzle-orm";
import { codingSessions, repositoryPolicies } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { keepRepositoryPolicy } from "@/server/policy/repository-policies";

/** Takes the text of a repository's policy file, to which hooks refer by its digest. */
export async function keepPolicy(
  { workspaceId }: Authorized<"guard:ask">,
  text: string,
): Promise<{ digest: string; rules: number; mistake: string | null }> {
  const { digest, policy } = await keepRepositoryPolicy(workspaceId, text);
  return { digest, rules: policy.rules.length, mistake: policy.mistake };
}

/** Days after which the text of a file that no session names any more is removed. */
const keptDays = 30;

/** Removes texts of policy files that no session of the last 30 days was decided under. */
export async function removeUnusedPolicies(): Promise<void> {
  const longAgo = sql`now() - make_interval(days => ${keptDays})`;
  const used = db()
    .select({ one: sql`1` })
    .from(codingSessions)
    .where(
      and(
        sql`${codingSessions.workspaceId} = ${repositoryPolicies.workspaceId}`,
        sql`${codingSessions.policyDigest} = ${repositoryPolicies.digest}`,
        sql`${codingSessions.lastSeenAt} > ${longAgo}`,
      ),
    );
  await db()
    .delete(repositoryPolicies)
    .where(and(lt(repositoryPolicies.keptAt, longAgo), notExists(used)));
}
