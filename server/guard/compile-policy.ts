import { commandsOfCall } from "./actions/commands-of-call";
import type { AnalyzedCall } from "./call/analyzed-call";
import type { GuardedTool } from "./call/guard-request";
import { compileDetectors, type Detected } from "./detectors/detect";
import { type CompiledGrants, noGrants } from "./grants/compiled-grants";
import { type AllowedHosts, compileAllowedHosts } from "./hosts/allowed-hosts";
import { type CompiledRule, compareRuleOrder, compileRule, type RuleContent } from "./matching/compile-rule";
import { compileToolPattern, namesOneTool } from "./matching/tool-pattern";
import { compileSensitivePaths, type SensitivePaths } from "./paths/sensitive-globs";
import type { PolicyConfig } from "./policy-config";

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

const policyWith = (content: Omit<Policy, "rulesFor" | "rulesForCall">): Policy => ({ ...content, ...ruleLookup(content.rules) });

/**
 * Builds the lookup of rules by tool. Rules that name a tool are found by name; globs and kinds are tested once per tool.
 * @param rules in the order in which they are tried
 */
export function ruleLookup(rules: readonly CompiledRule[]): Pick<Policy, "rulesFor" | "rulesForCall"> {
  const byName = new Map<string, Placed[]>();
  const others: Placed[] = [];
  const elsewhere: Placed[] = [];
  for (const [place, rule] of rules.entries()) {
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
