import type { ShellReading } from "../effects/effects-of-script";
import type { LiteralValues } from "../script/literal-values";
import type { ResolvedCommand } from "../script/resolved-command";
import type { ShellScript, SimpleCommand } from "../script/shell-script";
import type { FloorName } from "./hard-floor";
import { findsSystemFolder, isDeleter } from "./recursive-delete";

type Listed = { what: FloorName; does: string; text: string };

/** Finds commands that get everything on the machine as a list: `kill -9 $(ps -e -o pid=)`, `find / | xargs rm -rf`. */
export function listedTargets({ script, nested, commands }: ShellReading, values: LiteralValues, home: string | undefined): Listed[] {
  return commands.flatMap((command): Listed[] => {
    const { name, words, within } = command;
    const texts = words.map(({ value }) => value);
    const listers = [script, ...nested].flatMap((one) => (one.commands[within.index] === within ? listersOf(command, one) : []));
    const text = texts.join(" ");
    if (name === "kill" || name === "skill") {
      const isEverything = listsEverything(listers) || words.some((word) => standsForAll(word.text, values));
      return isEverything ? [{ what: "kill_everything", does: "ends every process of the machine", text }] : [];
    }
    const roots = isDeleter(name) ? foundFor(listers, home) : null;
    return roots ? [{ what: "recursive_delete", does: `deletes ${roots} and everything in it`, text }] : [];
  });
}

/** Returns the commands whose output becomes the words of this command. */
function listersOf({ within, runBy }: ResolvedCommand, { commands }: ShellScript): readonly SimpleCommand[] {
  const isFed = runBy !== null && /^(?:g?xargs|parallel)$/.test(runBy.name) && within.pipedFrom !== null;
  const piped = isFed && within.pipedFrom ? commands.slice(within.pipedFrom.start, within.pipedFrom.end) : [];
  return [...piped, ...commands.filter(({ inside }) => inside === within.index)];
}

const anyName = /^(?:\.[*+]?|\^|\$|)$/;
const narrows = /^(?:-[pCGUutqs]|--(?:pid|ppid|user|User|group|Group|tty|sid|quick-pid))/;

/** Recognises commands that list every process: `ps aux`, `ps -e`, `pgrep .`, `pgrep -u root`, `pidof init`. */
function listsEveryProcess([name = "", ...args]: readonly string[]): boolean {
  if (name === "ps")
    return (
      !args.some((word) => narrows.test(word)) && args.some((word) => /^-\w*[eA]|^(?=\w*a)(?=\w*x)[a-z]+$|^-(?=\w*a)(?=\w*x)/.test(word))
    );
  if (name === "pidof") return args.some((word) => /^(?:init|systemd)$/.test(word));
  if (name !== "pgrep") return false;
  const user = args.findIndex((word) => /^-[uU]$|^--e?uid$/.test(word)) + 1;
  const names = args.filter((word, at) => !word.startsWith("-") && (user === 0 || at !== user));
  return names.some((word) => anyName.test(word)) || (names.length === 0 && user > 0 && /^(?:root|0)$/.test(String(args[user])));
}

/** Filters that keep every entry of a list: they select a column or drop the first line. */
const keepsAll = /^(?:[gmn]?awk (?:NR ?> ?1 ?)?\{ ?print \$\d+ ?;?\}|(?:cut|tr|sort|xargs)\b.*|uniq|cat|tail -n ?\+\d+|sed 1d)$/;

function listsEverything(listers: readonly SimpleCommand[]): boolean {
  const all = listers.map(({ words }) => words.map(({ value }) => value));
  return all.some(listsEveryProcess) && all.every((words) => listsEveryProcess(words) || keepsAll.test(words.join(" ")));
}

/** Recognises a variable that takes every process as its value, as in `for p in /proc/[0-9]*`. */
function standsForAll(text: string, values: LiteralValues): boolean {
  const [, name = ""] = /\$\{?(\w+)/.exec(text) ?? [];
  return (values.get(name) ?? []).some((value) => /^\/proc\/(?:\[[01]-9\])?\*\/?$/.test(value));
}

/** Returns the system folder whose files a `find` among these commands lists completely. */
function foundFor(listers: readonly SimpleCommand[], home: string | undefined): string | null {
  for (const { words, likelyFolder, folder } of listers) {
    const found = findsSystemFolder(
      words.map(({ value }) => value),
      folder ?? likelyFolder,
      home,
    );
    if (found) return found;
  }
  return null;
}
