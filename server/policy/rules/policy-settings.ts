import type { GuardConfigPatch } from "@/contracts/guard/guard";
import { defaultEscalatePatterns } from "@/contracts/tools/surface";

/** The settings that a version of the policy holds and a restore brings back. */
export type PolicySettings = Required<GuardConfigPatch>;

/** Picks the settings out of a row or a configuration. */
export function toPolicySettings(config: PolicySettings): PolicySettings {
  const {
    enabled,
    defaultPolicy,
    approvalTimeoutSeconds,
    detectors,
    deniedTools,
    sensitivePaths,
    allowedHosts,
    escalatePatterns,
    requesterMayDecide,
  } = config;
  return {
    enabled,
    defaultPolicy,
    approvalTimeoutSeconds,
    detectors,
    deniedTools,
    sensitivePaths,
    allowedHosts,
    escalatePatterns,
    requesterMayDecide,
  };
}

/** Values of settings in versions that are older than the setting. */
export const settingsBefore = {
  detectors: {},
  deniedTools: [],
  sensitivePaths: [],
  allowedHosts: [],
  requesterMayDecide: "not_critical",
  escalatePatterns: [...defaultEscalatePatterns],
} satisfies Partial<PolicySettings>;
