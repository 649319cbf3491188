import "server-only";
import { lstat, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import type { Effect } from "@/contracts/decisions/effects";
import { isSensitiveKind } from "@/server/capabilities/sandbox/folder-listings";
import { type Classify, inspectFolder } from "@/server/capabilities/sandbox/inspect-folder";
import { whyNotOpenable } from "@/server/capabilities/sandbox/why-not-openable";
import { findUncopyable } from "@/server/conversations/file-copies/find-uncopyable";
import type { NamedPath } from "@/server/conversations/file-copies/keep-file-copies";
import { analyzeCallIfReadable } from "@/server/guard/call/analyzed-call";
import type { GuardRequest } from "@/server/guard/call/guard-request";
import { runsCommands } from "@/server/guard/call/tool-facts";
import { leavesFolder } from "@/server/guard/effects/effect-boundaries";
import { wantedOpenings } from "@/server/guard/effects/openings";
import { type FolderFacts, isRebuildable } from "@/server/guard/paths/locate-path";

const notLookedThrough = { sensitive: [], linksOut: [], unfollowed: [], gap: null };

/** Maximum of paths that are resolved; further paths are judged as written. */
const maxPaths = 100;

/**
 * Inspects the files that a call names, so that the guard judges files and not names: where links lead, which files
 * the conversation made, whether the folder could be inspected completely, and, without a sandbox, what a search through the
 * folder would meet.
 * @param madeSince when the conversation began, in milliseconds since 1970; null where its folder belongs to it alone
 * @returns undefined for a call that names no file and starts no program in the sandbox
 */
export async function folderFacts(
  request: GuardRequest,
  { folder, conversationId, classify, madeSince }: { folder: string; conversationId: string; classify: Classify; madeSince: number | null },
): Promise<FolderFacts | undefined> {
  const analyzed = analyzeCallIfReadable(request);
  const effects = analyzed?.effects ?? [];
  const named = new Set(
    effects.flatMap(({ target }) => (target.path === undefined || target.path.startsWith("/dev/") ? [] : [target.path])),
  );
  const startsPrograms = runsCommands(request.tool);
  // A call that leaves the sandbox meets links and sensitive files as if there were none.
  const isSandboxed = (analyzed ?? request).context.sandboxed === true;
  if (named.size === 0 && !(startsPrograms && isSandboxed)) return undefined;
  // The folder of a new conversation does not exist yet, and may still stand below a link.
  const root = await followed(folder);
  const real = new Map<string, string>();
  const madeHere = new Set<string>();
  const missing = new Set<string>();
  for (const written of [...named].slice(0, maxPaths)) {
    const file = path.resolve(folder, written);
    const behind = await followed(file);
    const located = behind === root || behind.startsWith(`${root}/`) ? path.join(folder, behind.slice(root.length)) : behind;
    if (located !== file) real.set(written, located);
    if (located === file && !(await lstat(file).catch(() => null))) missing.add(written);
    const isGlob = /[*?[]/.test(written);
    if (isGlob ? madeSince === null : await isMadeSince(file, madeSince)) madeHere.add(written);
  }
  const isLookedThrough = startsPrograms || (!isSandboxed && effects.some(readsMany));
  const { gap, ...found } = isLookedThrough ? await inspectFolder(folder, classify) : notLookedThrough;
  // In the sandbox, sensitive files are covered and links lead nowhere, so only a gap in the inspection matters.
  const { sensitive, linksOut, unfollowed } = isSandboxed ? notLookedThrough : found;
  const uncopyable = startsPrograms
    ? await findUncopyable({ conversationId, root: folder, ...copied(classify) }, changedPaths(effects))
    : [];
  return {
    real,
    madeHere,
    missing,
    uncopyable: new Set(uncopyable),
    unopenable: isSandboxed && startsPrograms ? whyUnopenable(folder, effects, real) : null,
    sensitive,
    linksOut,
    unfollowed,
    gap,
  };
}

/** Says why the sandbox cannot show a path that a call needs; null when it can, or when the call runs outside. */
function whyUnopenable(folder: string, effects: readonly Effect[], real: ReadonlyMap<string, string>): string | null {
  if (wantedOpenings(effects).host) return null;
  for (const effect of effects.filter(leavesFolder)) {
    const { kind, target } = effect;
    const named = target.path ?? "";
    if (/[*?[]/.test(named) || (target.class === "system" && kind === "read")) continue;
    const why = whyNotOpenable(real.get(named) ?? path.resolve(folder, named), { isWritable: kind === "write" || kind === "delete" });
    if (why !== null) return why;
  }
  return null;
}

/** Tests for the files that get copies before a command changes them. */
export const copied = (classify: Classify) => ({
  isSensitive: (relativePath: string) => isSensitiveKind(classify(relativePath)),
  isSkipped: isRebuildable,
});

/** Returns the paths of the folder that a call writes or deletes. */
export function changedPaths(effects: readonly Effect[]): NamedPath[] {
  return effects.flatMap(({ kind, target: { where, path: named } }) =>
    where === "inside" && named !== undefined && !path.isAbsolute(named) && (kind === "write" || kind === "delete")
      ? [{ path: named, isDeep: kind === "delete" }]
      : [],
  );
}

/** Whether an effect is a search, which may follow links even when it reads only names. */
function readsMany({ kind, target, recursive }: Effect): boolean {
  return kind === "read" && target.where === "inside" && (recursive === true || /[*?[]/.test(target.path ?? ""));
}

/** Maximum length of a chain of links. */
const maxLinks = 40;
/** Paths by which the kernel shows the process that asks. Resolved here it would be Handrail's process, and not the call's program. */
const ownProcess = /^\/(?:proc\/(?:self|thread-self)|dev\/fd)(?=\/|$)/;

/**
 * Resolves the links of a path, also of a path that does not exist, up to the calling program's own process in `/proc`.
 */
export async function followed(file: string): Promise<string> {
  if ((await realpath(file).catch(() => null)) === file) return file;
  let links = 0;
  let at = "/";
  let rest = file.split("/").filter(Boolean);
  while (rest.length > 0) {
    const [name = "", ...after] = rest;
    const next = path.join(at, name);
    if (ownProcess.test(next)) return path.join(next, ...after);
    const pointed = links < maxLinks ? await readlink(next).catch(() => null) : null;
    if (pointed === null) {
      at = next;
      rest = after;
      continue;
    }
    links += 1;
    rest = [...path.resolve(at, pointed).split("/").filter(Boolean), ...after];
    at = "/";
  }
  return at;
}

async function isMadeSince(file: string, since: number | null): Promise<boolean> {
  const stats = await lstat(file).catch(() => null);
  if (stats === null) return true;
  return since === null || stats.birthtimeMs >= since;
}
