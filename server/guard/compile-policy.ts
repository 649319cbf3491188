import { hash } from "node:crypto";
import type { Verdict } from "@/contracts/decision";
import { commandToolNames } from "@/contracts/generated-tools";
import type { GuardRule } from "@/contracts/guard";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import { actionOfSubject, type CallAction } from "@/contracts/rule-subjects";
import { commandsOfCall } from "./actions/commands-of-call";
import type { AnalyzedCall } from "./analyzed-call";
import { allDetectors } from "./detectors/all-detectors";
import { compileDetectors, type Detected } from "./detectors/detect";
import type { Detector } from "./detectors/detector";
import { type CompiledGrants, noGrants } from "./grants/compiled-grants";
import type { GuardedTool } from "./guard-request";
import { type AllowedHosts, compileAllowedHosts } from "./hosts/allowed-hosts";
import { type CompiledPattern, compileLazily } from "./matching/argument-pattern";
import { type ContextTest, compileContext } from "./matching/match-context";
import { compileToolPattern, namesOneTool } from "./matching/tool-pattern";
import { memoizeLast } from "./memoize-last";
import { compileSensitivePaths, type SensitivePaths } from "./paths/sensitive-globs";
import type { PolicyConfig } from "./policy-config";

/** The part of a guard rule that the guard needs. */
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
  | "approvers"
>;

export type CompiledRule = Omit<RuleContent, "pattern" | "excludePattern" | "context" | "enabled" | "expiresAt" | "relaxes" | "reason"> & {
  /** Milliseconds since 1970; null never. */
  expiresAt: number | null;
  covers: (tool: GuardedTool) => boolean;
  /** The action that the rule is about; null for a rule about tools. */
  action: CallAction | null;
  /** The rule denies or asks about a command of one tool, and holds for the commands of every other tool, too. */
  holdsElsewhere: boolean;
  /** Compiled on first use; null when every call of the tool matches. */
  pattern: () => CompiledPattern | null;
  /** The exception's pattern, compiled on first use; null without an exception. */
  exclude: () => CompiledPattern | null;
  /** Null when the rule holds for every context. */
  context: ContextTest | null;
  /** Detectors whose findings do not count for calls that this rule decides. */
  relaxes: readonly Detector[];
  /** Builds the reason of a decision by this rule. */
  reasonFor: (tool: GuardedTool) => string;
  /** SHA-256 of the rule's meaning, without its position, its name and its on/off switch. */
  digest: () => string;
};

/** The rules of a workspace at one version, ready to decide with. */
export type Policy = {
  version: number;
  /** Digest of the policy file that some of the rules come from; null without a policy file. */
  fileDigest: string | null;
  config: PolicyConfig;
  /** Enabled rules, in the order in which they are tried. */
  rules: readonly CompiledRule[];
  /** Returns the enabled rules that cover a tool. Computed once per tool, so rules of other tools cost a call nothing. */
  rulesFor: (tool: GuardedTool) => readonly CompiledRule[];
  /** Returns the rules to try on a call: those of its tool, and rules about commands of other tools if it runs commands. */
  rulesForCall: (call: AnalyzedCall) => readonly CompiledRule[];
  /** Returns the entry of the list of denied tools that covers a tool; null when no entry does. */
  deniedBy: (tool: GuardedTool) => string | null;
  detect: (call: AnalyzedCall) => Detected;
  sensitivePaths: SensitivePaths;
  allowedHosts: AllowedHosts;
  /** Grants, by which people approved calls in advance. */
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
  const sensitivePaths = compileSensitivePaths(config.sensitivePaths);
  const allowedHosts = compileAllowedHosts(config.allowedHosts);
  const inOrder = rules.filter(({ enabled }) => enabled).toSorted(compareRuleOrder);
  return policyWith({
    version,
    fileDigest,
    config,
    rules: inOrder.map(compileRule),
    deniedBy: compileDeniedTools(config),
    detect: compileDetectors(config.detectors, { sensitivePaths, allowedHosts }),
    sensitivePaths,
    allowedHosts,
    grants,
  });
}

/** Returns a policy in which the rule is added, or replaces the rule with the same id. */
export function withRule(policy: Policy, rule: RuleContent): Policy {
  const others = policy.rules.filter(({ id }) => id !== rule.id);
  const rules = rule.enabled ? [...others, compileRule(rule)].toSorted(compareRuleOrder) : others;
  return policyWith({ ...policy, rules });
}

function compileDeniedTools({ deniedTools }: PolicyConfig): Policy["deniedBy"] {
  const entries = deniedTools.map((pattern) => ({ pattern, covers: compileToolPattern(pattern) }));
  return (tool) => {
    for (const { pattern, covers } of entries) if (covers(tool)) return pattern;
    return null;
  };
}

/** Compares rules by priority, highest first; of equal priorities, the older rule comes first. */
export function compareRuleOrder(a: Pick<RuleContent, "id" | "priority">, b: Pick<RuleContent, "id" | "priority">): number {
  return b.priority - a.priority || (a.id < b.id ? -1 : 1);
}

/** Builds a policy's lookup. Rules that name a tool are found by name; globs and kinds are tested once per tool. */
function policyWith(content: Omit<Policy, "rulesFor" | "rulesForCall">): Policy {
  const byName = new Map<string, Placed[]>();
  const others: Placed[] = [];
  const elsewhere: Placed[] = [];
  for (const [place, rule] of content.rules.entries()) {
    const named = namesOneTool(rule.tool) ? (byName.get(rule.tool) ?? []) : others;
    named.push({ place, rule });
    if (named !== others) byName.set(rule.tool, named);
    if (rule.holdsElsewhere) elsewhere.push({ place, rule });
  }
  const byTool = new Map<string, readonly CompiledRule[]>();
  // A registered tool is the same object in many calls, so this cache needs no key to be built.
  const byObject = new WeakMap<GuardedTool, readonly CompiledRule[]>();
  const placedFor = (tool: GuardedTool): Placed[] => [...(byName.get(tool.name) ?? []), ...others.filter(({ rule }) => rule.covers(tool))];
  const inPlace = (placed: Placed[]) => placed.sort((a, b) => a.place - b.place).map(({ rule }) => rule);
  const find = (tool: GuardedTool): readonly CompiledRule[] => {
    const key = [tool.name, tool.source, tool.effect, tool.surface, ...tool.needs].join(" ");
    const known = byTool.get(key);
    if (known) return known;
    const found = inPlace(placedFor(tool));
    byTool.set(key, found);
    return found;
  };
  const withElsewhere = new Map<string, readonly CompiledRule[]>();
  const findElsewhere = (tool: GuardedTool): readonly CompiledRule[] => {
    const key = [tool.name, tool.source, tool.effect, tool.surface, ...tool.needs].join(" ");
    const known = withElsewhere.get(key);
    if (known) return known;
    const more = elsewhere.filter(({ rule }) => rule.tool !== tool.name);
    const found = more.length === 0 ? find(tool) : inPlace([...placedFor(tool), ...more]);
    withElsewhere.set(key, found);
    return found;
  };
  const rulesFor = (tool: GuardedTool) => {
    const known = byObject.get(tool);
    if (known) return known;
    const found = find(tool);
    byObject.set(tool, found);
    return found;
  };
  const byObjectElsewhere = new WeakMap<GuardedTool, readonly CompiledRule[]>();
  return {
    ...content,
    rulesFor,
    rulesForCall: (call) => {
      const { tool } = call;
      if (elsewhere.length === 0 || !runsAnyCommand(call)) return rulesFor(tool);
      const known = byObjectElsewhere.get(tool);
      if (known) return known;
      const found = findElsewhere(tool);
      byObjectElsewhere.set(tool, found);
      return found;
    },
  };
}

type Placed = { place: number; rule: CompiledRule };

function runsAnyCommand(call: AnalyzedCall): boolean {
  if (call.commands.length > 0) return true;
  const { readings, startsUnknown } = commandsOfCall(call);
  return readings.length > 0 || startsUnknown;
}

/**
 * Returns whether a rule about a tool's commands holds for the commands of other tools, too: the same command runs in
 * other tools that run commands, so a rule that denies it in one tool would hold for nobody who knows the others.
 */
export function holdsElsewhere({
  tool,
  verdict,
  pattern,
  parameter,
  comparisons,
}: Pick<RuleContent, "tool" | "verdict" | "pattern" | "parameter" | "comparisons">): boolean {
  const isAboutCommand = parameter === null || /^\/?(?:command|code)$/.test(parameter);
  return verdict !== "allow" && pattern !== null && isAboutCommand && comparisons.length === 0 && commandToolNames.includes(tool);
}

export function compileRule({ enabled, expiresAt, pattern, excludePattern, context, relaxes, reason, ...rule }: RuleContent): CompiledRule {
  const { id, name, tool, parameter, comparisons, verdict, approvers } = rule;
  let digest: string | null = null;
  const relaxed = relaxes.length === 0 ? noDetectors : allDetectors.filter(({ id, relaxable }) => relaxable && relaxes.includes(id));
  return {
    ...rule,
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    covers: compileToolPattern(tool),
    action: actionOfSubject(tool),
    holdsElsewhere: holdsElsewhere({ tool, verdict, pattern, parameter, comparisons }),
    pattern: compiledOnce(pattern),
    exclude: compiledOnce(excludePattern),
    context: context && compileContext(context),
    relaxes: relaxed,
    // Memoized, because consecutive calls often use the same tool.
    reasonFor: memoizeLast((tool) => reason || `Rule "${name}" ${does[verdict]} this call of ${tool.name}.`),
    digest: () => {
      if (digest !== null) return digest;
      // Absent conditions are omitted, so that a digest stays the same when rules gain new kinds of conditions.
      const asks = {
        ...(excludePattern === null ? {} : { excludePattern }),
        ...(comparisons.length === 0 ? {} : { comparisons }),
        ...(context === null ? {} : { context }),
        ...(approvers === null ? {} : { approvers }),
        ...(relaxed.length === 0 ? {} : { relaxes: relaxed.map((detector) => detector.id) }),
      };
      digest = computeDigest({ id, tool, parameter, pattern, verdict, reason, ...asks });
      return digest;
    },
  };
}

const does: Record<Verdict, string> = { allow: "allows", deny: "denies", require_approval: "requires approval for" };

const noDetectors: readonly Detector[] = [];

function compiledOnce(pattern: string | null): () => CompiledPattern | null {
  let compiled: CompiledPattern | null = null;
  return () => {
    if (pattern !== null) compiled ??= compileLazily(pattern);
    return compiled;
  };
}

/** Computes the SHA-256 of a content; equal contents have equal digests. */
export function computeDigest(content: unknown): string {
  return hash("sha256", canonicalJson(content));
}
