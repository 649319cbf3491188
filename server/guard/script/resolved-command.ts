import type { SimpleCommand } from "./shell-script";
import { type ShellWord, unknownPiece } from "./words";

/** A command as it would run: without quotes, and unwrapped from `sudo`, `env`, `sh -c` and the like. */
export type ResolvedCommand = {
  /** The name without its folder, except for a file of the conversation's folder; empty when unknown. */
  name: string;
  /** The name as written, and the arguments. */
  words: readonly [ShellWord, ...ShellWord[]];
  folder: string | null;
  /** The simple command that this command is, or that runs it. */
  within: SimpleCommand;
  /** The command that runs this one, as `sudo` does; null when the script itself runs it. */
  runBy: ResolvedCommand | null;
  /** The wrapper does not change the command, as `timeout` and `nice` do not. */
  isTransparent: boolean;
  /** The paths stand for everything below them, like those that `find -exec` passes on. */
  isRecursive?: true;
};

/** Returns a program's name without its folder, except for a file of the conversation's folder. */
export function programName({ value, certainty }: ShellWord): string {
  if (certainty === "unknown" || value.includes(unknownPiece)) return "";
  if (!value.includes("/")) return value;
  return /^\/(?:usr\/|opt\/homebrew\/)?(?:local\/)?s?bin\/[^/]+$/.test(value) ? (value.split("/").at(-1) ?? "") : value;
}
