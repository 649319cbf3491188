import "server-only";
import { eq } from "drizzle-orm";
import type { DetectorSetting, DetectorSettings, GuardConfig, GuardConfigPatch } from "@/contracts/guard";
import { guardConfig } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { changePolicy, type GuardConfigRow } from "./change-policy";
import { type PolicySettings, settingsOf } from "./policy-settings";
import { usableSettings } from "./usable-settings";

/** A summary names so many entries of a list. */
const maxShownEntries = 5;

export function presentConfig(config: GuardConfigRow): GuardConfig {
  return { ...settingsOf(config), policyVersion: config.policyVersion, updatedAt: config.updatedAt.toISOString() };
}

/** The guard's configuration. */
export async function getConfig(actor: Holder<"guard:read">): Promise<GuardConfig> {
  const [config] = await db().select().from(guardConfig).where(eq(guardConfig.workspaceId, actor.workspaceId));
  if (!config) throw new Error("this workspace has no policy");
  return presentConfig(config);
}

/**
 * Changes what the patch names.
 * @param patch also as a function of the settings as they stand, which nobody else can change meanwhile
 * @param policyVersion from If-Match
 * @throws AppError `stale_version`, `invalid` for a setting that cannot be used
 */
export async function updateConfig(
  actor: Holder<"guard:write">,
  patch: GuardConfigPatch | ((current: PolicySettings) => GuardConfigPatch),
  policyVersion: number | null,
): Promise<GuardConfig> {
  const { config } = await changePolicy(actor, async (tx, before) => {
    if (policyVersion !== null && policyVersion !== before.policyVersion) {
      throw new AppError("stale_version", "Somebody changed the policy meanwhile. Load it again and repeat your change.");
    }
    const old = settingsOf(before);
    const usable = await usableSettings(tx, actor.workspaceId, typeof patch === "function" ? patch(old) : patch);
    if (Object.keys(usable).length > 0) await tx.update(guardConfig).set(usable).where(eq(guardConfig.workspaceId, actor.workspaceId));
    const summary = summaryOf(old, usable);
    return { answer: null, event: "guard_config.updated", subject: null, summary, data: { old, new: { ...old, ...usable } } };
  });
  return presentConfig(config);
}

function summaryOf(old: PolicySettings, { enabled, defaultPolicy, approvalTimeoutSeconds, ...lists }: GuardConfigPatch): string {
  const { detectors, deniedTools, sensitivePaths, escalatePatterns } = lists;
  const changes = [
    ...(enabled === undefined ? [] : [enabled ? "switched the guard on" : "switched the guard off"]),
    ...(defaultPolicy === undefined ? [] : [`set the default policy to ${defaultPolicy}`]),
    ...(approvalTimeoutSeconds === undefined ? [] : [`set the approval time to ${approvalTimeoutSeconds} s`]),
    ...(detectors === undefined ? [] : [`set detectors: ${changedDetectors(old.detectors, detectors).join(", ") || "none changed"}`]),
    ...(deniedTools === undefined ? [] : [changedList("denied tools", old.deniedTools, deniedTools)]),
    ...(sensitivePaths === undefined ? [] : [changedList("sensitive paths", old.sensitivePaths, sensitivePaths)]),
    ...(escalatePatterns === undefined ? [] : [changedList("escalate words", old.escalatePatterns, escalatePatterns)]),
  ].join(", ");
  return changes ? changes.charAt(0).toUpperCase() + changes.slice(1) : "Saved the configuration as it was";
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
