import type { Word } from "unbash";
import { isHarmlessAssignment } from "./harmless-assignment";
import { onlyPrints } from "./only-prints";
import { type Wrapper, wrappedAt, wrappers } from "./wrappers";

/** A wrapper that changes nothing about what the command in it does, with the options that leave it so. */
const clear: ReadonlyMap<string, (options: readonly string[]) => boolean> = new Map([
  ["timeout", () => true],
  ["nice", () => true],
  ["ionice", () => true],
  ["nohup", () => true],
  ["stdbuf", () => true],
  ["command", (options: readonly string[]) => options.length === 0],
  ["time", (options: readonly string[]) => options.every((word) => word === "-p")],
  ["env", (options: readonly string[]) => options.every((word) => word === "-i" || isHarmlessAssignment(word))],
  ["xargs", (options: readonly string[]) => options.every((word) => harmlessXargs.test(word) || /^(\d+|\{\}|%|\\n|\\0)$/.test(word))],
]);
const harmlessXargs =
  /^(-[0rtx]+|-[nPL]\d*|-I(\{\}|%)?|-d(\\n|\\0)?|-s\d*|--null|--no-run-if-empty|--verbose|--max-(args|procs|lines)=\d+|--delimiter=\\[n0])$/;

/** The command inside a command. */
export type Inner = {
  /** Its place among the words of the outer one, the name of which is at 0. */
  at: number;
  /** The outer command changes nothing about it. */
  isClear: boolean;
  /** The words that it gets are not all in the text, and it could do more with them than print. */
  getsUnseen: boolean;
  /** A word before it that can become several, or none, so that another one is the command: `timeout $x ls`. */
  looseBefore: string | null;
};

/** The command that a simple command runs for another one, `ls` in `timeout 5 ls`; null when it is no wrapper. */
export function innerOf(words: readonly Word[]): Inner | null {
  const [name] = words;
  const wrapper: Wrapper | undefined = name && wrappers.get(name.value);
  if (!name || !wrapper) return null;
  const args = words.slice(1).map(({ value }) => value);
  const start = wrappedAt(wrapper, args);
  if (start === null) return null;
  const inner = words[start + 1]?.value ?? "";
  const options = args.slice(0, start - (wrapper.operands ?? 0)).filter((word) => word !== "--");
  const isSpread = name.value === "xargs" || name.value === "parallel";
  return {
    at: start + 1,
    isClear: clear.get(name.value)?.(options) ?? false,
    getsUnseen: isSpread && (!onlyPrints.has(inner) || /[{}%]/.test(inner)),
    looseBefore: words.slice(1, start + 1).find((word) => !isOneWord(word))?.text ?? null,
  };
}

/** Whether a word is the one word that it is written as, in every shell. */
function isOneWord({ parts = [] }: Word): boolean {
  return parts.every(
    (part) =>
      part.type === "Literal" ||
      part.type === "SingleQuoted" ||
      (part.type === "DoubleQuoted" && part.parts.every(({ type }) => type === "Literal")),
  );
}
