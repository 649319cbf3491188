import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { repositoryPolicies } from "@/db/schema";
import type { RepositoryPolicy } from "@/server/guard/call/guard-request";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { processWide } from "@/server/platform/process-wide";
import { readRepositoryPolicy, unusable } from "./policy-file/read-repository-policy";

/** Files that this replica has read, by workspace and digest; a digest never changes its meaning. */
const known = () => processWide("repositoryPolicies", () => new LRUCache<string, RepositoryPolicy>({ max: 500 }));

/** Stores the text of a repository's policy file, by its SHA-256. */
export async function keepRepositoryPolicy(workspaceId: string, text: string): Promise<{ digest: string; policy: RepositoryPolicy }> {
  const digest = sha256(text);
  await db()
    .insert(repositoryPolicies)
    .values({ workspaceId, digest, text })
    .onConflictDoUpdate({ target: [repositoryPolicies.workspaceId, repositoryPolicies.digest], set: { keptAt: sql`now()` } });
  const policy = readRepositoryPolicy(text, new Date(0));
  known().set(`${workspaceId} ${digest}`, policy);
  return { digest, policy };
}

/** Returns the policy file of a digest; null when its text was never stored. */
export async function findRepositoryPolicy(workspaceId: string, digest: string): Promise<RepositoryPolicy | null> {
  const key = `${workspaceId} ${digest}`;
  const read = known().get(key);
  if (read) return read;
  const [row] = await db()
    .select({ text: repositoryPolicies.text })
    .from(repositoryPolicies)
    .where(and(eq(repositoryPolicies.workspaceId, workspaceId), eq(repositoryPolicies.digest, digest)));
  if (!row) return null;
  const policy = readRepositoryPolicy(row.text, new Date(0));
  known().set(key, policy);
  return policy;
}

const gone: RepositoryPolicy = unusable("Handrail does not have its text any more");

/** Loads the policy file under which a call is decided. One that is gone asks, because it may have said so. */
export async function loadRepositoryPolicy(workspaceId: string, digest: string | undefined): Promise<RepositoryPolicy | null> {
  return digest === undefined ? null : ((await findRepositoryPolicy(workspaceId, digest)) ?? gone);
}

/** Loads the workspace's policy files of repositories, to decide recorded calls again. @returns the file of a digest */
export async function loadRepositoryPolicies(workspaceId: string): Promise<(digest: string) => RepositoryPolicy> {
  const { digest, text } = repositoryPolicies;
  const rows = await db().select({ digest, text }).from(repositoryPolicies).where(eq(repositoryPolicies.workspaceId, workspaceId));
  const policies = new Map(rows.map((row) => [row.digest, readRepositoryPolicy(row.text, new Date(0))]));
  return (digest) => policies.get(digest) ?? gone;
}
