import { effectsOfScript, type ShellReading } from "@/server/guard/effects/effects-of-script";
import { noSensitivePaths } from "@/server/guard/paths/sensitive-globs";
import { ReadingBudget } from "@/server/guard/script/reading-budget";

/** Returns the effects of a command line in a conversation's folder, without the sandbox. */
export function readShell(command: string): ShellReading {
  return effectsOfScript(command, { root: "/work/folder", sandboxed: false, sensitivePaths: noSensitivePaths }, new ReadingBudget());
}
