import type { ShellWord } from "../../script/words";
import { type EffectSink, elevates, givenOption, runsAnother } from "../program";
import { joined } from "./xargs-and-parallel";

export const otherUser = elevates("shell.other_user", "runs with the rights of another user");

/** Returns all words from this one on, options included. */
function wordsFrom({ command }: EffectSink, word: ShellWord): readonly ShellWord[] {
  return command.words.slice(command.words.indexOf(word));
}

/** Runs the command behind assignments: `env A=b command`. */
function runsAfterAssignments(act: EffectSink, isTransparent = false): void {
  const { operands } = act.parsed;
  const at = operands.findIndex(({ value }) => !/^[A-Za-z_]\w*=|^-$/s.test(value));
  for (const word of at < 0 ? operands : operands.slice(0, at)) if (word.value !== "-") act.role("assignment", word);
  if (at >= 0) act.run(operands.slice(at), isTransparent);
}

/** Runs a command as another user; `sudo -l` only lists permissions and runs nothing. */
export function runsAsOther(act: EffectSink): void {
  const { parsed, does, role } = act;
  if (givenOption(parsed, "-l --list -V --version -h --help") || (parsed.operands.length === 0 && givenOption(parsed, "-k -K -v"))) return;
  does(otherUser);
  if (givenOption(parsed, "-e --edit")) for (const word of parsed.operands) role("writes", word);
  else runsAfterAssignments(act);
}

/** Runs the command of `runuser -u me ls`, or the shell script of `runuser me -c ls`. */
export function runsForUser(act: EffectSink): void {
  const [first] = act.parsed.operands;
  if (first && givenOption(act.parsed, "-u --user")) act.run(wordsFrom(act, first));
}

/** Runs the command of `env`; in `env -S "text"` the text and all words after it form one command line. */
export function runsInEnvironment(act: EffectSink): void {
  const { parsed, role } = act;
  const split = givenOption(parsed, "-S --split-string")?.value;
  if (!split) runsAfterAssignments(act, true);
  else role("script", joined([split, ...parsed.operands]));
}

/** Notes the shell that `script file` starts when no command is given. */
export function records({ parsed, does }: EffectSink): void {
  if (parsed.operands.length < 2 && !givenOption(parsed, "-c --command")) does(runsAnother);
}

/** Notes the command that gets the output: `strace -o '|command'`. */
export function traces({ parsed, does }: EffectSink): void {
  const output = givenOption(parsed, "-o --output");
  if (output?.value && (/^[|!]/.test(output.value.value) || output.value.certainty !== "literal")) does(runsAnother, output.word);
}

/** Runs the command of `dotenv -e .env -- command`, which is all operands when the word `run` is absent. */
export function runsBehindDashes({ parsed, run }: EffectSink): void {
  const [first] = parsed.operands;
  if (first && first.value !== "run") run(parsed.operands);
}
