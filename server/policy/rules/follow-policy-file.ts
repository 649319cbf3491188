import "server-only";
import { workspaces } from "@/db/schema";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { changePolicyAs } from "../change-policy";
import { policyFile, watchPolicyFile } from "../policy-file/policy-file";

const retryMs = 5_000;

/**
 * Puts the policy file in force in this process, records it in each workspace's list of versions, and repeats both whenever
 * the file changes.
 * @returns a function that stops watching, and waits for the version that is being recorded
 * @throws StartError for a file that cannot be used
 */
export async function followPolicyFile(): Promise<() => Promise<void>> {
  let isStopped = false;
  let retry: NodeJS.Timeout | null = null;
  let recording = Promise.resolve();
  const record = () => {
    recording = recording.then(recordOnce);
  };
  const recordOnce = async () => {
    try {
      await recordPolicyFile();
    } catch (error) {
      // The rules already hold in this process; only the list of versions is late.
      log().warn({ err: error }, `the policy file's version could not be recorded yet: ${toErrorMessage(error)}`);
      if (!isStopped) retry = setTimeout(record, retryMs).unref();
    }
  };
  // `loadPolicy` compares the file's digest, so new rules hold before the version is recorded.
  const unwatch = watchPolicyFile(record);
  await recordPolicyFile();
  return async () => {
    isStopped = true;
    unwatch();
    await recording;
    if (retry) clearTimeout(retry);
  };
}

/** Adds a version to each workspace whose recorded file digest differs. The row lock lets only one replica add a version. */
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
