import { dangerInAwk } from "./awk-program";
import { argumentsOf, type CommandCheck, type Family, forNames, type Seen, seen } from "./danger";
import { quietEscape } from "./escapes";
import { dangerInSed } from "./sed-script";

const ofAwk: CommandCheck = (command) => {
  const found: Seen[] = [];
  const args = argumentsOf(command);
  let program: string | null = null;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (/^(-f|--file|-E|--exec|-i|--include|-l|--load)/.test(word)) {
      found.push(
        ...seen(
          word.startsWith("-l") || word.startsWith("--load") ? "shell.loads_code" : quietEscape,
          `takes an awk program from a file (${word})`,
          command,
        ),
      );
      program ??= "";
      if (/^-[fEil]$|^--\w+$/.test(word)) at += 1;
    } else if (/^(-e|--source)/.test(word)) {
      program = `${program ?? ""}\n${/^(-e|--source)$/.test(word) ? (args[at + 1] ?? "") : word.replace(/^(-e|--source=)/, "")}`;
      if (/^(-e|--source)$/.test(word)) at += 1;
    } else if (/^(-v|-F|--assign|--field-separator)$/.test(word)) at += 1;
    else if (!word.startsWith("-") || word === "--") {
      program ??= word === "--" ? (args[at + 1] ?? "") : word;
      break;
    }
  }
  const danger = program === null ? null : dangerInAwk(program);
  if (danger === "runs") found.push(...seen("shell.text_program_runs", "starts a shell from within awk", command));
  if (danger === "loads") found.push(...seen("shell.loads_code", "makes awk load code from a file", command));
  if (danger === "writes") found.push(...seen("shell.text_program_writes", "lets awk write to a file or hand text to a command", command));
  if (danger === "unclear") found.push(...seen(quietEscape, "has an awk program that cannot be read", command));
  return found;
};

const ofSed: CommandCheck = (command) => {
  const found: Seen[] = [];
  const args = argumentsOf(command);
  const scripts: string[] = [];
  let operand: string | null = null;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (/^(--sandbox|--posix)$/.test(word)) continue;
    if (/^(-[nrEsuz]*i|--in-place)/.test(word)) found.push(...seen(quietEscape, `changes files in place (${word})`, command));
    else if (/^(-[nrEsuz]*f|--file)/.test(word)) found.push(...seen(quietEscape, `takes a sed script from a file (${word})`, command));
    else if (/^(-[nrEsuz]*e|--expression)$/.test(word)) {
      scripts.push(args[at + 1] ?? "");
      at += 1;
    } else if (/^(-[nrEsuz]*e|--expression=)/.test(word)) scripts.push(word.replace(/^(-[nrEsuz]*e|--expression=)/, ""));
    else if (!word.startsWith("-")) operand ??= word;
  }
  const danger = dangerInSed((scripts.length > 0 ? scripts : [operand ?? ""]).join("\n"));
  if (args.includes("--sandbox")) return found;
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
