import type { AnalyzedCall, CommandOfCall } from "../call/analyzed-call";
import type { ArgumentPlace } from "../call/command-arguments";

/** The relation of an argument's text to the commands in the arguments. */
export type CommandsAt =
  /** No command is here. */
  | { is: "text" }
  /** The text is a command, or the beginning of a command. */
  | { is: "command"; commands: readonly CommandOfCall[] }
  /** The text contains commands somewhere inside it. */
  | { is: "around"; commands: readonly CommandOfCall[] }
  /** The text is a part of a command. */
  | { is: "within" };

const onlyText: CommandsAt = { is: "text" };

/**
 * Relates the text at a path to the commands of the call.
 * @param path names and indexes that lead to a text; empty for all arguments together
 */
export function commandsAt({ commands }: AnalyzedCall, path: readonly string[]): CommandsAt {
  if (commands.length === 0) return onlyText;
  const onTheWay = commands.filter(({ place }) => isOnTheWay(place, path));
  if (onTheWay.length === 0) return onlyText;
  const at = onTheWay.filter(({ place }) => place.depth === path.length);
  if (at.length > 0) return { is: "command", commands: at };
  const around = onTheWay.filter(({ place }) => place.depth > path.length);
  return around.length > 0 ? { is: "around", commands: around } : { is: "within" };
}

/** Returns whether one of place and path is a prefix of the other. */
function isOnTheWay(place: ArgumentPlace, path: readonly string[]): boolean {
  for (let at: ArgumentPlace | null = place; at !== null; at = at.inside) {
    if (at.depth <= path.length && at.name !== path[at.depth - 1]) return false;
  }
  return true;
}
