import type { CallAction } from "@/contracts/guard/rule-subjects";
import { type ActionTarget, actionOfEffect, actionTargets, declaresAll } from "../actions/action-targets";
import { commandsOfCall } from "../actions/commands-of-call";
import type { AnalyzedCall } from "../call/analyzed-call";
import { runsCommands } from "../call/tool-facts";
import { describeEffect } from "../effects/describe-effect";
import { excerpt } from "../excerpt";
import { globFits } from "../paths/glob";
import type { ArgumentPattern } from "./argument-pattern";
import type { CompiledRule } from "./compile-rule";
import { literalStart } from "./literal-start";
import { findInShell } from "./match-anywhere";
import { whyNotCovered } from "./pattern-coverage";
import { no, type Ternary, unknown, yes } from "./ternary";

type RulePart = Pick<CompiledRule, "verdict">;
type Patterns = { wanted: ArgumentPattern | null; excepted: ArgumentPattern | null };
type TargetAction = Exclude<CallAction, "runs_commands">;

/**
 * Evaluates a rule about what a call does, whichever tool does it. A rule that denies or asks matches when one command or
 * target of the call does. A rule that allows matches only calls that do nothing else, and all of it as the pattern says.
 */
export function actionHolds({ verdict }: RulePart, action: CallAction, call: AnalyzedCall, patterns: Patterns): Ternary {
  if (action === "runs_commands") return verdict === "allow" ? everyCommandHolds(call, patterns) : someCommandHolds(call, patterns);
  return verdict === "allow" ? everyTargetHolds(action, call, patterns) : someTargetHolds(action, call, patterns);
}

function someCommandHolds(call: AnalyzedCall, { wanted, excepted }: Patterns): Ternary {
  const { readings, startsUnknown } = commandsOfCall(call);
  if (readings.length === 0 && !startsUnknown) return no(() => `This call of ${call.tool.name} runs no command.`);
  let outcome: Ternary = startsUnknown
    ? unknown(() => "Its code starts a program that is known only when it runs.")
    : no(() => notFound(readings.map(({ text }) => text)));
  for (const reading of readings) {
    const found = wanted ? findInShell(wanted, reading) : ({ found: true, why: `It runs \`${excerpt(reading.text)}\`.` } as const);
    if (found.found === false || (excepted && whyNotCovered(excepted, reading) === null)) continue;
    if (found.found === true) return yes(() => found.why);
    outcome = unknown(() => found.why);
  }
  return outcome;
}

const notFound = (texts: readonly string[]) =>
  `The pattern is not found in ${texts
    .slice(0, 3)
    .map((text) => `\`${excerpt(text)}\``)
    .join(", ")}.`;

function everyCommandHolds(call: AnalyzedCall, { wanted, excepted }: Patterns): Ternary {
  const { tool, code, scripts } = call;
  if (tool.source !== "builtin" || !runsCommands(tool) || scripts.length === 0)
    return no(() => `Only a call whose commands are all it does can be allowed so, and of this call of ${tool.name} that is not known.`);
  if (code) return no(() => "A program in another language can do more than its commands say.");
  for (const reading of scripts) {
    const why = wanted ? whyNotCovered(wanted, reading) : null;
    if (why !== null) return no(() => why);
    const except = excepted ? findInShell(excepted, reading) : ({ found: false } as const);
    if (except.found === true) return no(() => `The exception applies. ${except.why}`);
    if (except.found === "unknown") return unknown(() => except.why);
  }
  return yes(() => "All commands of the call match the pattern.");
}

function someTargetHolds(action: TargetAction, call: AnalyzedCall, patterns: Patterns): Ternary {
  const targets = actionTargets(call, action);
  let outcome: Ternary = no(() =>
    targets.length === 0 ? `This call of ${call.tool.name} ${noneOf[action]}.` : `The pattern is not found in ${describeTargets(targets)}.`,
  );
  for (const target of targets) {
    const found = targetMayHold(target, call, patterns);
    if (found.holds === true) return found;
    if (found.holds === "unknown") outcome = found;
  }
  return outcome;
}

const noneOf: Record<TargetAction, string> = {
  reads_path: "reads no file",
  writes_path: "writes and deletes no file",
  connects_to: "connects to no host",
};

const missesAll = no(() => "The pattern does not match.");

function targetMayHold(target: ActionTarget, call: AnalyzedCall, { wanted, excepted }: Patterns): Ternary {
  switch (target.is) {
    case "unknown":
      return unknown(() => "One of its targets is known only when it runs.");
    case "exact": {
      const found = target.texts.find((text) => wanted === null || wanted.isFoundIn(text));
      if (found === undefined || excepted?.isFoundIn(String(target.texts[0]))) return missesAll;
      return yes(() => (wanted ? `The pattern is found in \`${excerpt(found)}\`.` : `It is about \`${excerpt(found)}\`.`));
    }
    case "below": {
      if (excepted && coversBelow(excepted.source, target.path)) return missesAll;
      if (wanted === null) return yes(() => `It is about \`${excerpt(target.path)}\`.`);
      if (!excepted && target.isDeep && wanted.isFoundIn(target.path))
        return yes(() => `The pattern is found in \`${excerpt(target.path)}\`.`);
      if (!mayNameBelow(wanted.source, target, call.context.folder)) return missesAll;
      return unknown(() => `\`${excerpt(target.path)}\` may include what the pattern is found in.`);
    }
  }
}

function everyTargetHolds(action: TargetAction, call: AnalyzedCall, { wanted, excepted }: Patterns): Ternary {
  if (!declaresAll(call) || call.code) return no(() => `What this call of ${call.tool.name} does is not known completely.`);
  const other = call.effects.find((effect) => actionOfEffect(effect) !== action && !onlyLooks(effect));
  if (other) return no(() => `The call does more than the rule allows: it ${describeEffect(other)}.`);
  const targets = actionTargets(call, action);
  if (targets.length === 0) return no(() => `This call of ${call.tool.name} ${noneOf[action]}.`);
  for (const target of targets) {
    if (target.is === "unknown") return no(() => "One of its targets is known only when it runs.");
    if (target.is === "below") {
      if ((wanted && !coversBelow(wanted.source, target.path)) || excepted)
        return no(() => `\`${excerpt(target.path)}\` may include more than the pattern matches.`);
      continue;
    }
    const [text = ""] = target.texts;
    if (wanted && !matchesWhole(wanted, text, action)) return no(() => `The pattern does not match \`${excerpt(text)}\`.`);
    if (excepted && target.texts.some((one) => excepted.isFoundIn(one))) return no(() => `The exception is found in \`${excerpt(text)}\`.`);
  }
  return yes(() => `The pattern matches ${describeTargets(targets)}.`);
}

/** Reading names inside the folder tells nothing that the call could not know. */
const onlyLooks = ({ kind, target, namesOnly }: AnalyzedCall["effects"][number]): boolean =>
  kind === "read" && namesOnly === true && target.where === "inside";

/** Returns whether an allow rule matches a path or host: `^docs` must not allow `docs-of-others`, nor one host a longer one. */
function matchesWhole(pattern: ArgumentPattern, text: string, action: TargetAction): boolean {
  if (!pattern.isFoundIn(text)) return false;
  const length = pattern.lengthAtStart(text);
  if (action === "connects_to") return length === text.length;
  return length === null || length === text.length || text.charAt(length) === "/" || /[^\p{L}\p{N}_]/u.test(text.charAt(length - 1));
}

/** Returns whether a pattern is a plain beginning, and everything below a path or glob begins with it. */
function coversBelow(source: string, file: string): boolean {
  const start = literalStart(source);
  if (start === "" || source.replaceAll("\\", "").length !== start.length + 1) return false;
  const glob = file.search(/[*?[]/);
  return (glob < 0 ? `${file}/` : file.slice(0, glob)).startsWith(start);
}

/** Returns whether a pattern may match something that a glob names, or that lies below a folder. */
function mayNameBelow(source: string, { path: file, isDeep }: Extract<ActionTarget, { is: "below" }>, folder: string | undefined): boolean {
  const start = literalStart(source);
  if (start === "") return true;
  if (file === "." || file === "") return isDeep && !start.startsWith("/");
  // A folder around the conversation's folder includes what the pattern names in it.
  if (file.startsWith("/") !== start.startsWith("/"))
    return isDeep && file.startsWith("/") && (folder === undefined || `${folder}/`.startsWith(`${file.replace(/\/$/, "")}/`));
  if (file.startsWith("..")) return isDeep;
  const wanted = start.split("/");
  const given = file.split("/");
  for (const [at, name] of wanted.entries()) {
    const glob = given[at];
    if (glob === undefined) return isDeep;
    if (glob.includes("**")) return true;
    const isLast = at === wanted.length - 1;
    if (!isLast && !globFits(withoutBracket(glob), name)) return false;
    // The last part may be the beginning of a name.
    if (isLast && !mayBeginWith(glob, name)) return false;
  }
  return true;
}

const withoutBracket = (glob: string): string => glob.replace(/\[[^\]]*\]/g, "?");

function mayBeginWith(glob: string, beginning: string): boolean {
  const fixed = glob.slice(0, Math.max(0, glob.search(/[*?[]/)) || (/[*?[]/.test(glob) ? 0 : glob.length));
  return fixed.startsWith(beginning) || beginning.startsWith(fixed);
}

function describeTargets(targets: readonly ActionTarget[]): string {
  const texts = targets.flatMap((target) =>
    target.is === "exact" ? target.texts.slice(0, 1) : target.is === "below" ? [target.path] : [],
  );
  return [...new Set(texts)]
    .slice(0, 3)
    .map((text) => `\`${excerpt(text)}\``)
    .join(", ");
}
