import type { Word } from "unbash";
import { excerpt } from "./excerpt";
import { globFits } from "./glob";
import type { ShellScript } from "./shell/read-script";
import type { RunningCommand, RunningScript, ShellReading } from "./shell/running-commands";

/** What turns a search into a deletion, a command or a file. */
const findActions = ["-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls"];
const downloaders = new Set(["curl", "wget", "fetch", "aria2c", "http", "https", "xh", "lynx", "nc", "ncat", "netcat", "socat"]);
const shells = /^((ba|da|z|k|mk|a|rba|fi)?sh|eval|source|\.)$/;
const maxCommands = 1_000;
const languages = /^(python[\d.]*|perl|ruby|node|php|lua)$/;

/**
 * What never runs on an allow rule alone, even one that allows everything: `find` with an action that deletes, runs or
 * writes, and a download that goes straight into an interpreter. A sentence part that says what was seen, or null.
 */
export function unsafeShapeIn({ script, running }: ShellReading): string | null {
  if (script.commands.length > maxCommands) return `it has more than ${maxCommands.toLocaleString("en")} commands`;
  for (const part of running) {
    const find = part.commands.find(({ name, words }) => name === "find" && words.some((word) => findActions.includes(word)));
    if (find) return `\`${excerpt(find.words.join(" "))}\` deletes, runs or writes what it finds`;
    const run = part.commands.find((command) => runsDownload(command, part));
    if (run) return `a download goes straight into \`${excerpt(run.words.join(" "))}\``;
  }
  return null;
}

function runsDownload({ name, words, within }: RunningCommand, { script, commands }: RunningScript): boolean {
  const isShell = shells.test(name);
  if (!isShell && !languages.test(name)) return false;
  const downloads = commands.filter((command) => downloaders.has(command.name)).map((command) => command.within);
  const { pipedFrom, node } = within;
  const before = pipedFrom ? script.commands.slice(pipedFrom.start, pipedFrom.end) : [];
  // With a program of its own, such as `python -m json.tool`, a language only reads what comes down the pipe.
  const readsProgram = isShell || words.slice(1).every((word) => word === "-");
  if (readsProgram && before.some((command) => downloads.includes(command))) return true;
  return downloads.some((download) => download.node.pos > node.pos && download.node.end < node.end);
}

/**
 * Why a `find` of the script may do more than search, read word by word: an expansion, or a glob that fits a file with
 * the name of an action, can become one when it runs. For allow rules that look at the command.
 */
export function actingFindIn({ commands }: ShellScript): string | null {
  for (const command of commands) {
    if (command.node.name?.value.split("/").at(-1) !== "find") continue;
    for (const word of command.node.args) {
      const action = word.type === "Word" ? actionOf(word) : null;
      if (action) return `\`${excerpt(command.text)}\` has ${action}`;
    }
  }
  return null;
}

function actionOf(word: Word): string | null {
  const named = findActions.find((action) => action === word.value);
  if (named) return named;
  const parts = word.parts ?? [];
  if (!parts.every(isSpelledOut)) return `\`${excerpt(word.text)}\`, which can become an action such as -delete when it runs`;
  // What a bracket stands for has rules of its own ([[:punct:]], []-]): from there on, anything.
  const glob = word.value.replace(/\[.*$/s, "*");
  const fitting = parts.some(({ type }) => type === "Glob") ? findActions.find((action) => globFits(glob, action)) : undefined;
  return fitting ? `the glob \`${excerpt(word.text)}\`, which fits a file with the name ${fitting}` : null;
}

function isSpelledOut(part: NonNullable<Word["parts"]>[number]): boolean {
  if (part.type === "DoubleQuoted") return part.parts.every(({ type }) => type === "Literal");
  return part.type === "Literal" || part.type === "SingleQuoted" || part.type === "Glob";
}
