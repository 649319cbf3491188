import { isShell, valuesOf } from "../../shell/inner-commands";
import type { RunningCommand, RunningScript } from "../../shell/running-commands";
import { argumentsOf, type Family, nothing, operandsOf, type Seen, seen } from "./danger";
import { isLanguage } from "./interpreters";

/** `python3 gen.py > x; sh x`: what a command line writes and runs at once, nobody has read. */
function ofScript({ commands, files }: RunningScript): readonly Seen[] {
  if (files.isEmpty) return nothing;
  const run = commands.find((command) => {
    // Of what a shell runs, that is all right which was read, too; nobody reads the programs of other languages.
    if (scriptsOf(command).some((file) => files.isUnread(file))) return true;
    return programsOf(command).some((file) => files.isWritten(file));
  });
  return run ? seen("shell.written_program", "runs a file that the same command line has written, unread", run) : nothing;
}

function scriptsOf(command: RunningCommand): readonly string[] {
  const { name, words } = command;
  if (isShell(name) || name === "source" || name === ".") return filesOf(command);
  const [file = ""] = words;
  return file.includes("/") && !ofSystem.test(file) ? [file] : none;
}

const none: readonly string[] = [];
const ofSystem = /^\/(?:usr\/|opt\/)?(?:local\/)?s?bin\//;

function programsOf(command: RunningCommand): readonly string[] {
  const { name } = command;
  if (isLanguage(name) || runsFile.test(name)) {
    const modules = valuesOf(argumentsOf(command), ["-m"]).map((module) => `${module.replaceAll(".", "/")}.py`);
    return [...filesOf(command), ...modules];
  }
  if (!takesProgram.test(name)) return none;
  const named = valuesOf(argumentsOf(command), ["-f", "--file", "--makefile"]);
  return named.length === 0 && makes.test(name) ? ["Makefile", "makefile", "GNUmakefile"] : named;
}

const runsFile = /^(?:java|go|dotnet|uv|poetry|pipenv|rustc|crystal|dart|expect|wish)$/;
const takesProgram = /^(?:[gbm]?make|[gmn]?awk|g?sed)$/;
const makes = /make$/;

/** The file that is run, as far as one can tell it from the values of options. */
function filesOf(command: RunningCommand): readonly string[] {
  const operands = operandsOf(command);
  const [first = "", ...others] = operands[0] === "run" ? operands.slice(1) : operands;
  const args = argumentsOf(command);
  const isValue = takesValue.test(args[args.indexOf(first) - 1] ?? "");
  const attached = args.flatMap((word) => /^--?\w[\w-]*=(.+)/s.exec(word)?.[1] ?? none);
  return [first, ...(isValue ? others.slice(0, 1) : none), ...attached];
}

const takesValue = /^(?:-[WXIrQoOCE]|[+][oO]|--(?:require|import|loader|rcfile|init-file|config|experimental-loader|classpath))$/;

export const writtenPrograms: Family = {
  dangers: [
    {
      id: "shell.written_program",
      title: "A file that is written and runs unread",
      severity: "medium",
      verdict: "require_approval",
      escapes: true,
      explanation:
        "A command line that writes a file and runs it hides what runs: in the output of another command, or in a program's text.",
      fix: "Write the file in one call and run it in another, or run its commands themselves.",
    },
  ],
  ofScript,
};
