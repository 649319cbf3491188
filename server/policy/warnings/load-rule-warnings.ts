import "server-only";
import type { RuleWarning } from "@/contracts/guard/rule-subjects";
import type { Db } from "@/db/client";
import { listGuardedTools } from "../find-guarded-tool";
import { readArgumentNames } from "./argument-names";
import type { WarnedRule } from "./machine-programs";
import { ruleWarnings } from "./rule-warnings";

/** Reads a workspace's tools, and returns what warns about its rules. */
export async function loadRuleWarnings(tx: Db, workspaceId: string): Promise<(rule: WarnedRule) => RuleWarning[]> {
  const tools = await listGuardedTools(tx, workspaceId);
  const argumentNames = await readArgumentNames(tx, workspaceId);
  return (rule) => ruleWarnings(rule, tools, argumentNames);
}
