import "server-only";
import { workspaces } from "@/db/schema";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { messageOf } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { changePolicyAs } from "../rules/change-policy";
import { policyFile, watchPolicyFile } from "./policy-file";

const retryMs = 5_000;

/**
 * Puts the policy file in force, in this process at once and in each workspace's list of versions, and again whenever it
 * changes.
 * @returns stops watching
 * @throws StartError for a file that cannot be used
 */
export async function followPolicyFile(): Promise<() => Promise<void>> {
  let isStopped = false;
  let retry: NodeJS.Timeout | null = null;
  const record = async () => {
    try {
      await recordPolicyFile();
    } catch (error) {
      // The rules hold already; only the list of versions has to wait.
      log().warn({ err: error }, `the policy file's version could not be recorded yet: ${messageOf(error)}`);
      if (!isStopped) retry = setTimeout(() => void record(), retryMs).unref();
    }
  };
  // Every decision compares the file's digest, so its rules hold already.
  const unwatch = watchPolicyFile(() => void record());
  await recordPolicyFile();
  return async () => {
    isStopped = true;
    unwatch();
    if (retry) clearTimeout(retry);
  };
}

/** Makes a version in each workspace whose newest one is of another file; of several replicas one does. */
async function recordPolicyFile(): Promise<void> {
  const digest = policyFile()?.file.digest ?? null;
  for (const { id: workspaceId } of await db().select({ id: workspaces.id }).from(workspaces)) {
    await changePolicyAs({ workspaceId, actor: systemActor, requestId: null }, async (_tx, { policyFileDigest }) => {
      if (policyFileDigest === digest) return null;
      const rules = policyFile()?.file.rules.length ?? 0;
      const summary =
        digest === null
          ? "The policy file was taken away"
          : `${policyFileDigest === null ? "A policy file came" : "The policy file changed"}: ${rules} ${rules === 1 ? "rule" : "rules"}`;
      const data = { old: policyFileDigest, new: digest, rules };
      return { answer: null, event: "guard_policy_file.changed", subject: null, summary, data };
    });
  }
}
