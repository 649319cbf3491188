import "server-only";
import path from "node:path";
import type { PolicyFileStatus } from "@/contracts/guard/policy";
import type { Authorized } from "@/server/auth/actor";
import { policyFile } from "./policy-file";

/** Presents the policy file of this replica without its path, which people may not see. */
export function policyFileStatus(_actor: Authorized<"guard:read">): { file: PolicyFileStatus | null } {
  const state = policyFile();
  if (state === null) return { file: null };
  const { file, readAt, mistake } = state;
  return {
    file: {
      name: path.basename(state.path),
      digest: file.digest.slice(0, 12),
      rules: file.rules.length,
      readAt: readAt.toISOString(),
      mistake: mistake && { ...mistake, at: mistake.at.toISOString() },
    },
  };
}
