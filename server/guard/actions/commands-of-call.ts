import type { AnalyzedCall } from "../call/analyzed-call";
import { runsCommands } from "../call/tool-facts";
import { effectsOfScript, type ShellReading } from "../effects/effects-of-script";
import { ReadingBudget } from "../script/reading-budget";

/** Every command that a call evidently runs, and whether it may run others. */
export type CommandsOfCall = {
  readings: readonly ShellReading[];
  /** Code that starts a program whose words the guard cannot read. */
  startsUnknown: boolean;
};

const known = new WeakMap<AnalyzedCall, CommandsOfCall>();

export function commandsOfCall(call: AnalyzedCall): CommandsOfCall {
  let found = known.get(call);
  if (!found) {
    found = findCommands(call);
    known.set(call, found);
  }
  return found;
}

/** Functions that start a program; `run` and `call` alone are ordinary words. */
const starts =
  /\b(?:os\.(?:system|popen|exec\w*|spawn\w*|posix_spawnp?)|subprocess\.\w+|Popen|pty\.spawn|(?:child_process|cp)\.\w+|exec(?:Sync|File|FileSync)|spawn(?:Sync)?)\s*\(/g;

function findCommands(call: AnalyzedCall): CommandsOfCall {
  const { commands, code, scripts, tool, arguments: args } = call;
  if (code) {
    const text = tool.primaryArgument === null ? undefined : args[tool.primaryArgument];
    const started = typeof text === "string" ? [...text.matchAll(starts)].length : 0;
    return { readings: code.scripts, startsUnknown: started > code.scripts.length };
  }
  if (commands.length > 0 || !runsCommands(tool)) return { readings: scripts, startsUnknown: false };
  // Code in the language of another shell is read as if it were a script of ours.
  const text = tool.primaryArgument === null ? undefined : args[tool.primaryArgument];
  if (typeof text !== "string" || text.trim() === "") return { readings: scripts, startsUnknown: false };
  const surroundings = { root: call.context.folder, sandboxed: false, sensitivePaths: call.sensitivePaths };
  return { readings: [effectsOfScript(text, surroundings, new ReadingBudget())], startsUnknown: false };
}
