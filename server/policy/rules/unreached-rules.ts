import "server-only";
import type { EarlierDecision } from "@/contracts/guard/guard";
import { findUnreachedRules } from "@/server/guard/reach/find-unreached-rules";
import { db } from "@/server/platform/database/database";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { versionedCache } from "@/server/platform/signals/versioned-cache";
import { listGuardedTools } from "../find-guarded-tool";
import { policyFile } from "../policy-file/policy-file";
import { loadToolNames } from "../tool-names";
import { readPolicy } from "./read-policy";

const minuteMs = 60_000;

/** Returns the rules of a workspace and its policy file that never decide a call, each with what decides before it. */
export const loadUnreachedRules = versionedCache<ReadonlyMap<string, EarlierDecision>>(
  "policy.unreachedRules",
  async (workspaceId) => {
    const { rules, deniedTools, tools } = await readRulesAndTools(workspaceId);
    return findUnreachedRules(rules, { deniedTools, tools, now: sharedNowMs() });
  },
  // Rules expire without a change of the configuration.
  () => Math.floor(sharedNowMs() / minuteMs),
);

/** Reads every rule with the tools' present names, and all that decides which of them are reached. */
export async function readRulesAndTools(workspaceId: string) {
  const [{ config, rules }, tools, toolNames] = await Promise.all([
    readPolicy(workspaceId),
    listGuardedTools(workspaceId),
    loadToolNames(db(), workspaceId),
  ]);
  const fileRules = (policyFile()?.file.rules ?? []).map((rule) => ({ ...rule, tool: toolNames(rule.tool) }));
  return { rules: [...rules, ...fileRules], deniedTools: config.deniedTools, tools };
}
