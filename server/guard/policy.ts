import "server-only";
import { eq } from "drizzle-orm";
import type { GuardRule } from "@/contracts/guard";
import { guardConfig, guardRules, workspaces } from "@/db/schema";
import { onSignal } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { processWide } from "@/server/platform/process-wide";
import { makeBreathe } from "./breathe";
import { compilePolicy, type Policy } from "./compile-policy";
import { compileGrants } from "./grants/compile-grants";
import { readGrants } from "./grants/read-grants";
import { toolNamesOf } from "./matching/tool-names";
import { policyFile } from "./policy-file/policy-file";
import type { PolicyFile } from "./policy-file/read-policy-file";
import { presentRule } from "./rules/present-rule";

export type { Policy } from "./compile-policy";

type Held = {
  policy: Policy;
  /** The version of its grants. */
  grantsVersion: number;
  /** The workspace's config version that the policy was last seen to be current at. */
  configVersion: number;
  /** Milliseconds since 1970 when that was. */
  checkedAt: number;
};

/** A lost signal is made up for after this time. */
const maxUncheckedMs = 10_000;

/** Policies of this process, and how often each was forgotten, so that a slow reader cannot bring back an old one. */
const memory = () =>
  processWide("guard.policies", () => {
    const memory = { held: new Map<string, Held>(), forgotten: new Map<string, number>() };
    // A change of anything: the policy is looked at again before it is used again.
    onSignal("config", ({ workspaceId }) => forget(memory, workspaceId));
    return memory;
  });

type Memory = { held: Map<string, Held>; forgotten: Map<string, number> };

function forget({ held, forgotten }: Memory, workspaceId: string): void {
  forgotten.set(workspaceId, (forgotten.get(workspaceId) ?? 0) + 1);
  const known = held.get(workspaceId);
  if (known) known.checkedAt = 0;
}

/** To be called after a transaction that changed a workspace's policy, so that nothing here decides by the old one. */
export function policyChanged(workspaceId: string): void {
  forget(memory(), workspaceId);
}

/**
 * The policy of a workspace, from memory where it is known to be current.
 * @param configVersion the workspace's config version when the caller has just read it; it saves the check
 */
export async function policyOf(workspaceId: string, configVersion?: number): Promise<Policy> {
  const known = memory().held.get(workspaceId);
  if (known && isCurrent(known, configVersion)) return known.policy;
  return load(workspaceId);
}

function isCurrent({ configVersion: seen, checkedAt, policy }: Held, configVersion: number | undefined): boolean {
  if (policy.fileDigest !== (policyFile()?.file.digest ?? null)) return false;
  return configVersion === undefined ? Date.now() - checkedAt < maxUncheckedMs : configVersion <= seen;
}

/** Makes the patterns of a policy ready before its first call. */
async function readyPatterns({ rules }: Policy): Promise<void> {
  const breathe = makeBreathe();
  for (const rule of rules) {
    rule.pattern();
    rule.exclude();
    await breathe();
  }
}

async function load(workspaceId: string): Promise<Policy> {
  const { held, forgotten } = memory();
  const before = forgotten.get(workspaceId);
  const loaded = await db().transaction((tx) => read(tx, workspaceId, held.get(workspaceId)), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
  // Thousands of patterns take a while, in which the calls of others go on.
  if (held.get(workspaceId)?.policy.rules !== loaded.policy.rules) await readyPatterns(loaded.policy);
  const newest = held.get(workspaceId);
  // What was read before somebody saved is right for this call, which began before that, but not for the next one.
  if (forgotten.get(workspaceId) === before && (!newest || newest.configVersion <= loaded.configVersion)) held.set(workspaceId, loaded);
  return loaded.policy;
}

type Reader = Pick<ReturnType<typeof db>, "select">;

/** Reads the version, and the rules only when it is not the one in memory. */
async function read(tx: Reader, workspaceId: string, known: Held | undefined): Promise<Held> {
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

/** Rules of the file with the names of tools in place of their aliases, as rules of a workspace are saved. */
async function withToolNames(tx: Reader, workspaceId: string, { rules }: PolicyFile): Promise<readonly GuardRule[]> {
  const toolNames = await toolNamesOf(tx, workspaceId);
  return rules.map((rule) => ({ ...rule, tool: toolNames(rule.tool) }));
}
