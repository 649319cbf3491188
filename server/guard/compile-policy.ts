import { hash } from "node:crypto";
import type { Verdict } from "@/contracts/decision";
import type { GuardConfig, GuardRule } from "@/contracts/guard";
import { canonicalJson } from "@/server/platform/canonical-json";
import type { GuardedTool } from "./asked-call";
import type { CallOnTrial } from "./call-on-trial";
import { allDetectors } from "./detectors/all-detectors";
import { compileDetectors, type Detected } from "./detectors/detect";
import type { Detector } from "./detectors/detector";
import { type CompiledGrants, noGrants } from "./grants/compiled-grants";
import { type CompiledPattern, compileLazily } from "./matching/argument-pattern";
import { type ContextTest, compileContext } from "./matching/match-context";
import { compileToolPattern, namesOneTool } from "./matching/tool-pattern";
import { rememberLatest } from "./remember-latest";

/** What the guard needs to know of a rule. */
export type RuleContent = Pick<
  GuardRule,
  | "id"
  | "name"
  | "tool"
  | "parameter"
  | "pattern"
  | "excludePattern"
  | "comparisons"
  | "context"
  | "verdict"
  | "priority"
  | "enabled"
  | "reason"
  | "expiresAt"
  | "relaxes"
>;

export type CompiledRule = Omit<RuleContent, "pattern" | "excludePattern" | "context" | "enabled" | "expiresAt" | "relaxes" | "reason"> & {
  /** Milliseconds since 1970; null never. */
  expiresAt: number | null;
  covers: (tool: GuardedTool) => boolean;
  /** Compiled when it is first needed; null when every call of the tool matches. */
  pattern: () => CompiledPattern | null;
  /** The same for what the rule does not match; null when there is no exception. */
  exclude: () => CompiledPattern | null;
  /** null when the rule holds wherever a call comes from. */
  context: ContextTest | null;
  /** Detectors whose findings decide nothing about the calls that it decides. */
  relaxes: readonly Detector[];
  /** What is said of a call that it decides. */
  reasonFor: (tool: GuardedTool) => string;
  /** SHA-256 of what the rule means; its place, its name and its switch are not part of that. */
  digest: () => string;
};

export type PolicyConfig = Pick<GuardConfig, "enabled" | "defaultPolicy" | "detectors" | "deniedTools" | "sensitivePaths">;

/** The rules of a workspace at one version, ready to decide with. */
export type Policy = {
  version: number;
  /** Of the policy file's rules among them; null without a file. */
  fileDigest: string | null;
  config: PolicyConfig;
  /** In the order in which they are tried; without those that are switched off. */
  rules: readonly CompiledRule[];
  /** Those of them that are for a tool, found once a tool: a call costs nothing for the rules of other tools. */
  rulesFor: (tool: GuardedTool) => readonly CompiledRule[];
  /** The entry of the list of denied tools that covers a tool; null when none does. */
  deniedBy: (tool: GuardedTool) => string | null;
  detect: (call: CallOnTrial) => Detected;
  /** Calls that somebody approved in advance. */
  grants: CompiledGrants;
};

export function compilePolicy({
  version,
  fileDigest = null,
  config,
  rules,
  grants = noGrants,
}: {
  version: number;
  grants?: CompiledGrants;
  fileDigest?: string | null;
  config: PolicyConfig;
  rules: readonly RuleContent[];
}): Policy {
  const inOrder = rules.filter(({ enabled }) => enabled).toSorted(inTheOrderTried);
  return policyWith({
    version,
    fileDigest,
    config,
    rules: inOrder.map(compileRule),
    deniedBy: compileDeniedTools(config),
    detect: compileDetectors(config),
    grants,
  });
}

/** A policy with one rule more, or with another content for one that it has. */
export function withRule(policy: Policy, rule: RuleContent): Policy {
  const others = policy.rules.filter(({ id }) => id !== rule.id);
  const rules = rule.enabled ? [...others, compileRule(rule)].toSorted(inTheOrderTried) : others;
  return policyWith({ ...policy, rules });
}

function compileDeniedTools({ deniedTools }: PolicyConfig): Policy["deniedBy"] {
  const entries = deniedTools.map((pattern) => ({ pattern, covers: compileToolPattern(pattern) }));
  return (tool) => {
    for (const { pattern, covers } of entries) if (covers(tool)) return pattern;
    return null;
  };
}

/** Higher priority first; between equals the older one. */
export function inTheOrderTried(a: Pick<RuleContent, "id" | "priority">, b: Pick<RuleContent, "id" | "priority">): number {
  return b.priority - a.priority || (a.id < b.id ? -1 : 1);
}

/** Rules that name a tool are found by its name; only patterns and kinds of tools are looked at one by one, once a tool. */
function policyWith(content: Omit<Policy, "rulesFor">): Policy {
  const byName = new Map<string, Placed[]>();
  const others: Placed[] = [];
  for (const [place, rule] of content.rules.entries()) {
    const named = namesOneTool(rule.tool) ? (byName.get(rule.tool) ?? []) : others;
    named.push({ place, rule });
    if (named !== others) byName.set(rule.tool, named);
  }
  const byTool = new Map<string, readonly CompiledRule[]>();
  // A registered tool is the same object for many calls: it is found without making its key.
  const byObject = new WeakMap<GuardedTool, readonly CompiledRule[]>();
  const find = (tool: GuardedTool): readonly CompiledRule[] => {
    const key = [tool.name, tool.source, tool.effect, tool.surface, ...tool.needs].join(" ");
    const known = byTool.get(key);
    if (known) return known;
    const covering = [...(byName.get(tool.name) ?? []), ...others.filter(({ rule }) => rule.covers(tool))];
    const found = covering.sort((a, b) => a.place - b.place).map(({ rule }) => rule);
    byTool.set(key, found);
    return found;
  };
  return {
    ...content,
    rulesFor: (tool) => {
      const known = byObject.get(tool);
      if (known) return known;
      const found = find(tool);
      byObject.set(tool, found);
      return found;
    },
  };
}

type Placed = { place: number; rule: CompiledRule };

export function compileRule({ enabled, expiresAt, pattern, excludePattern, context, relaxes, reason, ...rule }: RuleContent): CompiledRule {
  const { id, name, tool, parameter, comparisons, verdict } = rule;
  let digest: string | null = null;
  const relaxed = relaxes.length === 0 ? noDetectors : allDetectors.filter(({ id, relaxable }) => relaxable && relaxes.includes(id));
  return {
    ...rule,
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    covers: compileToolPattern(tool),
    pattern: compiledOnce(pattern),
    exclude: compiledOnce(excludePattern),
    context: context && compileContext(context),
    relaxes: relaxed,
    // Of the same tool again and again: the sentence is made once.
    reasonFor: rememberLatest((tool) => reason || `The rule "${name}" ${does[verdict]} this call of ${tool.name}.`),
    digest: () => {
      if (digest !== null) return digest;
      // What a rule does not ask for is left out, so that a digest outlives what rules learn to ask for.
      const asks = {
        ...(excludePattern === null ? {} : { excludePattern }),
        ...(comparisons.length === 0 ? {} : { comparisons }),
        ...(context === null ? {} : { context }),
        ...(relaxed.length === 0 ? {} : { relaxes: relaxed.map((detector) => detector.id) }),
      };
      digest = digestOf({ id, tool, parameter, pattern, verdict, reason, ...asks });
      return digest;
    },
  };
}

const does: Record<Verdict, string> = { allow: "allows", deny: "denies", require_approval: "asks a person about" };

const noDetectors: readonly Detector[] = [];

function compiledOnce(pattern: string | null): () => CompiledPattern | null {
  let compiled: CompiledPattern | null = null;
  return () => {
    if (pattern !== null) compiled ??= compileLazily(pattern);
    return compiled;
  };
}

/** SHA-256 of a content: equal contents, equal digests. */
export function digestOf(content: unknown): string {
  return hash("sha256", canonicalJson(content));
}
