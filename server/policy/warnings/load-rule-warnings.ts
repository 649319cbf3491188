import "server-only";
import type { RuleWarning } from "@/contracts/guard/rule-subjects";
import { db } from "@/server/platform/database/database";
import { listGuardedTools } from "../find-guarded-tool";
import { readArgumentNames } from "./argument-names";
import type { WarnedRule } from "./machine-programs";
import { ruleWarnings } from "./rule-warnings";

/** Reads a workspace's tools, and returns what warns about its rules. Not for a transaction: it takes connections of its own. */
export async function loadRuleWarnings(workspaceId: string): Promise<(rule: WarnedRule) => RuleWarning[]> {
  const tools = await listGuardedTools(workspaceId);
  const argumentNames = await readArgumentNames(db(), workspaceId);
  return (rule) => ruleWarnings(rule, tools, argumentNames);
}
