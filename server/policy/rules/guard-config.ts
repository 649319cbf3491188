import "server-only";
import { eq } from "drizzle-orm";
import type { DetectorSetting, DetectorSettings, GuardConfig, GuardConfigPatch } from "@/contracts/guard/guard";
import { guardConfig } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { changePolicy } from "../change-policy";
import type { GuardConfigRow } from "./guard-config-row";
import { type PolicySettings, toPolicySettings } from "./policy-settings";
import { usableSettings } from "./usable-settings";

/** Most entries of a list that a summary names. */
const maxShownEntries = 5;

export function presentConfig(config: GuardConfigRow): GuardConfig {
  return { ...toPolicySettings(config), policyVersion: config.policyVersion, updatedAt: config.updatedAt.toISOString() };
}

/** Reads the guard's configuration. */
export async function getConfig(actor: Authorized<"guard:read">): Promise<GuardConfig> {
  const [config] = await db().select().from(guardConfig).where(eq(guardConfig.workspaceId, actor.workspaceId));
  if (!config) throw new Error("this workspace has no policy");
  return presentConfig(config);
}

/**
 * Changes the settings that the patch names.
 * @param patch the new settings, or a function that computes them from the current settings under the policy's lock
 * @param policyVersion from If-Match
 * @throws AppError `stale_version`, `invalid` for a setting that cannot be used
 */
export async function updateConfig(
  actor: Authorized<"guard:write">,
  patch: GuardConfigPatch | ((current: PolicySettings) => GuardConfigPatch),
  policyVersion: number | null,
): Promise<GuardConfig> {
  const { config } = await changePolicy(actor, async (tx, before) => {
    if (policyVersion !== null && policyVersion !== before.policyVersion) {
      throw new AppError("stale_version", "Somebody changed the policy meanwhile. Reload the policy, then repeat your change.");
    }
    const old = toPolicySettings(before);
    const usable = await usableSettings(tx, actor.workspaceId, typeof patch === "function" ? patch(old) : patch);
    if (Object.keys(usable).length > 0) await tx.update(guardConfig).set(usable).where(eq(guardConfig.workspaceId, actor.workspaceId));
    const summary = summaryOf(old, usable);
    return { answer: null, event: "guard_config.updated", subject: null, summary, data: { old, new: { ...old, ...usable } } };
  });
  return presentConfig(config);
}

function summaryOf(
  old: PolicySettings,
  { enabled, defaultPolicy, approvalTimeoutSeconds, requesterMayDecide, ...lists }: GuardConfigPatch,
): string {
  const { detectors, deniedTools, sensitivePaths, allowedHosts, escalatePatterns } = lists;
  const changes = [
    ...(enabled === undefined ? [] : [enabled ? "switched the guard on" : "switched the guard off"]),
    ...(defaultPolicy === undefined ? [] : [`set the default policy to "${policyWords[defaultPolicy]}"`]),
    ...(approvalTimeoutSeconds === undefined ? [] : [`set the approval timeout to ${durationOf(approvalTimeoutSeconds)}`]),
    ...(requesterMayDecide === undefined ? [] : [requesterWords[requesterMayDecide]]),
    ...(detectors === undefined ? [] : [`set detectors: ${changedDetectors(old.detectors, detectors).join(", ") || "none changed"}`]),
    ...(deniedTools === undefined ? [] : [changedList("denied tools", old.deniedTools, deniedTools)]),
    ...(sensitivePaths === undefined ? [] : [changedList("sensitive paths", old.sensitivePaths, sensitivePaths)]),
    ...(allowedHosts === undefined ? [] : [changedList("allowed hosts", old.allowedHosts, allowedHosts)]),
    ...(escalatePatterns === undefined ? [] : [changedList("sensitive verbs", old.escalatePatterns, escalatePatterns)]),
  ].join(", ");
  return changes ? changes.charAt(0).toUpperCase() + changes.slice(1) : "Saved the configuration as it was";
}

const requesterWords: Record<PolicySettings["requesterMayDecide"], string> = {
  always: "let requesters decide their own calls",
  not_critical: "let requesters decide their own calls unless critical",
  never: "let requesters decide none of their own calls",
};

const policyWords: Record<PolicySettings["defaultPolicy"], string> = {
  by_effect: "by effect",
  allow: "allow",
  require_approval: "ask",
  deny: "deny",
};

/** Formats seconds in the largest unit without a remainder: "2 h", "30 min", "45 s". */
function durationOf(seconds: number): string {
  const units = [
    [86_400, "d"],
    [3_600, "h"],
    [60, "min"],
    [1, "s"],
  ] as const;
  const [length, unit] = units.find(([length]) => seconds % length === 0) ?? [1, "s"];
  return `${seconds / length} ${unit}`;
}

function changedDetectors(old: DetectorSettings, next: DetectorSettings): string[] {
  const ids = new Set([...Object.keys(old), ...Object.keys(next)]);
  return [...ids].filter((id) => JSON.stringify(old[id]) !== JSON.stringify(next[id])).map((id) => `${id} ${wordsOf(next[id])}`);
}

function wordsOf(setting: DetectorSetting | undefined): string {
  if (!setting) return "as it comes";
  return setting.enabled ? `gives ${setting.verdict ?? "its own verdict"}` : "off";
}

function changedList(what: string, old: readonly string[], next: readonly string[]): string {
  const added = next.filter((entry) => !old.includes(entry)).map((entry) => `+${entry}`);
  const removed = old.filter((entry) => !next.includes(entry)).map((entry) => `-${entry}`);
  const shown = [...added, ...removed];
  const more = shown.length > maxShownEntries ? ` and ${shown.length - maxShownEntries} more` : "";
  return `changed the ${what}: ${shown.slice(0, maxShownEntries).join(" ") || "nothing"}${more}`;
}
