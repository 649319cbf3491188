import type { EarlierDecision } from "@/contracts/guard/guard";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import type { GuardedTool } from "../call/guard-request";
import { compareRuleOrder, holdsElsewhere, type RuleContent } from "../matching/compile-rule";
import { coversContext } from "./covers-context";
import { coversSubject } from "./covers-subject";
import { type PatternEnd, readLiteralStart, type WordEnd, wordEnds } from "./literal-start";

type Surroundings = {
  deniedTools: readonly string[];
  /** All tools of the workspace. */
  tools: readonly GuardedTool[];
  /** Milliseconds since 1970. */
  now: number;
};

/**
 * Finds the rules that can never decide a call, because an earlier enabled rule decides every call that they could
 * match. Names the first such rule. Only what is proven counts: a rule that is not named may still be unreachable.
 * A rule that is switched off is looked at as if it were on.
 */
export function findUnreachedRules(rules: readonly RuleContent[], surroundings: Surroundings): ReadonlyMap<string, EarlierDecision> {
  const earlier = new EarlierRules(surroundings);
  const found = new Map<string, EarlierDecision>();
  for (const rule of rules.toSorted(compareRuleOrder)) {
    const decision = earlier.deciding(rule);
    if (decision) found.set(rule.id, decision);
    earlier.add(rule);
  }
  return found;
}

/** Finds what decides every call that a rule could match, before it does; null when the rule may decide. */
export function findEarlierDecision(rule: RuleContent, others: readonly RuleContent[], surroundings: Surroundings): EarlierDecision | null {
  const earlier = new EarlierRules(surroundings);
  const before = others.filter((other) => other.id !== rule.id && compareRuleOrder(other, rule) < 0);
  for (const other of before.sort(compareRuleOrder)) earlier.add(other);
  return earlier.deciding(rule);
}

const isOver = ({ expiresAt }: RuleContent, now: number) => expiresAt !== null && Date.parse(expiresAt) <= now;

type Placed = { place: number; rule: RuleContent };

/** Rules with one subject, by what they ask of the text. Thousands of rules of one tool stay fast to search. */
type SubjectRules = {
  /** By parameter, pattern and exception; the empty key holds rules that ask nothing of the text. */
  byPattern: Map<string, Placed[]>;
  /** By parameter and literal start. */
  byStart: Map<string, Placed[]>;
};

const asksNothing = "";

/** The rules that are tried before the one that is looked at. */
class EarlierRules {
  readonly #subjects = new Map<string, SubjectRules>();
  /** Subjects that are globs or kinds, the only ones that cover another subject. */
  readonly #broad: string[] = [];
  /** The broad subjects that cover a subject, among the first `lookedAt` of them. */
  readonly #coveringBroad = new Map<string, { subjects: string[]; lookedAt: number }>();
  readonly #tools: ReadonlyMap<string, GuardedTool>;
  readonly #deniedTools: readonly string[];
  readonly #now: number;
  #count = 0;

  constructor({ tools, deniedTools, now }: Surroundings) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#deniedTools = deniedTools;
    this.#now = now;
  }

  add(rule: RuleContent): void {
    if (!rule.enabled || isOver(rule, this.#now)) return;
    let known = this.#subjects.get(rule.tool);
    if (!known) {
      known = { byPattern: new Map(), byStart: new Map() };
      this.#subjects.set(rule.tool, known);
      if (/[*?:]/.test(rule.tool)) this.#broad.push(rule.tool);
    }
    const placed = { place: this.#count, rule };
    this.#count += 1;
    append(known.byPattern, patternKey(rule), placed);
    const start = rule.pattern === null || rule.excludePattern !== null ? null : readLiteralStart(rule.pattern);
    if (start && isIndexed(start.end)) append(known.byStart, startKey(rule.parameter, start.text, start.end), placed);
  }

  /** Returns what decides every call that a rule could match; of several earlier rules, the first. */
  deciding(rule: RuleContent): EarlierDecision | null {
    // A rule about a command holds for every tool that runs it, whatever decides about its own tool.
    const isElsewhere = holdsElsewhere(rule);
    const holdsAlike = (subject: string) => !isElsewhere || subject === "*";
    const denied = this.#deniedTools.find((entry) => holdsAlike(entry) && coversSubject(entry, rule.tool, this.#tools));
    if (denied !== undefined) return { ruleId: null, name: denied };
    let first: Placed | null = null;
    for (const subject of this.#covering(rule.tool)) {
      for (const candidates of candidatesIn(subject, rule)) {
        const found = candidates.find(
          ({ rule: before }) => (holdsAlike(before.tool) || holdsElsewhere(before)) && decidesWhenever(before, rule),
        );
        if (found && (first === null || found.place < first.place)) first = found;
      }
    }
    return first && { ruleId: first.rule.id, name: first.rule.name };
  }

  #covering(tool: string): SubjectRules[] {
    const known = this.#coveringBroad.get(tool) ?? { subjects: [], lookedAt: 0 };
    this.#coveringBroad.set(tool, known);
    for (; known.lookedAt < this.#broad.length; known.lookedAt += 1) {
      const subject = this.#broad[known.lookedAt];
      if (subject !== undefined && subject !== tool && coversSubject(subject, tool, this.#tools)) known.subjects.push(subject);
    }
    return [tool, ...known.subjects].flatMap((subject) => this.#subjects.get(subject) ?? []);
  }
}

function append(map: Map<string, Placed[]>, key: string, placed: Placed): void {
  const held = map.get(key);
  if (held) held.push(placed);
  else map.set(key, [placed]);
}

function patternKey({ parameter, pattern, excludePattern }: RuleContent): string {
  return pattern === null && excludePattern === null ? asksNothing : JSON.stringify([parameter, pattern, excludePattern]);
}

const startKey = (parameter: string | null, text: string, end: "open" | WordEnd) => JSON.stringify([parameter, text, end]);

const isWordEnd = (end: PatternEnd): end is WordEnd => wordEnds.some((known) => known === end);
const isIndexed = (end: PatternEnd): end is "open" | WordEnd => end === "open" || isWordEnd(end);

/** Returns the word ends that let pass whatever may follow the first `length` characters of a start. */
function wordEndsAfter({ text, end }: { text: string; end: PatternEnd }, length: number): readonly WordEnd[] {
  if (length < text.length) return text.charAt(length) === " " ? wordEnds : [];
  if (end === "whole") return wordEnds;
  return isWordEnd(end) ? wordEnds.slice(0, wordEnds.indexOf(end) + 1) : [];
}

/** The earlier rules whose patterns are found wherever the rule's pattern is found. */
function* candidatesIn({ byPattern, byStart }: SubjectRules, rule: RuleContent): Generator<readonly Placed[]> {
  yield byPattern.get(asksNothing) ?? [];
  const key = patternKey(rule);
  if (key !== asksNothing) yield byPattern.get(key) ?? [];
  const start = rule.pattern === null ? null : readLiteralStart(rule.pattern);
  if (!start || byStart.size === 0) return;
  for (let length = 1; length <= start.text.length; length += 1) {
    const text = start.text.slice(0, length);
    for (const end of ["open", ...wordEndsAfter(start, length)] as const) yield byStart.get(startKey(rule.parameter, text, end)) ?? [];
  }
}

/** Tells whether an earlier rule, whose subject and pattern cover those of a later one, decides each of its calls. */
function decidesWhenever(before: RuleContent, rule: RuleContent): boolean {
  return (
    outlives(before, rule) &&
    coversContext(before.context, rule.context) &&
    hasOnlyComparisonsOf(before, rule) &&
    (asksNothingOfArguments(before) || isAsWideAs(before, rule))
  );
}

function outlives({ expiresAt: until }: RuleContent, { expiresAt }: RuleContent): boolean {
  return until === null || (expiresAt !== null && Date.parse(until) >= Date.parse(expiresAt));
}

function hasOnlyComparisonsOf(before: RuleContent, rule: RuleContent): boolean {
  if (before.comparisons.length === 0) return true;
  const known = new Set(rule.comparisons.map((comparison) => canonicalJson(comparison)));
  return before.comparisons.every((comparison) => known.has(canonicalJson(comparison)));
}

const asksNothingOfArguments = (rule: RuleContent) => patternKey(rule) === asksNothing && rule.comparisons.length === 0;

/**
 * A rule that allows has to match every part of a command, and does not match what cannot be evaluated; other rules match
 * any part, and what cannot be evaluated. So an earlier rule that allows covers a later one with the same conditions only
 * when that one allows, too, and a shorter start only up to a whole word.
 */
function isAsWideAs(before: RuleContent, rule: RuleContent): boolean {
  if (before.verdict !== "allow") return true;
  if (rule.verdict !== "allow") return false;
  const key = patternKey(before);
  if (key === asksNothing || key === patternKey(rule)) return true;
  const end = readLiteralStart(before.pattern ?? "")?.end ?? "other";
  // `^git log\b` does not allow `git log-tree`, which is a longer word.
  return isWordEnd(end) && end !== "boundary";
}
