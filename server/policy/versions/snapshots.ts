import "server-only";
import { and, asc, count, desc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { guardRules, guardVersions, type PolicySnapshot } from "@/db/schema";
import { compareRuleOrder } from "@/server/guard/matching/compile-rule";
import { policyFile } from "../policy-file/policy-file";
import type { GuardConfigRow } from "../rules/guard-config-row";
import { toPolicySettings } from "../rules/policy-settings";
import { presentRule } from "../rules/present-rule";

/** Most rules of a policy that is kept whole in each version. */
const wholeUpTo = 200;
/** Share of changed rules above which a version is kept whole and becomes the new base. */
const maxChangedShare = 0.25;

type Kept = Pick<typeof guardVersions.$inferInsert, "snapshot" | "baseVersion" | "ruleCount">;

/**
 * Returns the snapshot to store for a version. A large policy stores only the rules that changed since the last whole
 * version, because a change of one rule among ten thousand must not write all of them.
 */
export async function snapshotToKeep(tx: Db, config: GuardConfigRow): Promise<Kept> {
  const { workspaceId } = config;
  const fileRules = policyFile()?.file.rules;
  const about = { config: toPolicySettings(config), ...(fileRules ? { fileRules: [...fileRules] } : {}) };
  const own = eq(guardRules.workspaceId, workspaceId);
  const ruleCount = (await tx.select({ rules: count() }).from(guardRules).where(own))[0]?.rules ?? 0;
  const difference = ruleCount > wholeUpTo ? await differenceFromBase(tx, workspaceId, ruleCount) : null;
  if (difference) {
    const { baseVersion, rules, removed } = difference;
    return { snapshot: { ...about, rules, removed }, baseVersion, ruleCount };
  }
  const rules = await tx.select().from(guardRules).where(own).orderBy(desc(guardRules.priority), asc(guardRules.id));
  return { snapshot: { ...about, rules: rules.map(presentRule) }, baseVersion: null, ruleCount };
}

async function differenceFromBase(tx: Db, workspaceId: string, ruleCount: number) {
  const [base] = await tx
    .select({ version: guardVersions.version })
    .from(guardVersions)
    .where(and(eq(guardVersions.workspaceId, workspaceId), isNull(guardVersions.baseVersion)))
    .orderBy(desc(guardVersions.version))
    .limit(1);
  if (!base) return null;
  // Every change of a rule increments its version, so equal id and version mean equal content.
  const inBase = sql`(select rule ->> 'id' as id, (rule ->> 'version')::int as version
    from guard_versions, jsonb_array_elements(guard_versions.snapshot -> 'rules') as rule
    where guard_versions.workspace_id = ${workspaceId} and guard_versions.version = ${base.version})`;
  const changed = await tx
    .select()
    .from(guardRules)
    .where(
      and(
        eq(guardRules.workspaceId, workspaceId),
        sql`(${guardRules.id}::text, ${guardRules.version}) not in (select id, version from ${inBase} as base)`,
      ),
    );
  const gone = await tx.execute<{ id: string }>(
    sql`select id from ${inBase} as base where id not in (select id::text from guard_rules where workspace_id = ${workspaceId})`,
  );
  if (changed.length + gone.length > ruleCount * maxChangedShare) return null;
  return { baseVersion: base.version, rules: changed.map(presentRule), removed: gone.map(({ id }) => id) };
}

/** Returns the whole snapshot of a version, merged with its base where only changes are stored. */
export async function wholeSnapshot(
  tx: Db,
  { workspaceId, snapshot, baseVersion }: Pick<typeof guardVersions.$inferSelect, "workspaceId" | "snapshot" | "baseVersion">,
): Promise<PolicySnapshot> {
  if (baseVersion === null) return snapshot;
  const [base] = await tx
    .select({ snapshot: guardVersions.snapshot })
    .from(guardVersions)
    .where(and(eq(guardVersions.workspaceId, workspaceId), eq(guardVersions.version, baseVersion)));
  if (!base) throw new Error(`the base ${baseVersion} of a version is missing`);
  const { removed = [], rules, ...about } = snapshot;
  const replaced = new Set([...removed, ...rules.map(({ id }) => id)]);
  const kept = base.snapshot.rules.filter(({ id }) => !replaced.has(id));
  return { ...about, rules: [...kept, ...rules].sort(compareRuleOrder) };
}
