import "server-only";
import { z } from "zod";
import type { Json } from "@/contracts/common";
import { type GuardRule, GuardRuleDraft } from "@/contracts/guard/guard";
import type { ImportMode, ImportResult } from "@/contracts/guard/policy";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import { compareRuleOrder } from "@/server/guard/matching/compile-rule";
import { newId } from "@/server/platform/ids";
import { makeYieldToEventLoop } from "@/server/platform/yield-to-event-loop";
import { describeRuleMistake, ruleMistake } from "../rule-mistake";
import type { ToolNames } from "../tool-names";

export type PlannedImport = Pick<ImportResult, "errors" | "skipped"> & {
  inserted: GuardRule[];
  updated: GuardRule[];
  removed: GuardRule[];
  /** The rows of added and changed rules. */
  rowOf: ReadonlyMap<GuardRule, number>;
  /** Every rule of the workspace after the import. */
  rules: GuardRule[];
};

/** A row of an import. Of the members that an export adds to a draft, only the id counts. */
const Row = GuardRuleDraft.extend({
  id: z.uuid().nullish(),
  source: z.unknown().optional(),
  version: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
});

/**
 * Plans the changes of an import. A row replaces the rule with the same id, or else the only rule with the same name. Every
 * other row becomes a rule with a new id, because another workspace may use the id of the row.
 */
export async function planImport(
  current: readonly GuardRule[],
  rows: readonly Json[],
  { mode, toolNames, now }: { mode: ImportMode; toolNames: ToolNames; now: Date },
): Promise<PlannedImport> {
  const rowOf = new Map<GuardRule, number>();
  const plan: PlannedImport = { inserted: [], updated: [], removed: [], rowOf, rules: [], skipped: 0, errors: [] };
  const find = finderOf(current);
  const next = new Map(current.map((rule) => [rule.id, rule]));
  const seen = new Set<string>();
  const yieldToEventLoop = makeYieldToEventLoop();
  for (const [row, value] of rows.entries()) {
    await yieldToEventLoop();
    const read = readRow(value);
    if ("errors" in read) {
      plan.errors.push(...read.errors.map((error) => ({ ...error, row, name: describeRow(value) })));
      continue;
    }
    const draft = { ...read.draft, tool: toolNames(read.draft.tool) };
    const known = find(read.id, draft.name);
    if (known && seen.has(known.id)) {
      plan.errors.push({ row, name: draft.name, path: "id", message: "another row is the same rule already" });
      continue;
    }
    const time = now.toISOString();
    const rule: GuardRule = known
      ? { ...known, ...draft, version: known.version + 1, updatedAt: time }
      : { ...draft, id: newId(), source: "workspace", version: 1, createdAt: time, updatedAt: time };
    seen.add(rule.id);
    if (known && canonicalJson(contentOf(known)) === canonicalJson(contentOf(rule))) {
      plan.skipped += 1;
      continue;
    }
    next.set(rule.id, rule);
    rowOf.set(rule, row);
    (known ? plan.updated : plan.inserted).push(rule);
  }
  if (mode === "replace") plan.removed = current.filter(({ id }) => !seen.has(id));
  for (const { id } of plan.removed) next.delete(id);
  plan.rules = [...next.values()].sort(compareRuleOrder);
  return plan;
}

function finderOf(current: readonly GuardRule[]): (id: string | null, name: string) => GuardRule | undefined {
  const byId = new Map(current.map((rule) => [rule.id, rule]));
  const byName = Map.groupBy(current, ({ name }) => name);
  return (id, name) => {
    const sameName = byName.get(name) ?? [];
    return (id === null ? undefined : byId.get(id)) ?? (sameName.length === 1 ? sameName[0] : undefined);
  };
}

type ReadRow = { id: string | null; draft: GuardRuleDraft } | { errors: { path: string; message: string }[] };

function readRow(value: Json): ReadRow {
  const parsed = Row.safeParse(value);
  if (!parsed.success) return { errors: parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message })) };
  const { id = null, source: _source, version: _version, createdAt: _made, updatedAt: _saved, ...draft } = parsed.data;
  const mistake = ruleMistake(draft);
  return mistake ? { errors: [{ path: mistake.path, message: describeRuleMistake(mistake) }] } : { id, draft };
}

function describeRow(value: Json): string {
  const name = typeof value === "object" && value !== null && !Array.isArray(value) ? value.name : undefined;
  return typeof name === "string" ? name.slice(0, 120) : "";
}

function contentOf({ version: _version, createdAt: _made, updatedAt: _saved, ...content }: GuardRule) {
  return content;
}
