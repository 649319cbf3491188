import { analyzeCall } from "@/server/guard/call/analyzed-call";
import type { GuardedTool } from "@/server/guard/call/guard-request";
import { GuardRuleDraft } from "../../contracts/guard/guard";
import { decide } from "../../server/guard/decide";
import type { RuleContent } from "../../server/guard/matching/compile-rule";
import { buildRequest, policyOfRules, readTool, shellTool } from "../../server/testing/guard/guarded-calls";
import type { Line } from "../report";
import { scaled } from "../scale";
import { median, percentile } from "../statistics";
import { anchors } from "./anchors";
import { type Decider, measureTimes, warmUp } from "./decider";

const sizes = [1, 100, 10_000] as const;
const rounds = 5;
const limitUs = 2;
const path = "drafts/chapter-1.md";

/** One decision among rules for other tools, beside two policy engines that decide an equivalent policy; and among patterns. */
export async function decisionLines(): Promise<Line[]> {
  const lines: Line[] = [];
  const p99 = new Map<number, number[]>();
  let missing: Line | null = null;
  for (const size of sizes) {
    const others = await anchors({ tool: readTool.name, path }, size).catch((error: unknown) => {
      missing = { measured: "casbin and cedar-wasm", ours: String(error).slice(0, 200) };
      return [];
    });
    const deciders = [handrail(size), ...others];
    const found = measure(deciders);
    const ours = found[0] ?? [];
    p99.set(size, ours);
    lines.push({
      measured: `one decision among ${size.toLocaleString("en")} rules, p99`,
      ours: microseconds(median(ours)),
      target: `<= ${limitUs} us`,
      isMet: median(ours) <= limitUs,
    });
    for (const [index, { name }] of others.entries()) {
      const theirs = found[index + 1] ?? [];
      const ratios = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
      lines.push({
        measured: `the same, p99 / ${name}`,
        ours: microseconds(median(ours)),
        anchor: microseconds(median(theirs)),
        ratio: median(ratios),
      });
    }
  }
  if (missing) lines.push(missing);
  return [...lines, growthLine(p99), readingLine(), ...patternLines()];
}

function growthLine(p99: ReadonlyMap<number, number[]>): Line {
  const few = p99.get(1) ?? [];
  const ratio = median((p99.get(10_000) ?? []).map((value, round) => value / (few[round] ?? Number.NaN)));
  return { measured: "p99 among 10,000 rules / among 1", ours: ratio.toFixed(2), ratio, target: "<= 1.5", isMet: ratio <= 1.5 };
}

const ruleOf = (content: Partial<RuleContent>) => GuardRuleDraft.parse({ name: "Rule", tool: "*", verdict: "allow", ...content });

function policyAmong(size: number) {
  const others = Array.from({ length: size - 1 }, (_, index) => ruleOf({ tool: `tool_${index}`, pattern: "^drafts/" }));
  return policyOfRules([...others, ruleOf({ tool: readTool.name, pattern: "^drafts/" })], { defaultPolicy: "deny" });
}

/** Each call is read beforehand and decided once: what was found out about one is not known of the next. */
function handrail(size: number): Decider {
  const policy = policyAmong(size);
  return {
    name: "Handrail",
    prepare: (decisions) => {
      const calls = Array.from({ length: decisions }, (_, decision) => analyzeCall(callAt(decision)));
      return (decision) => decide(policy, calls[decision] ?? callAt(decision), 0).verdict === "allow";
    },
    decisions: scaled(20_000, 2_000),
  };
}

const callAt = (decision: number) => buildRequest(readTool, { path: `drafts/chapter-${decision % 1_000}.md` });

/** 99th percentile of each decider in each round, in microseconds; who begins changes from round to round. */
function measure(deciders: readonly Decider[]): number[][] {
  for (const decider of deciders) warmUp(decider);
  const found: number[][] = deciders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const order = [...deciders.entries()];
    for (const [index, decider] of round % 2 === 0 ? order : order.toReversed()) {
      found[index]?.push(percentile(measureTimes(decider, decider.decisions), 0.99));
    }
  }
  return found;
}

/** The same with reading the call, which the target leaves out. */
function readingLine(): Line {
  const policy = policyAmong(1);
  const prepare = () => (decision: number) => decide(policy, callAt(decision), 0).verdict === "allow";
  const decider = { name: "Handrail", prepare, decisions: scaled(20_000, 2_000) };
  return { measured: "one call read and decided, p99", ours: microseconds(median(measure([decider])[0] ?? [])) };
}

/** Ways to write a pattern that one path, or one command, of 10,000 fits. */
const shapes: readonly {
  shape: string;
  tool: GuardedTool;
  pattern: (index: number) => string;
  none: string;
  fits: (index: number) => string;
}[] = [
  {
    shape: "of letters",
    tool: readTool,
    pattern: (index) => `^(drafts|notes)/area-${index}/[a-z]+\\.md$`,
    none: "drafts/chapter-1.md",
    fits: (index) => `notes/area-${index}/a.md`,
  },
  {
    shape: "with (?i)",
    tool: readTool,
    pattern: (index) => `(?i)^(drafts|notes)/area-${index}/[a-z]+\\.md$`,
    none: "drafts/chapter-1.md",
    fits: (index) => `Notes/AREA-${index}/a.md`,
  },
  {
    shape: "with a repeated group",
    tool: readTool,
    pattern: (index) => `^(a|b)+/area-${index}(x|y)+$`,
    none: "ab/area-x",
    fits: (index) => `abba/area-${index}xyx`,
  },
  {
    shape: "of letters, on a shell",
    tool: shellTool,
    pattern: (index) => `^git (push|pull) origin-${index}$`,
    none: "git status --short && ls -la src",
    fits: (index) => `git push origin-${index}`,
  },
  {
    shape: "with (?i), on a shell",
    tool: shellTool,
    pattern: (index) => `(?i)\\b(drop|delete) table_${index}\\b`,
    none: "git status --short && ls -la src",
    fits: (index) => `psql -c 'DROP table_${index}'`,
  },
  {
    shape: "with a repeated group, on a shell",
    tool: shellTool,
    pattern: (index) => `(-f|-v)+ area-${index}[0-9]{2}`,
    none: "git status --short && ls -la src",
    fits: (index) => `make -f area-${index}07`,
  },
];

/** 10,000 patterns for one tool, of which none fits, or the last one does. */
function patternLines(): Line[] {
  const patterns = 10_000;
  return shapes.flatMap(({ shape, tool, pattern, none, fits }) => {
    const rules = Array.from({ length: patterns }, (_, index) => ({ tool: tool.name, pattern: pattern(index), verdict: "deny" as const }));
    const policy = policyOfRules(rules, { defaultPolicy: "allow" });
    const asked = (text: string) => buildRequest(tool, { [tool.primaryArgument ?? ""]: text });
    const decider = (text: string, isDenied: boolean): Decider => ({
      name: "Handrail",
      prepare: (decisions) => {
        const calls = Array.from({ length: decisions }, () => analyzeCall(asked(text)));
        return (decision) => (decide(policy, calls[decision] ?? asked(text), 0).verdict === "deny") === isDenied;
      },
      decisions: scaled(2_000, 20),
    });
    const lineOf = (what: string, times: number[]): Line => {
      const ms = percentile(times, 0.99) / 1_000;
      return {
        measured: `one decision among 10,000 patterns ${shape}, ${what}`,
        ours: `${ms.toFixed(3)} ms`,
        target: "<= 2 ms",
        isMet: ms <= 2,
      };
    };
    const nothing = decider(none, false);
    const last = decider(fits(patterns - 1), true);
    const [first = Number.NaN] = measureTimes(nothing, 1);
    measureTimes(nothing, 20);
    return [
      lineOf("none fits, p99", measureTimes(nothing, nothing.decisions)),
      lineOf("the last fits, p99", measureTimes(last, last.decisions)),
      { measured: `the first decision among patterns ${shape}, which sorts them`, ours: `${(first / 1_000).toFixed(1)} ms` },
    ];
  });
}

const microseconds = (value: number) => `${value.toFixed(2)} us`;
