import type { JsonObject } from "@/contracts/common";
import type { AskedCall, GuardedTool } from "@/server/guard/asked-call";
import { compilePolicy, type Policy, type PolicyConfig, type RuleContent } from "@/server/guard/compile-policy";

export const shellTool: GuardedTool = {
  name: "shell_execute",
  source: "builtin",
  sourceRef: null,
  effect: "destroy",
  surface: "natural",
  needs: ["shell"],
  primaryArgument: "command",
};
export const readTool: GuardedTool = { ...shellTool, name: "read_file", effect: "read", needs: ["files"], primaryArgument: "path" };
export const writeTool: GuardedTool = { ...readTool, name: "write_file", effect: "write" };
/** A tool of an MCP server, which declares no primary argument. */
export const mcpTool: GuardedTool = { ...writeTool, name: "notes__save_note", source: "mcp", needs: [], primaryArgument: null };

/** A call of a tool with these arguments, or of the shell with this command. */
export function callOf(tool: GuardedTool, args: JsonObject): AskedCall {
  return { tool, arguments: args, context: { interactive: true } };
}

export const shellCall = (command: string) => callOf(shellTool, { command });

/** A rule that allows every tool, but for what is said. */
export function ruleOf(content: Partial<RuleContent> = {}): RuleContent {
  const nothing = {
    parameter: null,
    pattern: null,
    excludePattern: null,
    comparisons: [],
    context: null,
    reason: "",
    expiresAt: null,
    relaxes: [],
  };
  return { id: "a", name: "A rule", tool: "*", verdict: "allow", priority: 100, enabled: true, ...nothing, ...content };
}

/** A policy with these rules; its ids follow their order where they say none. */
export function policyOfRules(rules: readonly Partial<RuleContent>[], config: Partial<PolicyConfig> = {}): Policy {
  return compilePolicy({
    version: 7,
    config: { enabled: true, defaultPolicy: "by_effect", detectors: {}, deniedTools: [], sensitivePaths: [], ...config },
    rules: rules.map((rule, index) => ruleOf({ id: `rule-${index + 1}`, name: `Rule ${index + 1}`, ...rule })),
  });
}
