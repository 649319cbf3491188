import type { GuardConfigPatch } from "@/contracts/guard";

/** Everything of a guard's configuration that a version of the policy holds and a restore brings back. */
export type PolicySettings = Required<GuardConfigPatch>;

/** The settings out of a row or a configuration that has more. */
export function settingsOf(config: PolicySettings): PolicySettings {
  const { enabled, defaultPolicy, approvalTimeoutSeconds, detectors, deniedTools, sensitivePaths } = config;
  return { enabled, defaultPolicy, approvalTimeoutSeconds, detectors, deniedTools, sensitivePaths };
}

/** What a version that is older than a setting had in its place. */
export const settingsBefore = { detectors: {}, deniedTools: [], sensitivePaths: [] } satisfies Partial<PolicySettings>;
