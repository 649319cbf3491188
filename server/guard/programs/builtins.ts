import { changesPrograms } from "./environment";
import { type EffectSink, type Program, program, runsUnknown } from "./program";
import { joined } from "./xargs-and-parallel";

const evaluates = { ...runsUnknown, note: "shell.eval", says: "runs text as a command" } as const;

/** Checks the name of a variable, because bash runs commands in its subscript: `printf -v 'a[$(id)]'`. */
function namesVariable({ command, does }: EffectSink): void {
  const named = command.words.slice(1).find(({ value, certainty }) => certainty !== "literal" || value.includes("["));
  if (named) does(evaluates, named);
  for (const word of command.words.slice(1)) {
    const says = `sets ${word.value}, which can change what other commands do`;
    if (/^[A-Z]\w*$/.test(word.value) && changesPrograms(word.value, null)) does({ ...runsUnknown, note: "shell.environment", says }, word);
  }
}

/** Notes the variable that `printf -v PATH .` sets. */
function setsVariable(act: EffectSink): void {
  if (act.parsed.options.some(({ name }) => name === "-v")) namesVariable(act);
}

/** Adds the effects of a test: `[ -f path ]` lists a file, and `-v` evaluates its operand. */
function tests({ command, role, does }: EffectSink): void {
  const words = command.words.slice(1);
  for (const [at, { value }] of words.entries()) {
    const next = words[at + 1];
    if (!next) return;
    if (/^-[bcdefgGhkLNOprsSuwx]$/.test(value)) role("lists", next);
    else if (/^-[vR]$/.test(value)) does(evaluates, next);
  }
}

/** Runs the joined words of `eval` as a script. */
function runsJoined({ command, role }: EffectSink): void {
  const words = command.words.slice(command.words[1]?.value === "--" ? 2 : 1);
  if (words.length > 0) role("script", joined(words));
}

/** Reads the scripts that an alias runs later under another name: `alias name='command'`. */
function definesCommands({ command, role }: EffectSink): void {
  for (const word of command.words.slice(1)) {
    const [, value] = /^[^=]+=(['"]?)(?<script>.*)\1$/s.exec(word.value)?.slice(1) ?? [];
    if (value !== undefined && word.certainty === "literal") role("script", { ...word, value });
  }
}

/** Commands of the shell itself. */
export const builtinPrograms: readonly Program[] = [
  program("echo true false : break continue return exit shift set umask ulimit jobs bg fg times logout suspend dirs disown shopt", {
    wordOptions: true,
  }),
  program("printf", { special: setsVariable, valued: { "-v": { role: "text", does: [evaluates] } } }),
  program("test [", { special: tests, wordOptions: true }),
  program("cd pushd", { operands: ["lists"] }),
  program("popd pwd", {}),
  program("export declare typeset readonly local unset getopts wait let", { special: namesVariable }),
  program("mapfile readarray", { special: namesVariable, valued: { "-C": "script", "-d -n -O -s -t -u -c": "text" } }),
  program("read", { special: namesVariable, valued: { "-d -n -N -p -t -u -i": "text", "-a": "text" } }),
  program("type which whereis", {}),
  program("hash", { valued: { "-p": "executes" } }),
  program("alias", { does: [evaluates], special: definesCommands }),
  program("unalias history", {}),
  program("complete compgen bind fc", { valued: { "-C -x -e": "script", "-F -W -A -o": "text" }, does: [evaluates] }),
  program("enable", { valued: { "-f": { role: "executes", does: [] } } }),
  program("eval", { special: runsJoined }),
  program("source .", { operands: ["executes", "text"], does: [{ note: "shell.eval", says: "runs a file in this shell" }] }),
  program("trap", { operands: ["script", "text"] }),
  program("exec", { operands: ["command"], valued: { "-a": "text" }, isTransparent: true }),
  program("command", { operands: ["command"], isTransparent: true, special: onlyLooksUp }),
  program("builtin", { operands: ["command"], isTransparent: true }),
];

/** Keeps `command -v name` from running the program that it only looks up. */
function onlyLooksUp(act: EffectSink): void {
  if (act.parsed.options.some(({ name }) => name === "-v" || name === "-V")) act.run = () => {};
}
