import "server-only";
import { eq } from "drizzle-orm";
import type { GuardSettings } from "@/contracts/guard/guard";
import type { ImportBody, ImportResult } from "@/contracts/guard/policy";
import { guardConfig } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { AppError, isAppError } from "@/server/platform/errors";
import { makeYieldToEventLoop } from "@/server/platform/yield-to-event-loop";
import { changePolicy } from "../change-policy";
import { diffPolicies } from "../diff-policies";
import { loadToolNames } from "../tool-names";
import { loadRuleWarnings } from "../warnings/load-rule-warnings";
import { type PlannedImport, planImport } from "./plan-import";
import { readPolicy } from "./read-policy";
import { usableSettings } from "./usable-settings";
import { deleteRules, writeRules } from "./write-rules";

const maxErrors = 100;
const maxWarnings = 100;

/**
 * Imports all rules, or none when one of them has a mistake. With `dryRun` only returns the changes.
 * @param policyVersion from If-Match
 * @throws AppError `invalid` with the path of each mistake, `stale_version`
 */
export async function importRules(
  actor: Authorized<"guard:write">,
  { rules: rows, settings, mode, dryRun }: Pick<ImportBody, "rules" | "settings" | "mode" | "dryRun">,
  policyVersion: number | null,
): Promise<ImportResult> {
  const { workspaceId } = actor;
  // Planned before `changePolicy`, because compiling thousands of patterns under its lock would delay other changes.
  const toolNames = await loadToolNames(db(), workspaceId);
  const before = await readPolicy(workspaceId);
  const plan = await planImport(before.rules, rows, { mode, toolNames, now: sharedNow() });
  const usable = settings ? await usableImport(workspaceId, settings) : {};
  const diff = diffPolicies(before, { config: { ...before.config, ...usable }, rules: plan.rules });
  const counts = { inserted: plan.inserted.length, updated: plan.updated.length, removed: plan.removed.length, skipped: plan.skipped };
  const warnings = await warningsOf(workspaceId, plan);
  const result = { ...counts, errors: plan.errors.slice(0, maxErrors), warnings, diff };
  if (dryRun) return { ...result, applied: false, policyVersion: before.policyVersion };
  const [first] = plan.errors;
  if (first) throw refusal(first, plan.errors);

  const { config } = await changePolicy(actor, async (tx, current) => {
    const asSeen = policyVersion ?? before.policyVersion;
    if (current.policyVersion !== asSeen || current.policyVersion !== before.policyVersion) {
      throw new AppError("stale_version", "Somebody changed the policy meanwhile. Look at the import again and repeat it.");
    }
    if (Object.keys(usable).length > 0) await tx.update(guardConfig).set(usable).where(eq(guardConfig.workspaceId, workspaceId));
    await deleteRules(
      tx,
      workspaceId,
      plan.removed.map(({ id }) => id),
    );
    await writeRules(tx, workspaceId, [...plan.updated, ...plan.inserted]);
    const parts = [...counted(counts), ...(diff.settings.length > 0 ? [`${diff.settings.length} settings`] : [])];
    const changed = diff.rules.map(({ kind, ruleId, name }) => ({ kind, ruleId, name }));
    const data = { ...counts, mode, changed, settings: diff.settings };
    return { answer: null, event: "guard_rules.imported", subject: null, summary: `Imported rules: ${parts.join(", ")}`, data };
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

/** Returns the first warnings about rules that the import adds or changes, in the order of its rows. */
async function warningsOf(workspaceId: string, { inserted, updated, rowOf }: PlannedImport): Promise<ImportResult["warnings"]> {
  const warn = await loadRuleWarnings(workspaceId);
  const yieldToEventLoop = makeYieldToEventLoop();
  const found: ImportResult["warnings"] = [];
  const changed = [...inserted, ...updated].map((rule) => ({ rule, row: rowOf.get(rule) ?? 0 })).toSorted((a, b) => a.row - b.row);
  for (const { rule, row } of changed) {
    await yieldToEventLoop();
    found.push(...warn(rule).map((warning) => ({ row, name: rule.name, warning })));
    if (found.length >= maxWarnings) return found.slice(0, maxWarnings);
  }
  return found;
}

function counted({ inserted, updated, removed, skipped }: Pick<ImportResult, "inserted" | "updated" | "removed" | "skipped">): string[] {
  return [
    ...(inserted > 0 ? [`${inserted} added`] : []),
    ...(updated > 0 ? [`${updated} changed`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(skipped > 0 ? [`${skipped} as they were`] : []),
  ];
}

/** Checks imported settings. @throws AppError `invalid` with the path in the import */
async function usableImport(workspaceId: string, settings: GuardSettings): Promise<GuardSettings> {
  try {
    return await usableSettings(db(), workspaceId, settings);
  } catch (error) {
    if (!isAppError(error) || !error.details.errors) throw error;
    const errors = error.details.errors.map(({ path, message }) => ({ path: `settings.${path}`, message }));
    throw new AppError("invalid", `Nothing was imported: settings: ${error.message}`, { errors });
  }
}
