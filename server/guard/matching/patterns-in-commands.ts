import type { Verdict } from "@/contracts/decisions/decision";
import type { CommandOfCall } from "../call/analyzed-call";
import type { TextHints } from "../call/text-hints";
import { excerpt } from "../excerpt";
import type { ArgumentPattern } from "./argument-pattern";
import type { CommandsAt } from "./commands-at";
import { findInShell } from "./match-anywhere";
import { whyNotCovered } from "./pattern-coverage";
import { no, type Ternary, testEachValue, unknown, yes } from "./ternary";

/** A text that a rule's patterns see, with its relation to the commands of the call. */
type PatternText = { text: string; hints?: TextHints | undefined; commandsAt: CommandsAt };

/**
 * Returns whether a rule's pattern is in a text. An allow rule has to cover every part of a command, and it never
 * covers a text that contains commands or is a part of one. For a rule that denies or asks, a command is also searched
 * as it would run.
 */
export function findPattern(verdict: Verdict, pattern: ArgumentPattern, { text, hints, commandsAt }: PatternText): Ternary {
  switch (commandsAt.is) {
    case "text":
      return findInText(pattern, text, hints);
    case "command":
      if (verdict === "allow") return coverCommands(pattern, commandsAt.commands);
      return findAnywhere(pattern, text, commandsAt.commands);
    case "around":
      return verdict === "allow" ? no(() => whyNeverCovered.around) : findAnywhere(pattern, text, commandsAt.commands);
    case "within":
      return verdict === "allow" ? no(() => whyNeverCovered.within) : findInText(pattern, text);
  }
}

/** Reasons why an allow rule never covers such a text, whatever its pattern. */
const whyNeverCovered = {
  around: "The pattern sees a command among other things. A rule that allows has to name the argument that is the command.",
  within: "The pattern sees a piece of a command. A rule that allows has to name the argument that is the whole command.",
} as const;

/**
 * Returns whether a rule's exception applies; an exception always works against its rule. An allow rule is excepted
 * wherever the exception is found. A rule that denies or asks is excepted only when the exception covers every part of
 * the command, as an allow rule would have to: `rm tmp/a; rm -rf b` is not excepted by `^rm tmp/`.
 */
export function findException(verdict: Verdict, exclude: ArgumentPattern, { text, commandsAt }: PatternText): Ternary {
  if (commandsAt.is === "text") return exceptsText(exclude, text);
  if (verdict === "allow")
    return commandsAt.is === "within" ? exceptsText(exclude, text) : exceptsAnywhere(exclude, text, commandsAt.commands);
  return commandsAt.is === "command" && coverCommands(exclude, commandsAt.commands).holds === true
    ? yes(() => `The exception covers every command of \`${excerpt(text)}\`.`)
    : doesNotApply;
}

const doesNotApply = no(() => "The exception does not apply.");

function findInText(pattern: ArgumentPattern, text: string, hints?: TextHints): Ternary {
  return pattern.isFoundIn(text)
    ? yes(() => `The pattern is found in \`${excerpt(text, hints)}\`.`)
    : no(() => `The pattern is not found in \`${excerpt(text, hints)}\`.`);
}

function exceptsText(exclude: ArgumentPattern, text: string): Ternary {
  return exclude.isFoundIn(text) ? yes(() => `The exception is found in \`${excerpt(text)}\`.`) : doesNotApply;
}

function exceptsAnywhere(exclude: ArgumentPattern, text: string, commands: readonly CommandOfCall[]): Ternary {
  const found = findAnywhere(exclude, text, commands);
  return found.holds === true ? yes(() => `The exception applies. ${found.why()}`) : found;
}

function coverCommands(pattern: ArgumentPattern, commands: readonly CommandOfCall[]): Ternary {
  return testEachValue(commands, {
    every: true,
    none: () => "There is no command in it.",
    test: (command) => coverCommand(pattern, command),
  });
}

function coverCommand(pattern: ArgumentPattern, { reading, written }: CommandOfCall): Ternary {
  const why = whyNotCovered(written === null ? pattern : withFollowing(pattern, written), reading);
  if (why) return no(() => why);
  const [only, ...others] = reading.script.commands;
  return yes(() =>
    others.length > 0
      ? `All ${others.length + 1} commands match the pattern.`
      : `The command \`${excerpt(String(only?.text))}\` matches the pattern.`,
  );
}

/** Extends a pattern to a command whose further words come from other arguments: the pattern need not match those words. */
function withFollowing(pattern: ArgumentPattern, written: string): ArgumentPattern {
  const begins = (text: string) => text.startsWith(`${written} `);
  return {
    ...pattern,
    lengthAtStart: (text) => pattern.lengthAtStart(text) ?? (begins(text) ? pattern.lengthAtStart(written) : null),
  };
}

/** Searches a text as it stands, and each of its commands as it would run. */
export function findAnywhere(pattern: ArgumentPattern, text: string, commands: readonly CommandOfCall[]): Ternary {
  const [first, ...others] = commands;
  if (first && others.length === 0 && first.reading.text === text) return findInCommand(pattern, first);
  const inText = findInText(pattern, text);
  if (inText.holds === true) return inText;
  return testEachValue(commands, { every: false, none: inText.why, test: (command) => findInCommand(pattern, command) });
}

function findInCommand(pattern: ArgumentPattern, { reading }: CommandOfCall): Ternary {
  const found = findInShell(pattern, reading);
  if (found.found === "unknown") return unknown(() => found.why);
  return found.found ? yes(() => found.why) : no(() => `The pattern is not found in \`${excerpt(reading.text)}\`.`);
}
