import { effectsOfScript, type ShellReading } from "@/server/guard/effects/effects-of-script";
import { noSensitivePaths } from "@/server/guard/paths/sensitive-globs";
import { ReadingBudget } from "@/server/guard/script/reading-budget";
import type { MachineFolders } from "@/server/guard/script/words";

/** Returns the effects of a command line in a conversation's folder, or on the machine of a client, without the sandbox. */
export function readShell(command: string, machine?: MachineFolders): ShellReading {
  const root = machine?.folder ?? "/work/folder";
  return effectsOfScript(command, { root, machine, sandboxed: false, sensitivePaths: noSensitivePaths }, new ReadingBudget());
}
