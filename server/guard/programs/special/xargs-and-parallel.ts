import { programName, type ResolvedCommand } from "../../script/resolved-command";
import { type ShellWord, unknownPiece } from "../../script/words";
import { type EffectSink, givenOption, type ParsedWords, runsUnknown } from "../program";

/** Joins words to one script, as programs do that pass them to a shell. */
export function joined(words: readonly ShellWord[], text = words.map(({ value }) => value).join(" ")): ShellWord {
  const [first] = words;
  const certainty = words.every((word) => word.certainty === "literal") ? "literal" : "unknown";
  return { text, value: text, certainty, start: first?.start ?? 0, end: words.at(-1)?.end ?? 0 };
}

/** Programs that delete each of their operands. */
const deletesEach = /^(?:g?rm|unlink|shred|srm|trash)$/;

/** Maximum number of input lines that are read one by one. */
const maxLines = 50;

/**
 * Runs the command with words of its input, at the end or in place of `{}`. The words are known when the script writes
 * them out plainly; otherwise only at run time.
 */
export function runsOnInput({ parsed, command, run }: EffectSink): void {
  const [name] = command.words;
  const { operands } = parsed;
  const replace = givenOption(parsed, "-I -i --replace");
  const [first] = operands;
  if (!first || !name) return;
  const sign = replace?.value?.value || /^--replace=(.+)$/s.exec(replace?.word.value ?? "")?.[1] || "{}";
  const filled = (text: string, certainty: ShellWord["certainty"]) =>
    operands.map((word) => (word.value.includes(sign) ? { ...word, value: word.value.replaceAll(sign, () => text), certainty } : word));
  const lines = plainLines(parsed, command);
  // The input may name any number of files, so it counts as a folder with its whole content.
  const many = { isRecursive: deletesEach.test(programName(first)) };
  if (replace) {
    if (lines === null) run(filled(unknownPiece, "unknown"), false, many);
    else for (const line of lines) run(filled(line, "literal"));
    return;
  }
  const wordFor = (value: string, certainty: ShellWord["certainty"]): ShellWord => ({ ...name, value, certainty });
  const each = givenOption(parsed, "-n --max-args -L -l --max-lines");
  if (lines === null || (each && each.value?.value !== "1")) {
    run([...operands, wordFor(unknownPiece, "unknown")], false, many);
    return;
  }
  const words = lines.flatMap((line) => line.split(/[ \t]+/)).map((word) => wordFor(word, "literal"));
  if (each) for (const word of words) run([...operands, word]);
  else run([...operands, ...words]);
}

/** Returns the lines of a literal input that `xargs` reads without special rules; null for any other input. */
function plainLines(parsed: ParsedWords, { within: { input } }: ResolvedCommand): string[] | null {
  if (input?.certainty !== "literal" || /[\\'"\uE000-\uE00F]/.test(input.value)) return null;
  if (givenOption(parsed, "-0 --null -d --delimiter -a --arg-file -E -e -s --eof")) return null;
  const lines = input.value.split("\n").flatMap((line) => line.trim() || []);
  return lines.length > maxLines ? null : lines;
}

const runsLines = { ...runsUnknown, note: "shell.inline_program", says: "runs each line of its input as a command" } as const;

const isPlain = ({ value, certainty }: ShellWord): boolean => certainty === "literal" && /^[\w./@%+,-]+$/.test(value);

/** Adds the scripts of `parallel gzip {} ::: a b`: the words are a script, in which `{}` stands for an argument. */
export function runsInParallel({ parsed, does, role }: EffectSink): void {
  const { operands } = parsed;
  const end = operands.findIndex(({ value }) => /^:::+\+?$/.test(value));
  const words = end < 0 ? operands : operands.slice(0, end);
  let areFiles = false;
  for (const word of end < 0 ? [] : operands.slice(end)) {
    if (/^:::+\+?$/.test(word.value)) areFiles = word.value.startsWith("::::");
    else if (areFiles) role("file_list", word);
  }
  const text = words.map(({ value }) => value).join(" ");
  const placeholder = /\{(?:[#%]|\d*(?:\.|\/|\/\/|\/\.)?)\}/g;
  const takesPlace = text.search(placeholder) >= 0;
  // A placeholder inside quotes cannot become a variable, and `{= … =}` is a program in Perl.
  const written = end < 0 || areFiles ? [] : operands.slice(end + 1);
  if (written.length > 0 && written.length <= maxLines && written.every(isPlain) && !/['"\\]/.test(text)) {
    for (const { value } of written) {
      role("script", joined([...words, ...written], takesPlace ? text.replace(placeholder, () => value) : `${text} ${value}`));
    }
    return;
  }
  if (words.length === 0 || text.includes("{=") || (takesPlace && /['"\\]/.test(text))) does(runsLines, words[0]);
  else role("script", joined(words, takesPlace ? text.replace(placeholder, "$x") : `${text} $x`));
}
