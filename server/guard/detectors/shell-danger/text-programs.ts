import { dangerInAwk } from "./awk-program";
import { argumentsOf, type CommandCheck, type Family, forNames, type Seen, seen } from "./danger";
import { quietEscape } from "./escapes";
import { type OptionGrammar, readOptions } from "./read-options";
import { dangerInSed } from "./sed-script";

const awkGrammar: OptionGrammar = {
  valued: "fFveEilW",
  optional: "dDopL",
  long: [
    ["--file", "f"],
    ["--exec", "E"],
    ["--include", "i"],
    ["--load", "l"],
    ["--source", "e"],
    ["--field-separator", "F"],
    ["--assign", "v"],
    ["--dump-variables", "d"],
    ["--debug", "D"],
    ["--pretty-print", "o"],
    ["--profile", "p"],
  ],
  endsAtOperand: true,
};

const ofAwk: CommandCheck = (command) => {
  const found: Seen[] = [];
  // POSIX has `-W name=value` for what GNU writes as `--name=value`.
  const args = argumentsOf(command).flatMap((word, at, all) =>
    all[at - 1] === "-W" ? [`--${word}`] : word === "-W" ? [] : /^-W./.test(word) ? [`--${word.slice(2)}`] : [word],
  );
  const { options, operands } = readOptions(args, awkGrammar);
  const programs: string[] = [];
  const others: string[] = [];
  const told = new Set<string>();
  let fromFile = false;
  for (const { letter, value, word } of options) {
    if (letter === "e") programs.push(value);
    else if (letter === "W") others.push(value);
    // The same is said once, however often an option is given.
    else if (told.has(letter)) continue;
    else if (/^[fEi]$/.test(letter)) found.push(...seen(quietEscape, `takes an awk program from a file (${word})`, command));
    else if (letter === "l") found.push(...seen("shell.loads_code", `takes an awk program from a file (${word})`, command));
    else if (/^[dDop]$/.test(letter)) found.push(...seen(quietEscape, `lets awk write to a file (${word})`, command));
    fromFile ||= letter === "f" || letter === "E";
    told.add(letter);
  }
  const [operand] = operands;
  // What is wrongly taken for a file of data does no harm, and the other way round it does.
  if (operand !== undefined && programs.length === 0 && (!fromFile || /[{}]/.test(operand))) programs.push(operand);
  const danger = programs.length + others.length === 0 ? null : dangerInAwk([...programs, ...others].join("\n"));
  if (danger === "runs") found.push(...seen("shell.text_program_runs", "starts a shell from within awk", command));
  if (danger === "loads") found.push(...seen("shell.loads_code", "makes awk load code from a file", command));
  if (danger === "writes") found.push(...seen("shell.text_program_writes", "lets awk write to a file or hand text to a command", command));
  if (danger === "unclear") found.push(...seen(quietEscape, "has an awk program that cannot be read", command));
  return found;
};

const sedGrammar: OptionGrammar = {
  valued: "efl",
  optional: "iI",
  long: [
    ["--expression", "e"],
    ["--file", "f"],
    ["--in-place", "i"],
    ["--line-length", "l"],
  ],
  endsAtOperand: false,
};

const ofSed: CommandCheck = (command) => {
  const found: Seen[] = [];
  const { options, operands } = readOptions(argumentsOf(command), sedGrammar);
  const scripts: string[] = [];
  const told = new Set<string>();
  for (const { letter, value, word } of options) {
    if (/^[iI]$/.test(letter) && !told.has(letter)) found.push(...seen(quietEscape, `changes files in place (${word})`, command));
    if (letter === "f" && !told.has(letter)) found.push(...seen(quietEscape, `takes a sed script from a file (${word})`, command));
    // Where -l has no value, the next word is the script.
    if (letter === "e" || (letter === "l" && !/^\d*$/.test(value))) scripts.push(value);
    told.add(letter);
  }
  // sed reads each script as it comes to it: what stands before --sandbox is not held by it.
  const [first] = options.filter(({ letter }) => /^(e|f|--sandbox)$/.test(letter));
  if (first?.letter === "--sandbox") return found;
  const danger = dangerInSed((scripts.length > 0 ? scripts : operands.filter((word) => word !== "").slice(0, 1)).join("\n"));
  if (danger === "runs") found.push(...seen("shell.text_program_runs", "runs a command from within sed (e)", command));
  if (danger === "writes") found.push(...seen("shell.text_program_writes", "lets sed write to a file (w)", command));
  if (danger === "reads") found.push(...seen(quietEscape, "lets sed read a file (r)", command));
  if (danger === "unclear") found.push(...seen(quietEscape, "has a sed script that cannot be read", command));
  return found;
};

/** What awk and sed do beyond changing text. Their programs are read, not searched. */
export const textPrograms: Family = {
  dangers: [
    {
      id: "shell.text_program_runs",
      title: "awk or sed that runs a command",
      severity: "high",
      verdict: "require_approval",
      escapes: true,
      explanation: "system(), a pipe or an indirect call in awk, and e in sed, start any program from within a text filter.",
      fix: "Let awk and sed print text, and run the other program by its own name.",
    },
    {
      id: "shell.text_program_writes",
      title: "awk or sed that writes a file",
      severity: "medium",
      verdict: "require_approval",
      escapes: true,
      explanation: "print > file in awk and w in sed write over any file that the program names.",
      fix: "Print the text, and write the file with a tool for files.",
    },
  ],
  ofCommand: new Map([...forNames(["awk", "gawk", "mawk", "nawk", "original-awk"], ofAwk), ...forNames(["sed", "gsed", "ssed"], ofSed)]),
};
