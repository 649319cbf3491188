import "server-only";
import path from "node:path";
import type { PolicyFileStatus } from "@/contracts/policy";
import type { Holder } from "@/server/auth/actor";
import { policyFile } from "./policy-file";

/** The policy file of this replica, as far as people may know: not where it lies. */
export function policyFileStatus(_actor: Holder<"guard:read">): { file: PolicyFileStatus | null } {
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
