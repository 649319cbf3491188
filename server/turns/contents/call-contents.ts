import "server-only";
import type { KeptContents } from "@/contracts/calls/call-contents";
import type { JsonObject } from "@/contracts/common";
import { runsCommands } from "@/server/guard/call/tool-facts";
import { changedContents } from "@/server/guard/effects/changed-contents";
import type { RegisteredTool } from "@/server/tools/registered-tool";
import { toGuardContext } from "../guard-context";
import type { DecisionContext } from "../turn-context";
import { gatherContents } from "./gather-contents";

/** Hashes the files that a call of a turn runs or is configured by, as they are now. */
export async function contentsOf(context: DecisionContext, tool: RegisteredTool, args: JsonObject): Promise<KeptContents | null> {
  // The files of another machine cannot be looked at from here.
  if (!runsCommands(tool) || context.turn.machine) return null;
  return gatherContents({ tool, arguments: args, context: toGuardContext(context) }, context.folder);
}

type Held = { registered: RegisteredTool; arguments: JsonObject };

/** Returns a sentence for each file of a call that changed since its contents were kept; none for a call without files. */
export async function findChangedFiles(context: DecisionContext, call: Held, before: KeptContents | null): Promise<string[]> {
  if (before === null) return [];
  return changedContents(before, await contentsOf(context, call.registered, call.arguments));
}

/** Compares only the files of the workspace, because every replica has a `/tmp` and a machine of its own. */
export async function findChangedSharedFiles(context: DecisionContext, call: Held, before: KeptContents): Promise<string[]> {
  const now = await contentsOf(context, call.registered, call.arguments);
  return changedContents(sharedFiles(before), now && sharedFiles(now));
}

const sharedFiles = ({ files, notFixed }: KeptContents): KeptContents => ({
  files: files.filter((file) => !file.path.startsWith("/")),
  notFixed,
});
