import "server-only";
import { closeSync } from "node:fs";
import nodeModule from "node:module";
import { ReadStream } from "node:tty";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import { systemProgram } from "../sandbox/bubblewrap";

/** A pseudoterminal: the command has the slave as its input and output, and we read and write the master. */
export type Terminal = {
  slave: number;
  /** Readable and writable; ends when no process has the slave open. */
  master: ReadStream;
  /** Closes our copy of the slave; to be called after the start of the command, also after a failed start. */
  started(): void;
};

type NativeTerminals = { open(columns: number, rows: number): { master: number; slave: number } };

const columns = 120;
const rows = 40;

/**
 * The variables of a command in a terminal. `xterm` is in every terminfo, so programs that draw find their sequences.
 */
export const terminalEnvironment = { TERM: "xterm" } as const;

/**
 * Opens a pseudoterminal. We use the package's native `open` alone: its `spawn` closes inherited descriptors, which the
 * sandbox needs.
 * @throws AppError `unavailable` with the reason
 */
export function openTerminal(): Terminal {
  const { master, slave } = openPair();
  let isOpen = true;
  return {
    slave,
    master: new ReadStream(master),
    started: () => {
      if (isOpen) closeSync(slave);
      isOpen = false;
    },
  };
}

/** Returns the words in front of a command that make the terminal its controlling terminal. */
export function terminalWords(): string[] {
  const program = systemProgram("setsid");
  if (!program) throw new AppError("unavailable", "Terminals do not work here, because setsid is missing. Leave pty out.");
  return [program, "--ctty", "--wait"];
}

/** `createRequire` is not imported by name, because bundles declare that name in their first line. */
function openPair(): { master: number; slave: number } {
  try {
    const { requireBinary } = nodeModule.createRequire(import.meta.url)(
      /* turbopackIgnore: true */ "@lydell/node-pty/requireBinary.js",
    ) as {
      requireBinary: (file: string) => NativeTerminals;
    };
    return requireBinary("pty.node").open(columns, rows);
  } catch (error) {
    const [reason] = toErrorMessage(error).split("\n");
    throw new AppError("unavailable", `Terminals do not work here: ${reason}. Leave pty out.`);
  }
}
