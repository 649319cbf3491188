import { wantedOpenings } from "../effects/openings";
import type { ContentSource } from "../programs/content-sources";
import type { AnalyzedCall } from "./analyzed-call";
import { runsCommands } from "./tool-facts";

/** The files whose contents decide what a call does. */
export type CallSources = {
  sources: readonly ContentSource[];
  /** The call runs outside of the sandbox, because it needs the machine or because there is no sandbox. */
  isOutside: boolean;
};

/** Returns the files that a call runs or is configured by; null for a call that starts no program. */
export function contentsOfCall({ tool, scripts, code, effects, context }: AnalyzedCall): CallSources | null {
  if (!runsCommands(tool)) return null;
  const needsMachine = wantedOpenings(effects).host;
  const sources = [...scripts, ...(code?.scripts ?? [])].flatMap(({ contents }) => contents);
  // Files that the machine gets from the folder are there for good: `sudo cp nginx.conf /etc/nginx/`.
  if (needsMachine) sources.push(...effects.flatMap(readFile));
  return { sources, isOutside: needsMachine || context.sandboxed !== true };
}

function readFile({ kind, target: { where, path, class: kindOfPath }, namesOnly }: AnalyzedCall["effects"][number]): ContentSource[] {
  if (kind !== "read" || namesOnly || where !== "inside" || path === undefined || path.startsWith("/dev/")) return [];
  return kindOfPath === "rebuildable" ? [] : [{ as: "configures", path, named: path }];
}
