import { isShell, valuesOf } from "../../shell/inner-commands";
import type { RunningCommand, RunningScript } from "../../shell/running-commands";
import { argumentsOf, type CommandCheck, type Family, forNames, nothing, operandsOf, type Seen, seen } from "./danger";
import { quietEscape } from "./escapes";
import { type OptionList, optionAmong, optionList } from "./option-list";
import { opensPipes, pipeAmong, runsFromClient } from "./pipes";

/** Options after which a language reads its program from the command line. */
const inlineOptions: Record<string, string> = {
  python: "-c",
  pypy: "-c",
  jython: "-c",
  perl: "-e -E",
  ruby: "-e",
  jruby: "-e",
  node: "-e -p --eval --print",
  nodejs: "-e -p --eval --print",
  bun: "-e -p --eval --print",
  deno: "eval",
  php: "-r -B -R -E --run --process-begin --process-code --process-end",
  lua: "-e",
  luajit: "-e",
  tclsh: "-c",
  R: "-e",
  Rscript: "-e",
  julia: "-e -E --eval --print",
  ghc: "-e",
  ghci: "-e",
  jrunscript: "-e",
  jjs: "-e",
  groovy: "-e",
  scala: "-e",
  elixir: "-e --eval --rpc-eval",
  iex: "-e",
  erl: "-eval",
  guile: "-c",
  racket: "-e",
  sbcl: "--eval",
  clisp: "-x",
  octave: "--eval",
  "octave-cli": "--eval",
  gnuplot: "-e",
  osascript: "-e",
  swift: "-e",
  ocaml: "-e",
  irb: "-e",
  mongosh: "--eval",
  mongo: "--eval",
  kotlin: "-e",
  raku: "-e",
  rakudo: "-e",
  nim: "--eval",
  janet: "-e",
  ts: "-e",
  "ts-node": "-e --eval -p",
  tsx: "-e --eval -p",
  cscript: "@",
  maxima: "--batch-string",
  gawk: "-e --source",
};

const inline = new Map<string, OptionList>(Object.entries(inlineOptions).map(([name, text]) => [name, optionList(text)]));
/** Editors that run commands which stand in their arguments. */
const editors = optionList("-c --cmd -S -s -u -es -E +*");
const reverse = /socket|require\(["'`](net|node:net|tls)|\/dev\/tcp|\/inet\/tcp|fsockopen|TCPSocket|net\.connect|net\.Socket/i;
const handsOver = /dup2|subprocess|pty\.|\/bin\/|spawn|exec|popen|system|proc_open|<&|>&/i;

/** python3.12 is python; lua5.4 is lua. */
export function languageOf(name: string): string {
  return name.replace(/(?<![\d.])[\d.]+$/, "");
}

export const isLanguage = (name: string): boolean => inline.has(languageOf(name));

function ofLanguage(command: RunningCommand, script: RunningScript): readonly Seen[] {
  const list = inline.get(languageOf(command.name));
  if (!list) return nothing;
  const args = argumentsOf(command);
  const option = optionAmong(args, list);
  if (option !== null) {
    const program = args.join(" ");
    if (reverse.test(program) && handsOver.test(program)) return seen("shell.reverse_shell", "hands a shell to another machine", command);
    return seen("shell.inline_program", `runs a ${command.name} program that stands in the command line (${option})`, command);
  }
  if (readsProgram(command) && (isFed(command) || script.script.unreadable)) {
    return seen("shell.inline_program", `runs a ${command.name} program that comes from its input`, command);
  }
  return nothing;
}

/** Whether a language gets nothing to run but what is on its input; with a version or a check asked for, it runs nothing. */
export function readsProgram(command: RunningCommand): boolean {
  const language = languageOf(command.name);
  const list = inline.get(language);
  const args = argumentsOf(command);
  if (!list || optionAmong(args, list) !== null) return false;
  const operands = operandsOf(command);
  const [file = "-"] = /^(deno|bun)$/.test(language) && operands[0] === "run" ? operands.slice(1) : operands;
  if (!isInput.test(file)) return false;
  const only = runsNothing[language] ?? /^-[cvVh]$|^--(version|help|test|check)$/;
  return !args.some((word) => only.test(word));
}

/** A program's own input, by the names that it has as a file. */
const isInput = /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;

/** Programs that are no languages by their name, and run what their input says when they are told to read it. */
const readsScript = new Map<string, (args: readonly string[]) => boolean>([
  ...["make", "gmake", "bmake", "awk", "gawk", "mawk", "nawk", "sed", "gsed"].map(
    (name) =>
      [name, (args: readonly string[]) => valuesOf(args, ["-f", "--file", "--makefile"]).some((file) => isInput.test(file))] as const,
  ),
  ...["dc", "m4", "gm4", "jshell", "nu"].map(
    (name) => [name, (args: readonly string[]) => args.every((word) => word.startsWith("-") || isInput.test(word))] as const,
  ),
  // Without a command of its own, each line of its input is one.
  ["parallel", (args) => args.every((word) => /^-/.test(word) || /^\d+%?$/.test(word))],
]);

/** Whether a program that is no language runs its input: `make -f -`. */
export const runsInput = (command: RunningCommand): boolean => readsScript.get(command.name)?.(argumentsOf(command)) ?? false;

const ofReader: CommandCheck = (command) => {
  if (!runsInput(command) || !isFed(command)) return nothing;
  // Calculators and macros are seldom meant to run anything.
  const danger = /^(dc|g?m4)$/.test(command.name) ? quietEscape : "shell.inline_program";
  return seen(danger, `runs what comes from the input of ${command.name}`, command);
};

const runsNothing: Record<string, RegExp> = {
  python: /^-[Vh]$|^-m.|^--(version|help)$/,
  pypy: /^-[Vh]$|^-m.|^--(version|help)$/,
  php: /^-[livh]$|^--(version|help|syntax-check|info)$/,
};

/** Whether something else than the terminal is on its input. */
export function isFed({ within, input }: RunningCommand): boolean {
  return (
    within.pipedFrom !== null ||
    input !== null ||
    [...within.node.redirects, ...within.redirected].some(({ operator }) => operator.startsWith("<"))
  );
}

const ofShell: CommandCheck = (command) => {
  const args = argumentsOf(command);
  const option = args.find((word) => /^-[a-zA-Z]*c/.test(word) || word === "--command" || word === "--init-command" || word === "-C");
  if (option) return seen("shell.inline_program", `hands a script to ${command.name} (${option})`, command);
  if (args.some((word) => /^(--rcfile|--init-file|-s)$/.test(word)) || isFed(command)) {
    return seen("shell.inline_program", `runs a script that comes from the input of ${command.name}`, command);
  }
  return args.some((word) => /^\/dev\/(fd|stdin|tcp)/.test(word)) ||
    args.every((word) => /^[-+]/.test(word) && !/^--?(version|help|V)$/.test(word))
    ? seen("shell.inline_program", `starts ${command.name}, which runs whatever it is given`, command)
    : nothing;
};

const textEditors = ["vi", "vim", "nvim", "view", "vimdiff", "rvim", "rview", "ex", "gvim"];
const asks = { severity: "medium", verdict: "require_approval", escapes: true } as const;

/** Programs inside command lines: `sh -c`, `python -c`, eval, a here-document for an interpreter. */
export const interpreters: Family = {
  dangers: [
    {
      ...asks,
      id: "shell.inline_program",
      title: "A program inside the command line",
      explanation:
        "sh -c, python -c, perl -e, node -e, vim -c and a script on an interpreter's input run a program that a rule for the command's name cannot see. Scripts for a shell are read and judged too; other languages are not.",
      fix: "Write the program to a file of the workspace and run that, or use the commands themselves.",
    },
    {
      ...asks,
      id: "shell.eval",
      title: "Text that is run as a command",
      explanation: "eval, source and alias turn text into commands, which may only be known when they run.",
      fix: "Write the command itself.",
    },
  ],
  ofCommand: new Map<string, CommandCheck>([
    ["eval", (command) => seen("shell.eval", "runs a text as a command", command)],
    ...forNames([...readsScript.keys()], ofReader),
    ["source", ofSource],
    [".", ofSource],
    [
      "alias",
      (command) =>
        argumentsOf(command).some((word) => word.includes("=")) ? seen("shell.eval", "gives a command another meaning", command) : nothing,
    ],
    [
      "trap",
      (command) =>
        /^(-.*)?$/.test(argumentsOf(command)[0] ?? "") ? nothing : seen("shell.eval", "sets a command that runs later", command),
    ],
    ["enable", (command) => seen("shell.eval", "changes which commands the shell itself has", command)],
    ["hash", (command) => (argumentsOf(command).includes("-p") ? seen("shell.eval", "gives a command another meaning", command) : nothing)],
    ["bind", (command) => seen("shell.eval", "can set a command that runs later", command)],
    ["complete", (command) => seen("shell.eval", "can set a command that runs later", command)],
    [
      "mapfile",
      (command) =>
        argumentsOf(command).some((word) => word.startsWith("-C")) ? seen("shell.eval", "runs a text as a command (-C)", command) : nothing,
    ],
    [
      "readarray",
      (command) =>
        argumentsOf(command).some((word) => word.startsWith("-C")) ? seen("shell.eval", "runs a text as a command (-C)", command) : nothing,
    ],
    [
      "env",
      (command) =>
        optionAmong(argumentsOf(command), splitString) === null
          ? nothing
          : seen("shell.eval", "runs a text as a command (env -S)", command),
    ],
    [
      "flock",
      (command) =>
        optionAmong(argumentsOf(command), lockedCommand) === null
          ? nothing
          : seen("shell.inline_program", "hands a script to a shell (flock -c)", command),
    ],
    [
      "ed",
      (command) => (isFed(command) ? seen("shell.inline_program", "runs editor commands, which can start a shell", command) : nothing),
    ],
    [
      "red",
      (command) => (isFed(command) ? seen("shell.inline_program", "runs editor commands, which can start a shell", command) : nothing),
    ],
    ...forNames(textEditors, (command) => {
      const option = optionAmong(argumentsOf(command), editors);
      const found = option ?? (isFed(command) ? "its input" : null);
      return found === null ? nothing : seen("shell.inline_program", `runs editor commands, which can start a shell (${found})`, command);
    }),
    ...forNames(opensPipes, (command) => {
      const pipe = pipeAmong(argumentsOf(command));
      return pipe === null ? nothing : seen("shell.inline_program", `starts a program that stands where a file would (${pipe})`, command);
    }),
    ...forNames(["sqlite3", "mysql", "mariadb", "psql", "dc", "ftp", "sftp", "smbclient", "gdb", "telnet", "lftp"], (command) => {
      const text = [...argumentsOf(command), command.input ?? ""].join("\n");
      return runsFromClient(text) ||
        /(^|\s)(!|\\!|\.s(?:h(?!ow\b)|y)[a-z]*\b|system\s|shell\s|\.lo[a-z]*\b)|\bTO\s+PROGRAM\b|\bFROM\s+PROGRAM\b|readfile\(|writefile\(|load_extension\(/is.test(
          text,
        )
        ? seen("shell.inline_program", "starts a shell from within a program", command)
        : nothing;
    }),
  ]),
  ofEachCommand: (command, script) => (isShell(command.name) ? ofShell(command, script) : ofLanguage(command, script)),
};

const lockedCommand = optionList("-c --command");
const splitString = optionList("-S --split-string");

function ofSource(command: RunningCommand): readonly Seen[] {
  const [file = ""] = argumentsOf(command);
  return file === "" || (/^[\w./-]+$/.test(file) && !file.startsWith("/dev/"))
    ? nothing
    : seen("shell.eval", "runs a text as a script", command);
}
