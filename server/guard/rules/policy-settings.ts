import type { GuardConfigPatch } from "@/contracts/guard";
import { defaultEscalatePatterns } from "@/contracts/surface";

/** Everything of a guard's configuration that a version of the policy holds and a restore brings back. */
export type PolicySettings = Required<GuardConfigPatch>;

/** The settings out of a row or a configuration that has more. */
export function settingsOf(config: PolicySettings): PolicySettings {
  const { enabled, defaultPolicy, approvalTimeoutSeconds, detectors, deniedTools, sensitivePaths, escalatePatterns } = config;
  return { enabled, defaultPolicy, approvalTimeoutSeconds, detectors, deniedTools, sensitivePaths, escalatePatterns };
}

/** What a version that is older than a setting had in its place. */
export const settingsBefore = {
  detectors: {},
  deniedTools: [],
  sensitivePaths: [],
  escalatePatterns: [...defaultEscalatePatterns],
} satisfies Partial<PolicySettings>;
