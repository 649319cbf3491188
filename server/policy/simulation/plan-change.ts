import "server-only";
import { and, eq } from "drizzle-orm";
import type { GuardConfigPatch, GuardRule, GuardRuleDraft } from "@/contracts/guard/guard";
import type { PlannedChange } from "@/contracts/guard/policy";
import type { Db } from "@/db/client";
import { guardVersions } from "@/db/schema";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { describeRuleMistake, ruleMistake } from "../rule-mistake";
import { findRule } from "../rules/find-rule";
import { assertEachOnce, orderedPriorities } from "../rules/order-rules";
import { planImport } from "../rules/plan-import";
import type { Changeable } from "../rules/read-policy";
import { usableSettings } from "../rules/usable-settings";
import { loadToolNames } from "../tool-names";
import { readSnapshot } from "../versions/read-snapshot";
import { wholeSnapshot } from "../versions/snapshots";

/**
 * Returns the policy after a change, without saving the change.
 * @throws AppError as saving would: `invalid`, `not_found`, `conflict`
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
      assertEachOnce(change.ids);
      const priorities = orderedPriorities(current.rules, change.ids);
      const placed = (rule: GuardRule) => {
        const priority = priorities.get(rule.id) ?? rule.priority;
        return priority === rule.priority ? rule : { ...rule, priority };
      };
      return { ...current, rules: current.rules.map(placed) };
    }
    case "import": {
      const toolNames = await loadToolNames(tx, workspaceId);
      const { rules, errors } = await planImport(current.rules, change.rules, { mode: change.mode, toolNames, now: sharedNow() });
      const [first] = errors;
      if (first) {
        const path = `change.rules.${first.row}.${first.path}`;
        throw new AppError("invalid", `Row ${first.row + 1} cannot be imported: ${first.message}`, {
          errors: [{ path, message: first.message }],
        });
      }
      const planned = { ...current, rules };
      return change.settings ? planSettings(tx, workspaceId, planned, change.settings) : planned;
    }
    case "restore": {
      const [earlier] = await tx
        .select()
        .from(guardVersions)
        .where(and(eq(guardVersions.workspaceId, workspaceId), eq(guardVersions.version, change.version)));
      if (!earlier) throw new AppError("not_found", `There is no version ${change.version} of the policy. Choose one of the list.`);
      const { config, own } = readSnapshot(await wholeSnapshot(tx, earlier));
      return { config, rules: own };
    }
  }
}

/** Returns the policy with changed settings. @throws AppError `invalid` */
export async function planSettings(tx: Db, workspaceId: string, current: Changeable, patch: GuardConfigPatch): Promise<Changeable> {
  return { ...current, config: { ...current.config, ...(await usableSettings(tx, workspaceId, patch)) } };
}

async function plannedRule(tx: Db, workspaceId: string, draft: GuardRuleDraft, id: string | null): Promise<GuardRule> {
  const mistake = ruleMistake(draft);
  if (mistake) {
    throw new AppError("invalid", describeRuleMistake(mistake), {
      errors: [{ path: `change.rule.${mistake.path}`, message: mistake.message }],
    });
  }
  const toolNames = await loadToolNames(tx, workspaceId);
  const time = sharedNow().toISOString();
  return { ...draft, tool: toolNames(draft.tool), id: id ?? newId(), source: "workspace", version: 1, createdAt: time, updatedAt: time };
}
