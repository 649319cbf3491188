import { effectsOfScript } from "@/server/guard/effects/effects-of-script";
import { compileSensitivePaths } from "@/server/guard/paths/sensitive-globs";
import { ReadingBudget } from "@/server/guard/script/reading-budget";

const surroundings = { root: "/work/folder", sandboxed: false, sensitivePaths: compileSensitivePaths([]) };

/** Renders the effects of a command line for tables of tests: `read inside a.txt; connect outside example.com; !shell.upload`. */
export function effectLines(command: string): string {
  const { effects, notes } = effectsOfScript(command, surroundings, new ReadingBudget());
  const lines = effects.map(({ kind, target: { where, path, host }, namesOnly, recursive, irreversible }) =>
    [kind, namesOnly && "names", where, path ?? host, recursive && "recursive", irreversible && "irreversible"].filter(Boolean).join(" "),
  );
  return [...new Set([...lines, ...notes.map(({ detector }) => `!${detector}`)])].join("; ");
}
