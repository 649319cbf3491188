import type { CallOnTrial, CommandOfCall } from "../call-on-trial";
import type { Place } from "../shell/evident-commands";

/** What a text of a call's arguments has to do with the commands in them. */
export type CommandsAt =
  /** Nothing. */
  | { is: "text" }
  /** It is a command, or the beginning of one. */
  | { is: "command"; commands: readonly CommandOfCall[] }
  /** Commands stand somewhere in it. */
  | { is: "around"; commands: readonly CommandOfCall[] }
  /** It is a word of a command. */
  | { is: "within" };

const onlyText: CommandsAt = { is: "text" };

/** @param path names and indexes on the way to a text; none to all arguments */
export function commandsAt({ commands }: CallOnTrial, path: readonly string[]): CommandsAt {
  if (commands.length === 0) return onlyText;
  const onTheWay = commands.filter(({ place }) => isOnTheWay(place, path));
  if (onTheWay.length === 0) return onlyText;
  const at = onTheWay.filter(({ place }) => place.depth === path.length);
  if (at.length > 0) return { is: "command", commands: at };
  const around = onTheWay.filter(({ place }) => place.depth > path.length);
  return around.length > 0 ? { is: "around", commands: around } : { is: "within" };
}

/** Whether a place and a path lead the same way, as far as the shorter one goes. */
function isOnTheWay(place: Place, path: readonly string[]): boolean {
  for (let at: Place | null = place; at !== null; at = at.inside) {
    if (at.depth <= path.length && at.name !== path[at.depth - 1]) return false;
  }
  return true;
}
