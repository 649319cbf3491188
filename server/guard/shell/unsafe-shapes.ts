import type { Seen } from "../detectors/shell-danger/danger";
import { dangersIn, shellDangers } from "../detectors/shell-danger/dangers-in";
import { quietEscape } from "../detectors/shell-danger/escapes";
import { excerpt } from "../excerpt";
import type { ShellReading } from "./running-commands";

const never = ["shell.find_delete", "shell.find_exec", "shell.find_write", "shell.download_and_run", "shell.reverse_shell"];
const escaping = [...shellDangers.flatMap(({ id, escapes }) => (escapes ? [id] : [])), quietEscape];

/**
 * What never runs on an allow rule alone, even one that allows everything: `find` with an action that deletes, runs or
 * writes, a download that goes straight into an interpreter, a shell for another machine. A sentence part that says
 * what was seen, or null.
 */
export function unsafeShapeIn(reading: ShellReading): string | null {
  return firstOf(never, reading);
}

/** The same for allow rules that look at the command, which cover no command that does more than its name says. */
export function escapeIn(reading: ShellReading): string | null {
  return unsafeShapeIn(reading) ?? firstOf(escaping, reading);
}

function firstOf(dangers: readonly string[], reading: ShellReading): string | null {
  const found = dangersIn(reading);
  for (const danger of dangers) {
    const [seen] = found.get(danger) ?? [];
    if (seen) return sentence(seen);
  }
  return null;
}

function sentence({ does, text }: Seen): string {
  return `\`${excerpt(text)}\` ${excerpt(does)}`;
}
