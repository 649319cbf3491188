import "server-only";
import { eq } from "drizzle-orm";
import type { GuardRule } from "@/contracts/guard/guard";
import { guardConfig, guardRules, workspaces } from "@/db/schema";
import { compilePolicy, type Policy } from "@/server/guard/compile-policy";
import { compileGrants } from "@/server/guard/grants/compile-grants";
import { db } from "@/server/platform/database/database";
import { processWide } from "@/server/platform/process-wide";
import { onSignal } from "@/server/platform/signals/bus";
import { makeYieldToEventLoop } from "@/server/platform/yield-to-event-loop";
import { policyFile } from "./policy-file/policy-file";
import type { PolicyFile } from "./policy-file/read-policy-file";
import { readGrants } from "./read-grants";
import { presentRule } from "./rules/present-rule";
import { loadToolNames } from "./tool-names";

export type { Policy } from "@/server/guard/compile-policy";

type CachedPolicy = {
  policy: Policy;
  /** The version of its grants. */
  grantsVersion: number;
  /** The workspace's config version at the last check that found the policy current. */
  configVersion: number;
  /** Time of that check, in milliseconds since 1970; 0 after a change. */
  checkedAt: number;
};

/** Longest time between checks, which bounds the effect of a lost signal. */
const maxUncheckedMs = 10_000;

/**
 * Cached policies of this process, and the number of invalidations of each workspace. `load` compares that number before
 * and after reading, so that a slow read cannot put an outdated policy back into the cache.
 */
const memory = () =>
  processWide("guard.policies", () => {
    const memory = { held: new Map<string, CachedPolicy>(), forgotten: new Map<string, number>() };
    // The signal covers every change of the configuration, so the policy's versions are checked again before its next use.
    onSignal("config", ({ workspaceId }) => forget(memory, workspaceId));
    return memory;
  });

type Memory = { held: Map<string, CachedPolicy>; forgotten: Map<string, number> };

function forget({ held, forgotten }: Memory, workspaceId: string): void {
  forgotten.set(workspaceId, (forgotten.get(workspaceId) ?? 0) + 1);
  const known = held.get(workspaceId);
  if (known) known.checkedAt = 0;
}

/** Invalidates a cached policy. Call it after each transaction that changed the policy, so that this process uses the new one. */
export function policyChanged(workspaceId: string): void {
  forget(memory(), workspaceId);
}

/**
 * Loads the policy of a workspace, from memory while the cached policy is known to be current.
 * @param configVersion the workspace's config version, if the caller has just read it; replaces the check by time
 */
export async function loadPolicy(workspaceId: string, configVersion?: number): Promise<Policy> {
  const known = memory().held.get(workspaceId);
  if (known && isCurrent(known, configVersion)) return known.policy;
  return load(workspaceId);
}

function isCurrent({ configVersion: seen, checkedAt, policy }: CachedPolicy, configVersion: number | undefined): boolean {
  if (policy.fileDigest !== (policyFile()?.file.digest ?? null)) return false;
  return configVersion === undefined ? Date.now() - checkedAt < maxUncheckedMs : configVersion <= seen;
}

/** Compiles the patterns of a policy, so that its first call does not wait for them. */
async function readyPatterns({ rules }: Policy): Promise<void> {
  const yieldToEventLoop = makeYieldToEventLoop();
  for (const rule of rules) {
    rule.pattern();
    rule.exclude();
    await yieldToEventLoop();
  }
}

async function load(workspaceId: string): Promise<Policy> {
  const { held, forgotten } = memory();
  const before = forgotten.get(workspaceId);
  const loaded = await db().transaction((tx) => read(tx, workspaceId, held.get(workspaceId)), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
  // Compiling thousands of patterns takes a while; `readyPatterns` yields, so that other calls go on.
  if (held.get(workspaceId)?.policy.rules !== loaded.policy.rules) await readyPatterns(loaded.policy);
  const newest = held.get(workspaceId);
  // A policy read before a concurrent save may serve this call, which began earlier, but must not be cached for later calls.
  if (forgotten.get(workspaceId) === before && (!newest || newest.configVersion <= loaded.configVersion)) held.set(workspaceId, loaded);
  return loaded.policy;
}

type Reader = Pick<ReturnType<typeof db>, "select">;

/** Reads the versions, and then only the rules or grants whose version differs from the cached policy. */
async function read(tx: Reader, workspaceId: string, known: CachedPolicy | undefined): Promise<CachedPolicy> {
  const checkedAt = Date.now();
  const [row] = await tx
    .select({ configVersion: workspaces.configVersion, config: guardConfig })
    .from(workspaces)
    .innerJoin(guardConfig, eq(guardConfig.workspaceId, workspaces.id))
    .where(eq(workspaces.id, workspaceId));
  if (!row) throw new Error("this workspace has no policy");
  const { configVersion, config } = row;
  const file = policyFile()?.file;
  const fileDigest = file?.digest ?? null;
  const { grantsVersion } = config;
  const isSamePolicy = known?.policy.version === config.policyVersion && known.policy.fileDigest === fileDigest;
  if (isSamePolicy && known.grantsVersion === grantsVersion) return { policy: known.policy, grantsVersion, configVersion, checkedAt };
  const grants = compileGrants(await readGrants(tx, workspaceId));
  if (isSamePolicy) return { policy: { ...known.policy, grants }, grantsVersion, configVersion, checkedAt };
  const rules = await tx.select().from(guardRules).where(eq(guardRules.workspaceId, workspaceId));
  const fileRules = file ? await withToolNames(tx, workspaceId, file) : [];
  const version = config.policyVersion;
  const policy = compilePolicy({ version, fileDigest, config, rules: [...fileRules, ...rules.map(presentRule)], grants });
  return { policy, grantsVersion, configVersion, checkedAt };
}

/** Replaces aliases of tools in the file's rules by the tools' names, as the rules of a workspace are saved. */
async function withToolNames(tx: Reader, workspaceId: string, { rules }: PolicyFile): Promise<readonly GuardRule[]> {
  const toolNames = await loadToolNames(tx, workspaceId);
  return rules.map((rule) => ({ ...rule, tool: toolNames(rule.tool) }));
}
