import { createHash } from "node:crypto";
import type { GuardConfig, GuardRule } from "@/contracts/guard";
import { canonicalJson } from "@/server/platform/canonical-json";
import { type CompiledPattern, compilePattern } from "./argument-pattern";
import type { GuardedTool } from "./asked-call";
import { compileToolPattern } from "./tool-pattern";

/** What the guard needs to know of a rule. */
export type RuleContent = Pick<
  GuardRule,
  "id" | "name" | "tool" | "parameter" | "pattern" | "verdict" | "priority" | "enabled" | "reason" | "expiresAt"
>;

export type CompiledRule = Omit<RuleContent, "pattern" | "enabled" | "expiresAt"> & {
  /** Milliseconds since 1970; null never. */
  expiresAt: number | null;
  covers: (tool: GuardedTool) => boolean;
  /** Compiled when it is first needed; null when every call of the tool matches. */
  pattern: () => CompiledPattern | null;
  /** SHA-256 of what the rule means; its place, its name and its switch are not part of that. */
  digest: string;
};

export type PolicyConfig = Pick<GuardConfig, "enabled" | "defaultPolicy">;

/** The rules of a workspace at one version, ready to decide with. */
export type Policy = {
  version: number;
  config: PolicyConfig;
  /** In the order in which they are tried; without those that are switched off. */
  rules: readonly CompiledRule[];
  /** Those of them that are for a tool, found once a tool: a call costs nothing for the rules of other tools. */
  rulesFor: (tool: GuardedTool) => readonly CompiledRule[];
};

export function compilePolicy({
  version,
  config,
  rules,
}: {
  version: number;
  config: PolicyConfig;
  rules: readonly RuleContent[];
}): Policy {
  const inOrder = rules.filter(({ enabled }) => enabled).toSorted(inTheOrderTried);
  return policyWith({ version, config, rules: inOrder.map(compileRule) });
}

/** A policy with one rule more, or with another content for one that it has. */
export function withRule(policy: Policy, rule: RuleContent): Policy {
  const others = policy.rules.filter(({ id }) => id !== rule.id);
  const rules = rule.enabled ? [...others, compileRule(rule)].toSorted(inTheOrderTried) : others;
  return policyWith({ version: policy.version, config: policy.config, rules });
}

/** Higher priority first; between equals the older one. */
function inTheOrderTried(a: Pick<RuleContent, "id" | "priority">, b: Pick<RuleContent, "id" | "priority">): number {
  return b.priority - a.priority || (a.id < b.id ? -1 : 1);
}

function policyWith(content: Omit<Policy, "rulesFor">): Policy {
  const byTool = new Map<string, readonly CompiledRule[]>();
  return {
    ...content,
    rulesFor: (tool) => {
      const key = [tool.name, tool.source, tool.effect, tool.surface, ...tool.needs].join(" ");
      const known = byTool.get(key);
      if (known) return known;
      const found = content.rules.filter((rule) => rule.covers(tool));
      byTool.set(key, found);
      return found;
    },
  };
}

export function compileRule({ enabled, expiresAt, pattern, ...rule }: RuleContent): CompiledRule {
  const { id, tool, parameter, verdict, reason } = rule;
  let compiled: CompiledPattern | null = null;
  return {
    ...rule,
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    covers: compileToolPattern(tool),
    pattern: () => {
      if (pattern !== null) compiled ??= compilePattern(pattern);
      return compiled;
    },
    digest: digestOf({ id, tool, parameter, pattern, verdict, reason }),
  };
}

/** SHA-256 of a content: equal contents, equal digests. */
export function digestOf(content: unknown): string {
  return createHash("sha256").update(canonicalJson(content)).digest("hex");
}
