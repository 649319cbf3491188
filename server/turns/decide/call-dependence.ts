import type { Decision } from "@/contracts/decisions/decision";
import type { Effect } from "@/contracts/decisions/effects";
import { touchesFiles } from "@/server/guard/call/tool-facts";
import type { RegisteredTool } from "@/server/tools/registered-tool";

/** A call of a reply with its decision; a null tool stands for a call of which nothing is known yet. */
export type EffectfulCall = { registered: Pick<RegisteredTool, "needs"> | null; decision: Pick<Decision, "effects"> | null };

/**
 * Tells whether the decision about a call may turn out otherwise once earlier calls of its reply have run. The arguments of
 * a reply are fixed, so an earlier call matters only by the files that it changes and the later call touches or runs.
 * An unknown effect counts as a change. A wrong answer costs a second question and never a wrong run, because every
 * approved call is decided again before it runs.
 */
export function dependsOnEarlier(call: EffectfulCall, earlier: readonly EffectfulCall[]): boolean {
  if (usesBrowser(call) && earlier.some(usesBrowser)) return true;
  const touched = touchedPaths(call);
  if (touched !== "unknown" && touched.length === 0 && !runsCode(call)) return false;
  return earlier.some((before) => {
    const changed = changedPaths(before);
    if (changed === "unknown") return true;
    if (changed.length === 0) return false;
    // Code reads files that the effects do not name.
    if (touched === "unknown" || runsCode(call)) return true;
    return changed.some((path) => touched.some((other) => overlap(path, other)));
  });
}

/** A browser call depends on the page that the calls before it opened. */
const usesBrowser = ({ registered }: EffectfulCall): boolean => registered?.needs.includes("browser") ?? true;

const runsCode = ({ decision }: EffectfulCall): boolean => decision?.effects?.some(isCode) ?? false;
const isCode = ({ kind }: Effect): boolean => kind === "execute" || kind === "elevate" || kind === "schedule";
const changesFiles = ({ kind }: Effect): boolean => kind === "write" || kind === "delete";

/** Paths that a call reads, writes or runs; without effects, nothing for a tool that cannot reach files. */
function touchedPaths({ registered, decision }: EffectfulCall): string[] | "unknown" {
  if (!decision?.effects) return reachesFiles(registered) ? "unknown" : [];
  return pathsOf(decision.effects);
}

function changedPaths({ registered, decision }: EffectfulCall): string[] | "unknown" {
  if (!decision?.effects) return reachesFiles(registered) ? "unknown" : [];
  // Code may change any file.
  if (decision.effects.some(isCode)) return "unknown";
  return pathsOf(decision.effects.filter(changesFiles));
}

const reachesFiles = (tool: EffectfulCall["registered"]): boolean => tool === null || touchesFiles(tool);

function pathsOf(effects: readonly Effect[]): string[] | "unknown" {
  const local = effects.filter(({ target }) => target.host === undefined || target.path !== undefined);
  if (local.some(({ target }) => target.where === "not_known")) return "unknown";
  return local.flatMap(({ target }) => target.path ?? []);
}

function overlap(a: string, b: string): boolean {
  const [one, other] = [asFolder(a), asFolder(b)];
  return one === "/" || other === "/" || one.startsWith(other) || other.startsWith(one);
}

/** Ends a path with one slash; the conversation's folder itself becomes "/". */
const asFolder = (path: string): string => `${path.replace(/^\.\/?/, "").replace(/\/+$/, "")}/`;
