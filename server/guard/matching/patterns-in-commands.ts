import type { Verdict } from "@/contracts/decision";
import type { CommandOfCall } from "../call-on-trial";
import { excerpt } from "../excerpt";
import type { FirstLook } from "../first-look";
import { whyNotAllowed } from "../shell/allow-shell";
import { findInShell } from "../shell/restrict-shell";
import type { ArgumentPattern } from "./argument-pattern";
import type { CommandsAt } from "./commands-at";
import { type Holds, holdsFor, no, unknown, yes } from "./holds";

/** A text that a rule's patterns see. */
type Seen = { text: string; look?: FirstLook | undefined; commandsAt: CommandsAt };

/**
 * Whether a rule's pattern is in a text. A rule that allows has to cover every part of a command; what holds commands, or
 * is a piece of one, it cannot cover. For one that denies or asks, a command is also looked at as it would run.
 */
export function findPattern(verdict: Verdict, pattern: ArgumentPattern, { text, look, commandsAt }: Seen): Holds {
  switch (commandsAt.is) {
    case "text":
      return findInText(pattern, text, look);
    case "command":
      if (verdict === "allow") return coverCommands(pattern, commandsAt.commands);
      return findAnywhere(pattern, text, commandsAt.commands);
    case "around":
    case "within":
      return verdict === "allow" ? no(() => whyNeverCovered[commandsAt.is]) : findInText(pattern, text);
  }
}

/** Why a rule that allows does not cover a text, whatever its pattern. */
export const whyNeverCovered = {
  around: "The pattern sees a command among other things. A rule that allows has to name the argument that is the command.",
  within: "The pattern sees a piece of a command. A rule that allows has to name the argument that is the whole command.",
} as const;

/**
 * An exception always works against the rule. From a rule that allows it takes whatever it is found in; from one that
 * denies or asks it takes a command only when it covers every part of it, as a rule that allows would have to:
 * `rm tmp/a; rm -rf b` is not excepted by `^rm tmp/`.
 */
export function findException(verdict: Verdict, exclude: ArgumentPattern, { text, commandsAt }: Seen): Holds {
  if (commandsAt.is === "text") return exceptsText(exclude, text);
  if (verdict === "allow")
    return commandsAt.is === "within" ? exceptsText(exclude, text) : exceptsAnywhere(exclude, text, commandsAt.commands);
  return commandsAt.is === "command" && coverCommands(exclude, commandsAt.commands).holds === true
    ? yes(() => `The exception covers every command of \`${excerpt(text)}\`.`)
    : doesNotApply;
}

const doesNotApply = no(() => "The exception does not apply.");

function findInText(pattern: ArgumentPattern, text: string, look?: FirstLook): Holds {
  return pattern.isFoundIn(text)
    ? yes(() => `The pattern is found in \`${excerpt(text, look)}\`.`)
    : no(() => `The pattern is not found in \`${excerpt(text, look)}\`.`);
}

function exceptsText(exclude: ArgumentPattern, text: string): Holds {
  return exclude.isFoundIn(text) ? yes(() => `The exception is found in \`${excerpt(text)}\`.`) : doesNotApply;
}

function exceptsAnywhere(exclude: ArgumentPattern, text: string, commands: readonly CommandOfCall[]): Holds {
  const found = findAnywhere(exclude, text, commands);
  return found.holds === true ? yes(() => `The exception applies. ${found.why()}`) : found;
}

function coverCommands(pattern: ArgumentPattern, commands: readonly CommandOfCall[]): Holds {
  return holdsFor(commands, { every: true, none: () => "There is no command in it.", test: (command) => coverCommand(pattern, command) });
}

function coverCommand(pattern: ArgumentPattern, { reading, written }: CommandOfCall): Holds {
  const why = whyNotAllowed(written === null ? pattern : withFollowing(pattern, written), reading);
  if (why) return no(() => why);
  const [only, ...others] = reading.script.commands;
  return yes(() =>
    others.length > 0
      ? `All ${others.length + 1} commands match the pattern.`
      : `The command \`${excerpt(String(only?.text))}\` matches the pattern.`,
  );
}

/** A pattern for the beginning of a command, where other arguments hold its other words: it need not match those. */
function withFollowing(pattern: ArgumentPattern, written: string): ArgumentPattern {
  const begins = (text: string) => text.startsWith(`${written} `);
  return {
    ...pattern,
    lengthAtStart: (text) => pattern.lengthAtStart(text) ?? (begins(text) ? pattern.lengthAtStart(written) : null),
  };
}

/** Found in a text as it stands, or in one of its commands as it would run. */
function findAnywhere(pattern: ArgumentPattern, text: string, commands: readonly CommandOfCall[]): Holds {
  const [first, ...others] = commands;
  if (first && others.length === 0 && first.reading.text === text) return findInCommand(pattern, first);
  const inText = findInText(pattern, text);
  if (inText.holds === true) return inText;
  return holdsFor(commands, { every: false, none: inText.why, test: (command) => findInCommand(pattern, command) });
}

function findInCommand(pattern: ArgumentPattern, { reading }: CommandOfCall): Holds {
  const found = findInShell(pattern, reading);
  if (found.found === "unknown") return unknown(() => found.why);
  return found.found ? yes(() => found.why) : no(() => `The pattern is not found in \`${excerpt(reading.text)}\`.`);
}
