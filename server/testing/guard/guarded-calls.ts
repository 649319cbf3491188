import type { JsonObject } from "@/contracts/common";
import type { GuardedTool, GuardRequest } from "@/server/guard/call/guard-request";
import { compilePolicy, type Policy } from "@/server/guard/compile-policy";
import type { DetectorSettings } from "@/server/guard/detectors/detector";
import { reads, writes } from "@/server/guard/effects/declare-effects";
import { noAllowedHosts } from "@/server/guard/hosts/allowed-hosts";
import type { RuleContent } from "@/server/guard/matching/compile-rule";
import { noSensitivePaths } from "@/server/guard/paths/sensitive-globs";
import type { PolicyConfig } from "@/server/guard/policy-config";

export const shellTool: GuardedTool = {
  name: "shell_execute",
  source: "builtin",
  sourceRef: null,
  effect: "destroy",
  surface: "natural",
  needs: ["shell"],
  primaryArgument: "command",
};
export const readTool: GuardedTool = {
  ...shellTool,
  name: "read_file",
  effect: "read",
  needs: ["files"],
  primaryArgument: "path",
  effects: ({ path }) => [reads("/path", String(path))],
};
export const writeTool: GuardedTool = {
  ...readTool,
  name: "write_file",
  effect: "write",
  effects: ({ path }) => [writes("/path", String(path))],
};
/** A tool of an MCP server, without a primary argument. */
export const mcpTool: GuardedTool = {
  ...shellTool,
  name: "notes__save_note",
  effect: "write",
  source: "mcp",
  needs: [],
  primaryArgument: null,
};

/** Builds a call of a tool with these arguments. */
export function buildRequest(tool: GuardedTool, args: JsonObject): GuardRequest {
  return { tool, arguments: args, context: { interactive: true } };
}

export const shellCall = (command: string) => buildRequest(shellTool, { command });

/** Builds a rule that allows every tool, unless `content` says otherwise. */
export function buildRule(content: Partial<RuleContent> = {}): RuleContent {
  const nothing = {
    parameter: null,
    pattern: null,
    excludePattern: null,
    comparisons: [],
    context: null,
    reason: "",
    expiresAt: null,
    relaxes: [],
    approvers: null,
  };
  return { id: "a", name: "A rule", tool: "*", verdict: "allow", priority: 100, enabled: true, ...nothing, ...content };
}

/** Builds a policy with these rules; missing ids follow the rules' order. */
export function policyOfRules(rules: readonly Partial<RuleContent>[], config: Partial<PolicyConfig> = {}): Policy {
  return compilePolicy({
    version: 7,
    config: { enabled: true, defaultPolicy: "by_effect", detectors: {}, deniedTools: [], sensitivePaths: [], allowedHosts: [], ...config },
    rules: rules.map((rule, index) => buildRule({ id: `rule-${index + 1}`, name: `Rule ${index + 1}`, ...rule })),
  });
}

/** Detector settings of a workspace without configuration. */
export const noDetectorSettings: DetectorSettings = { sensitivePaths: noSensitivePaths, allowedHosts: noAllowedHosts };
