import type { GuardConfig } from "@/contracts/guard/guard";

/** The settings of a policy that decide, without its rules. */
export type PolicyConfig = Pick<GuardConfig, "enabled" | "defaultPolicy" | "detectors" | "deniedTools" | "sensitivePaths" | "allowedHosts">;
