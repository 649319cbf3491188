import type { ArgumentPattern } from "./argument-pattern";
import { excerpt } from "./excerpt";
import type { SimpleCommand } from "./shell/read-script";
import type { ShellReading } from "./shell/running-commands";
import { actingFindIn, unsafeShapeIn } from "./unsafe-shapes";

/** Why an allow rule's pattern does not cover a whole script, as a sentence; null when it does. */
export function whyNotAllowed(pattern: ArgumentPattern, reading: ShellReading): string | null {
  const { script } = reading;
  if (script.unreadable) return `The command cannot be read as a shell script with certainty: ${script.unreadable}.`;
  if (script.obstacle) return `The command contains ${script.obstacle}, which no allow rule covers.`;
  if (script.commands.length === 0) return "There is no command in it.";
  for (const [index, command] of script.commands.entries()) {
    const which = `${script.commands.length > 1 ? `The ${ordinal(index)} command` : "The command"} \`${excerpt(command.text)}\``;
    const why = whyNotCovered(pattern, command);
    if (why) return `${which} ${why}.`;
  }
  const unsafe = actingFindIn(script) ?? unsafeShapeIn(reading);
  return unsafe && `An allow rule alone is not enough: ${unsafe}.`;
}

/**
 * Why a pattern does not cover one simple command. It has to match from the command's first character and past its
 * whole name: what an admin wrote to allow `ls` must not allow `rm ls` or `lsof`.
 */
function whyNotCovered(pattern: ArgumentPattern, { text, node }: SimpleCommand): string | null {
  const name = node.name?.text;
  if (name === undefined || !/^[A-Za-z0-9_.:/+@,-]+$/.test(name)) return "has a name that is not written out plainly";
  const length = pattern.lengthAtStart(text);
  if (length === null) {
    return pattern.isFoundIn(text)
      ? "matches the pattern only further on, and an allow rule has to match from its first character"
      : "does not match the pattern";
  }
  const endOfName = text.indexOf(name) + name.length;
  return length < endOfName ? `matches the pattern only in a part of its name, \`${excerpt(text.slice(0, length))}\`` : null;
}

const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

function ordinal(index: number): string {
  return ordinals[index] ?? `${index + 1}th`;
}
