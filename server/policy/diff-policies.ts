import type { Json } from "@/contracts/common";
import type { GuardConfigPatch, GuardRule } from "@/contracts/guard/guard";
import type { FieldChange, PolicyDiff, RuleChange } from "@/contracts/guard/policy";
import { canonicalJson } from "@/contracts/lib/canonical-json";

/** The settings and rules of a policy, before compilation. */
export type PolicyContent = { config: Required<GuardConfigPatch>; rules: readonly GuardRule[] };

const maxListed = 200;

/** Fields that are compared, in the order in which they are listed. */
const ruleFields = [
  "name",
  "verdict",
  "tool",
  "parameter",
  "pattern",
  "excludePattern",
  "comparisons",
  "context",
  "reason",
  "priority",
  "enabled",
  "expiresAt",
  "relaxes",
  "approvers",
] as const;
/** Default values, which an added or removed rule does not list. */
const emptyValues: Partial<Record<(typeof ruleFields)[number], Json>> = { enabled: true, reason: "", comparisons: [], relaxes: [] };

/** Returns the changes that turn the first policy into the second. */
export function diffPolicies(before: PolicyContent, after: PolicyContent): PolicyDiff {
  const old = new Map(before.rules.map((rule) => [rule.id, rule]));
  const kept = new Set(after.rules.map(({ id }) => id));
  const changes: RuleChange[] = before.rules
    .filter(({ id }) => !kept.has(id))
    .map((rule) => describe("removed", rule, allFields(rule, "before")));
  for (const rule of after.rules) {
    const known = old.get(rule.id);
    const fields = known ? changedFields(known, rule) : allFields(rule, "after");
    if (!known) changes.push(describe("added", rule, fields));
    else if (fields.length > 0) changes.push(describe("changed", rule, fields));
  }
  // Rules whose only change is the priority come last, because they mostly moved to make room.
  const isMove = ({ kind, fields }: RuleChange) => kind === "changed" && fields.every(({ field }) => field === "priority");
  const sorted = [...changes.filter((change) => !isMove(change)), ...changes.filter(isMove)];
  return {
    settings: changedSettings(before.config, after.config),
    rules: sorted.slice(0, maxListed),
    reordered: changes.filter(isMove).length,
    total: changes.length,
  };
}

function describe(kind: RuleChange["kind"], { id, name, source }: GuardRule, fields: FieldChange[]): RuleChange {
  return { kind, ruleId: id, name, source, fields };
}

function changedFields(before: GuardRule, after: GuardRule): FieldChange[] {
  return ruleFields.flatMap((field) => changed(field, fieldOf(before, field), fieldOf(after, field)));
}

function allFields(rule: GuardRule, side: "before" | "after"): FieldChange[] {
  return ruleFields.flatMap((field) => {
    const value = fieldOf(rule, field);
    if (field === "name" || canonicalJson(value) === canonicalJson(emptyValues[field] ?? null)) return [];
    return [side === "before" ? { field, before: value, after: null } : { field, before: null, after: value }];
  });
}

/** Returns a field's value, or its default when the policy version is older than the field. */
function fieldOf(rule: GuardRule, field: (typeof ruleFields)[number]): Json {
  return rule[field] ?? emptyValues[field] ?? null;
}

function changed(field: string, before: Json, after: Json): FieldChange[] {
  return canonicalJson(before) === canonicalJson(after) ? [] : [{ field, before, after }];
}

function changedSettings(before: Required<GuardConfigPatch>, after: Required<GuardConfigPatch>): FieldChange[] {
  const old = new Map<string, Json>(Object.entries(before));
  return Object.entries(after).flatMap(([field, value]) => changed(field, old.get(field) ?? null, value));
}
