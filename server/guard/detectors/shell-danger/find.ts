import { onlyPrints } from "../../shell/only-prints";
import { argumentsOf, type Family, nothing, seen } from "./danger";

const deletes = new Set(["-delete"]);
const runs = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const writes = new Set(["-fprint", "-fprint0", "-fprintf", "-fls"]);

/** What turns a search into a deletion, a command or a file. */
export const findActions = [...deletes, ...runs, ...writes];

const common = {
  severity: "high",
  verdict: "require_approval",
  escapes: true,
} as const;

/** Actions of `find` that do more than search. */
export const find: Family = {
  dangers: [
    {
      ...common,
      id: "shell.find_delete",
      title: "find that deletes",
      explanation: "-delete removes every file that the search finds, at once and without a list to look at.",
      fix: "Search first, without -delete, and then remove the files by name.",
    },
    {
      ...common,
      id: "shell.find_exec",
      title: "find that runs a command",
      explanation:
        "-exec, -execdir, -ok and -okdir start a command for every file that the search finds. Only -exec with a program that can do nothing but print is a search, too.",
      fix: "Search first, and then run the command on the files that were meant.",
    },
    {
      ...common,
      id: "shell.find_write",
      title: "find that writes a file",
      severity: "medium",
      explanation: "-fprint, -fprint0, -fprintf and -fls write over the file that they are given, with a content that can be chosen.",
      fix: "Let it print what it finds.",
    },
  ],
  ofCommand: new Map([
    [
      "find",
      (command) =>
        argumentsOf(command).flatMap((word, index, all) => {
          if (deletes.has(word)) return seen("shell.find_delete", "deletes what it finds", command);
          // Its name stands right behind it, and a name that is not spelled out is none of these.
          if (word === "-exec" && onlyPrints.has(all[index + 1] ?? "")) return nothing;
          if (runs.has(word)) return seen("shell.find_exec", `runs a command on what it finds (${word})`, command);
          return writes.has(word) ? seen("shell.find_write", `writes what it finds to a file (${word})`, command) : nothing;
        }),
    ],
  ]),
};
