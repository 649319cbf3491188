import type { JsonObject } from "@/contracts/common";
import { lookingCommands } from "@/contracts/lib/looking-commands";
import { readersRule, rulesForTwoCalls, sixtyReadersRule } from "@/corpus/guard/escapes";
import { everydayFolder } from "@/corpus/guard/everyday";
import type { GuardContext, GuardedTool, GuardRequest } from "@/server/guard/call/guard-request";
import type { Policy } from "@/server/guard/compile-policy";
import type { RuleContent } from "@/server/guard/matching/compile-rule";
import type { PolicyConfig } from "@/server/guard/policy-config";
import { builtinTools } from "@/server/testing/builtin-tools";
import { mcpTool, policyOfRules, shellTool } from "@/server/testing/guard/guarded-calls";
import { folderFacts } from "@/server/turns/decide/folder-facts";
import { fileKinds } from "@/server/turns/decide/sandbox-openings";

/** A policy, and whether programs run in the sandbox. */
export type Setting = { name: string; policy: Policy; sandboxed: boolean };

const shellRule = (pattern: string): Partial<RuleContent> => ({ tool: shellTool.name, pattern, verdict: "allow" });

/** The rules that a workspace has before anybody wrote one. */
const presetRules: readonly Partial<RuleContent>[] = [shellRule(lookingCommands)];

const setting = (name: string, rules: readonly Partial<RuleContent>[], config: Partial<PolicyConfig> = {}, sandboxed = false): Setting => ({
  name,
  policy: policyOfRules(rules, config),
  sandboxed,
});

/** The rule alone: what it does not cover is asked about. */
export const ruleAlone = { defaultPolicy: "require_approval" } as const;

/** The settings that everything is measured in. */
export const settings = {
  shippedWithSandbox: setting("as shipped, with the sandbox", [], {}, true),
  shippedWithoutSandbox: setting("as shipped, without the sandbox", presetRules),
  looking: setting("the same rule alone; no sandbox", presetRules, ruleAlone),
  readers: setting("allow rule for ls, cat, grep, find; no sandbox", [shellRule(readersRule)], ruleAlone),
  wholeShell: setting("allow rule for the whole shell; no sandbox", [{ tool: shellTool.name, verdict: "allow" }], ruleAlone),
} as const satisfies Record<string, Setting>;

/** For escapes only: sixty programs that are called read-only. */
export const sixtyReaders = setting("allow rule for sixty readers; no sandbox", [shellRule(sixtyReadersRule)], ruleAlone);

/** For escapes in two calls only: rules that allow both calls. */
export const twoCalls = setting("allow rules for writing and running; no sandbox", rulesForTwoCalls, ruleAlone);

/** Our own tools as they ship. */
const ownTools = new Map(builtinTools.map((tool) => [tool.name, tool]));
const mcpTools: Readonly<Record<string, GuardedTool>> = {
  mcp_read: { ...mcpTool, effect: "read" },
  mcp_write: mcpTool,
  mcp_destroy: { ...mcpTool, effect: "destroy" },
};

/** A call as the pipeline would hand it to the guard. */
export function buildRequest(tool: string, args: JsonObject, { sandboxed }: Setting, name?: string): GuardRequest {
  const own = ownTools.get(tool);
  const known = own ? { ...own, source: "builtin" as const, surface: "natural" as const } : mcpTools[tool];
  if (!known) throw new Error(`measure: no tool is called ${tool}.`);
  const parsed = own?.parse(args) ?? { ok: true, value: args };
  if (!parsed.ok) throw new Error(`measure: ${tool} does not take ${JSON.stringify(args)}: ${parsed.message}`);
  const context: GuardContext = { interactive: true, conversationId: "conversation", folder: everydayFolder, sandboxed };
  return { tool: name ? { ...known, name } : known, arguments: parsed.value, context };
}

/** A command in a folder that lies there, with what a look at the folder shows. */
export async function requestIn(folder: string, command: string, setting: Setting): Promise<GuardRequest> {
  const request = buildRequest("shell_execute", { command }, setting);
  const there = { ...request, context: { ...request.context, folder } };
  const facts = await folderFacts(there, {
    folder,
    classify: fileKinds(setting.policy),
    conversationId: "00000000-0000-0000-0000-000000000000",
    madeSince: null,
  });
  return { ...there, context: { ...there.context, ...(facts ? { files: facts } : {}) } };
}
