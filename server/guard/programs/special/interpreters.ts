import { isInput } from "../language";
import { parseWords } from "../parse-words";
import {
  connects,
  type EffectSink,
  type FixedEffect,
  givenOption,
  loadsCode,
  type ProgramSpec,
  runsAnother,
  runsFolderCode,
  runsUnknown,
} from "../program";

/** Options of shells. The script of `-c` is the first operand, because other letters may follow the `c`. */
export const shell: ProgramSpec = { optionsFirst: true, valued: { "-o -O": "text", "--rcfile --init-file": "executes" } };

/** Adds the script of `sh -c script` or `sh file`. */
export function runsShell({ parsed, role, does }: EffectSink): void {
  const [first] = parsed.operands;
  if (!first || givenOption(parsed, "--version --help")) return;
  // In `sh +e -c script`, more options follow the `+e`.
  if (first.value.startsWith("+")) does(runsUnknown, first);
  else if (givenOption(parsed, "-c")) role("script", first);
  else if (!isInput(first) && !givenOption(parsed, "-s")) role("executes", first);
}

export const readsInput: ProgramSpec["runsInput"] = (args) => {
  const parsed = parseWords(args, shell);
  if (givenOption(parsed, "-c --version --help")) return false;
  const [first] = parsed.operands;
  return first === undefined || isInput(first) || givenOption(parsed, "-s") !== undefined;
};

/** Adds the code of `java -jar x.jar`, `java Main.java` or `java -cp build Main`. */
export function runsJava({ parsed, role, does }: EffectSink): void {
  const [first] = parsed.operands;
  const loading = parsed.options.find(({ name }) => /^-(?:javaagent|agentpath|agentlib|XX:OnError|XX:OnOutOfMemoryError)/.test(name));
  if (loading) does(loadsCode, loading.word);
  if (first && /^@|\.java$/.test(first.value)) role("executes", first);
  else if (first && !givenOption(parsed, "-jar")) does(runsFolderCode, first);
}

/** Runs a program that is loaded from the network unread. */
const runsAddress: FixedEffect = { ...runsUnknown, note: "shell.download_and_run", says: "runs a program from the network" };

export function runsFileOrAddress({ parsed, role, does }: EffectSink): void {
  const [first] = parsed.operands;
  if (!first || isInput(first)) return;
  if (!/^[a-z]{2,}:/i.test(first.value)) {
    role("executes", first);
    return;
  }
  if (/^https?:/i.test(first.value)) role("url", first);
  else does(connects, first);
  does(runsAddress, first);
}

/** Adds the files and commands of `vim +command file`. */
export function editsFiles({ parsed, role, does }: EffectSink): void {
  for (const word of parsed.operands) {
    if (!word.value.startsWith("+")) role("writes", word);
    else if (!/^\+\d*$/.test(word.value)) does(runsAnother, word);
  }
}
/** The program runs its input when it has only options, or `run -`. */
export const startsPrompt: ProgramSpec["runsInput"] = (args) =>
  args.every((word) => isInput(word) || /^(?:run|repl|-A|--allow.*)$/.test(word.value));
