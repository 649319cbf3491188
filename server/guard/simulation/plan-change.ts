import "server-only";
import { and, eq } from "drizzle-orm";
import type { GuardConfigPatch, GuardRule, GuardRuleDraft } from "@/contracts/guard";
import type { PlannedChange } from "@/contracts/policy";
import type { Db } from "@/db/client";
import { guardVersions } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { toolNamesOf } from "../matching/tool-names";
import { findRule } from "../rules/find-rule";
import { demandEachOnce, orderedPriorities } from "../rules/order-rules";
import { planImport } from "../rules/plan-import";
import { ruleMistake, sentenceOfMistake } from "../rules/rule-mistake";
import { usableSettings } from "../rules/usable-settings";
import { readSnapshot } from "../versions/read-snapshot";

/** What can be changed of a policy: its settings and the workspace's own rules. */
export type Changeable = { config: Required<GuardConfigPatch>; rules: readonly GuardRule[] };

/**
 * The policy as a change would leave it; nothing is saved.
 * @throws AppError what saving would throw: `invalid`, `not_found`, `conflict`
 */
export async function planChange(tx: Db, workspaceId: string, current: Changeable, change: PlannedChange): Promise<Changeable> {
  switch (change.kind) {
    case "save": {
      const { rule, otherwise, id } = change;
      if (id !== null) await findRule(tx, workspaceId, id);
      const saved = await plannedRule(tx, workspaceId, rule, id);
      const second = otherwise ? [await plannedRule(tx, workspaceId, otherwise, null)] : [];
      return { ...current, rules: [...current.rules.filter((known) => known.id !== id), saved, ...second] };
    }
    case "remove":
      await findRule(tx, workspaceId, change.id);
      return { ...current, rules: current.rules.filter(({ id }) => id !== change.id) };
    case "order": {
      demandEachOnce(change.ids);
      const priorities = orderedPriorities(current.rules, change.ids);
      const placed = (rule: GuardRule) => {
        const priority = priorities.get(rule.id) ?? rule.priority;
        return priority === rule.priority ? rule : { ...rule, priority };
      };
      return { ...current, rules: current.rules.map(placed) };
    }
    case "import": {
      const toolNames = await toolNamesOf(tx, workspaceId);
      const { rules, errors } = await planImport(current.rules, change.rules, { mode: change.mode, toolNames, now: new Date() });
      const [first] = errors;
      if (first) {
        const path = `change.rules.${first.row}.${first.path}`;
        throw new AppError("invalid", `Row ${first.row + 1} cannot be imported: ${first.message}`, {
          errors: [{ path, message: first.message }],
        });
      }
      return { ...current, rules };
    }
    case "restore": {
      const [earlier] = await tx
        .select({ snapshot: guardVersions.snapshot })
        .from(guardVersions)
        .where(and(eq(guardVersions.workspaceId, workspaceId), eq(guardVersions.version, change.version)));
      if (!earlier) throw new AppError("not_found", `There is no version ${change.version} of the policy. Choose one of the list.`);
      const { config, own } = readSnapshot(earlier.snapshot);
      return { config, rules: own };
    }
  }
}

/** The policy with other settings. @throws AppError `invalid` */
export async function planSettings(tx: Db, workspaceId: string, current: Changeable, patch: GuardConfigPatch): Promise<Changeable> {
  return { ...current, config: { ...current.config, ...(await usableSettings(tx, workspaceId, patch)) } };
}

async function plannedRule(tx: Db, workspaceId: string, draft: GuardRuleDraft, id: string | null): Promise<GuardRule> {
  const mistake = ruleMistake(draft);
  if (mistake) {
    throw new AppError("invalid", sentenceOfMistake(mistake), {
      errors: [{ path: `change.rule.${mistake.path}`, message: mistake.message }],
    });
  }
  const toolNames = await toolNamesOf(tx, workspaceId);
  const time = new Date().toISOString();
  return { ...draft, tool: toolNames(draft.tool), id: id ?? newId(), source: "workspace", version: 1, createdAt: time, updatedAt: time };
}
