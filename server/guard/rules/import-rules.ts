import "server-only";
import type { ImportBody, ImportResult } from "@/contracts/policy";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { toolNamesOf } from "../matching/tool-names";
import { readPolicy } from "../simulation/read-policy";
import { diffPolicies } from "../versions/diff-policies";
import { changePolicy } from "./change-policy";
import { type PlannedImport, planImport } from "./plan-import";
import { deleteRules, writeRules } from "./write-rules";

const maxErrors = 100;

/**
 * Imports rules, all of them or, when one cannot be used, none; with `dryRun` only says what it would change.
 * @param policyVersion from If-Match
 * @throws AppError `invalid` with the place of each mistake, `stale_version`
 */
export async function importRules(
  actor: Holder<"guard:write">,
  { rules: rows, mode, dryRun }: Pick<ImportBody, "rules" | "mode" | "dryRun">,
  policyVersion: number | null,
): Promise<ImportResult> {
  const { workspaceId } = actor;
  // Reading thousands of patterns takes a while, during which nobody else's change should wait.
  const toolNames = await toolNamesOf(db(), workspaceId);
  const before = await readPolicy(workspaceId);
  const plan = await planImport(before.rules, rows, { mode, toolNames, now: new Date() });
  const diff = diffPolicies(before, { ...before, rules: plan.rules });
  const counts = { inserted: plan.inserted.length, updated: plan.updated.length, removed: plan.removed.length, skipped: plan.skipped };
  const result = { ...counts, errors: plan.errors.slice(0, maxErrors), diff };
  if (dryRun) return { ...result, applied: false, policyVersion: before.policyVersion };
  const [first] = plan.errors;
  if (first) throw refusal(first, plan.errors);

  const { config } = await changePolicy(actor, async (tx, current) => {
    const asSeen = policyVersion ?? before.policyVersion;
    if (current.policyVersion !== asSeen || current.policyVersion !== before.policyVersion) {
      throw new AppError("stale_version", "Somebody changed the policy meanwhile. Look at the import again and repeat it.");
    }
    await deleteRules(
      tx,
      workspaceId,
      plan.removed.map(({ id }) => id),
    );
    await writeRules(tx, workspaceId, [...plan.updated, ...plan.inserted]);
    const summary = `Imported rules: ${counted(counts)}`;
    const changed = diff.rules.map(({ kind, ruleId, name }) => ({ kind, ruleId, name }));
    return { answer: null, event: "guard_rules.imported", subject: null, summary, data: { ...counts, mode, changed } };
  });
  return { ...result, applied: true, policyVersion: config.policyVersion };
}

function refusal({ row, name, path, message }: PlannedImport["errors"][number], errors: PlannedImport["errors"]): AppError {
  const named = name ? ` ("${name}")` : "";
  const at = path ? `${path}: ` : "";
  const others = errors.length > 1 ? `, and ${errors.length - 1} more` : "";
  return new AppError("invalid", `Nothing was imported: row ${row + 1}${named}: ${at}${message}${others}`, {
    errors: errors.slice(0, maxErrors).map(({ row, path, message }) => ({ path: path ? `rules.${row}.${path}` : `rules.${row}`, message })),
  });
}

function counted({ inserted, updated, removed, skipped }: Pick<ImportResult, "inserted" | "updated" | "removed" | "skipped">): string {
  const parts = [
    ...(inserted > 0 ? [`${inserted} added`] : []),
    ...(updated > 0 ? [`${updated} changed`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(skipped > 0 ? [`${skipped} as they were`] : []),
  ];
  return parts.join(", ");
}
