import { changesPrograms } from "../environment";
import type { EffectSink } from "../program";
import { runsUnknown } from "../program";
import { joined } from "./xargs-and-parallel";

export const evaluates = { ...runsUnknown, note: "shell.eval", says: "runs text as a command" } as const;

/** Checks the name of a variable, because bash runs commands in its subscript: `printf -v 'a[$(id)]'`. */
export function namesVariable({ command, does }: EffectSink): void {
  const named = command.words.slice(1).find(({ value, certainty }) => certainty !== "literal" || value.includes("["));
  if (named) does(evaluates, named);
  for (const word of command.words.slice(1)) {
    const says = `sets ${word.value}, which can change what other commands do`;
    if (/^[A-Z]\w*$/.test(word.value) && changesPrograms(word.value, null)) does({ ...runsUnknown, note: "shell.environment", says }, word);
  }
}

/** Notes the variable that `printf -v PATH .` sets. */
export function setsVariable(act: EffectSink): void {
  if (act.parsed.options.some(({ name }) => name === "-v")) namesVariable(act);
}

/** Adds the effects of a test: `[ -f path ]` lists a file, and `-v` evaluates its operand. */
export function tests({ command, role, does }: EffectSink): void {
  const words = command.words.slice(1);
  for (const [at, { value }] of words.entries()) {
    const next = words[at + 1];
    if (!next) return;
    if (/^-[bcdefgGhkLNOprsSuwx]$/.test(value)) role("lists", next);
    else if (/^-[vR]$/.test(value)) does(evaluates, next);
  }
}

/** Runs the joined words of `eval` as a script. */
export function runsJoined({ command, role }: EffectSink): void {
  const words = command.words.slice(command.words[1]?.value === "--" ? 2 : 1);
  if (words.length > 0) role("script", joined(words));
}

/** Reads the scripts that an alias runs later under another name: `alias name='command'`. */
export function definesCommands({ command, role }: EffectSink): void {
  for (const word of command.words.slice(1)) {
    const [, value] = /^[^=]+=(['"]?)(?<script>.*)\1$/s.exec(word.value)?.slice(1) ?? [];
    if (value !== undefined && word.certainty === "literal") role("script", { ...word, value });
  }
}

/** Keeps `command -v name` from running the program that it only looks up. */
export function onlyLooksUp(act: EffectSink): void {
  if (act.parsed.options.some(({ name }) => name === "-v" || name === "-V")) act.run = () => {};
}
