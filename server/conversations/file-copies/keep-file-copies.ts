import "server-only";
import { lstat } from "node:fs/promises";
import path from "node:path";
import {
  type FileState,
  fileStateAt,
  maxKeptBytes,
  type PlannedChange,
  type RecordChanges,
} from "@/server/capabilities/files/change-journal";
import type { KeepCopies } from "@/server/capabilities/keep-copies";
import { atPlace } from "@/server/capabilities/workspace-path";
import { sha256 } from "@/server/platform/crypto";
import { AppError, isAppError, toErrorMessage } from "@/server/platform/errors";
import { definePromptHint } from "@/server/platform/extension-points/prompt-hints";
import { processWide } from "@/server/platform/process-wide";
import { type CopiesManifest, CopiesStore, type KnownFile } from "./copies-store";
import { type FoundFile, findNamedFiles, findNewFiles, statsOf } from "./find-files";

/** A command changed files of which copies are kept. */
export const keptCopies = definePromptHint("kept_copies");

/** The most that the copies of one conversation's folder take, in bytes. */
export const maxCopiedBytes = 64 * 1_048_576;
/** The most files with a copy. */
export const maxCopiedFiles = 2_000;
/** Files that are copied side by side; the largest has 20 MiB. */
const copiesAtATime = 8;
/** Changes that are recorded together, so that not all contents are in memory at once. */
const changesAtATime = 20;
const namesShown = 3;

export type CopiedFolder = {
  conversationId: string;
  callId: string;
  /** Absolute. */
  root: string;
  /** Sensitive files get no copy, and folders that a build makes again are not searched. */
  isSensitive: (relativePath: string) => boolean;
  isSkipped: (relativePath: string) => boolean;
};

/** A path that a command writes or deletes; `isDeep` with everything below it. */
export type NamedPath = { path: string; isDeep: boolean };

/** Calls of this process whose commands run. */
const running = (): Set<string> => processWide("fileCopyCalls", () => new Set<string>());

/**
 * Creates the function that copies the files which the conversation's commands did not make, before one of them runs, and that records
 * what the command changed or deleted of them afterwards. Files that the command names come first.
 */
export function makeCopyKeeper(folder: CopiedFolder, named: readonly NamedPath[], record: RecordChanges): KeepCopies {
  const store = new CopiesStore(folder.conversationId, folder.root);
  return async () => {
    await store.locked(() => begin(store, folder, named, record));
    running().add(folder.callId);
    return async () => {
      running().delete(folder.callId);
      return store.locked(() => finish(store, folder, record));
    };
  };
}

async function begin(store: CopiesStore, folder: CopiedFolder, named: readonly NamedPath[], record: RecordChanges): Promise<void> {
  const { root, callId, isSensitive } = folder;
  const manifest = await store.readManifest();
  const openCalls = await store.readOpenCalls();
  // A call that is open without running was cut off by a crash; its changes are recorded now.
  const isCutOff = openCalls.some((id) => !running().has(id));
  if (isCutOff) await settle(store, manifest, folder, record);
  const hasOthers = openCalls.some((id) => running().has(id));
  await store.writeOpenCalls([...openCalls.filter((id) => running().has(id)), callId]);
  const { known, candidates, first, isChanged } = await findCandidates(store, manifest, folder, named);
  const files = [...candidates.values()].filter((file) => !isSensitive(file.path));
  const rank = ({ path: name }: FoundFile) => (first.has(name) ? 0 : known.has(name) ? 1 : 2);
  files.sort((a, b) => rank(a) - rank(b) || a.stats.size - b.stats.size);
  // While another command runs, its end finds out what became of a file that is gone.
  const kept = hasOthers ? [...known.values()].filter(({ path: name }) => !candidates.has(name)) : [];
  let isNew = isChanged || isCutOff || kept.length + files.length !== known.size;
  let bytes = 0;
  let copies = 0;
  const planned = files.map((file) => {
    const before = known.get(file.path);
    const isSame = before !== undefined && isUnchanged(before, file);
    const fits = file.stats.size <= maxKeptBytes && bytes + file.stats.size <= maxCopiedBytes && copies < maxCopiedFiles;
    if (fits) {
      bytes += file.stats.size;
      copies += 1;
    }
    const stays = before && ((!isSame && hasOthers) || (isSame && (fits ? before.copy !== null : before.copy === null)));
    return { file, before, fits, stays: stays ? before : null };
  });
  for (let from = 0; from < planned.length; from += copiesAtATime) {
    const some = planned.slice(from, from + copiesAtATime);
    const now = await Promise.all(
      some.map(({ file, fits, stays }) => stays ?? copyOf(store, manifest, root, file, fits, first.has(file.path))),
    );
    kept.push(...now);
    for (const [index, { before }] of some.entries()) {
      isNew ||= now[index] !== before;
      if (before?.copy && before.copy !== now[index]?.copy) await store.removeCopy(before.copy);
    }
  }
  manifest.files = kept;
  if (isNew) await store.writeManifest(manifest);
}

/** Finds the files that need a copy: new ones, those that the command names, and those known already. */
async function findCandidates(store: CopiesStore, manifest: CopiesManifest, folder: CopiedFolder, named: readonly NamedPath[]) {
  const { root, isSkipped } = folder;
  const since = (await store.lastEnd()) ?? 0;
  const search = { root, isSkipped, maxFiles: maxCopiedFiles };
  const found = await findNewFiles(search, since);
  if (found.isCut) manifest.unknownUntil = Date.now();
  const repositories = found.repositories.filter((one) => !manifest.repositories.includes(one));
  manifest.repositories.push(...repositories);
  const known = new Map(manifest.files.map((file) => [file.path, file]));
  const first = new Set<string>();
  const candidates = new Map<string, FoundFile>();
  for (const { path: name, isDeep } of named) {
    // Git's own files change with each of its commands.
    if (isInRepository(name)) continue;
    for (const file of (await findNamedFiles(search, name, isDeep)).files) {
      first.add(file.path);
      if (isOfOthers(file, manifest, known, since)) candidates.set(file.path, file);
    }
  }
  for (const file of [...found.files, ...(await statsOf(root, [...known.keys()]))]) candidates.set(file.path, file);
  return { known, candidates, first, isChanged: found.isCut || repositories.length > 0 };
}

/** Whether a path lies in the `.git` folder of a repository. */
export const isInRepository = (name: string): boolean => /(?:^|\/)\.git\//.test(name);

/** Whether no command of the conversation made a file as it is. */
export function isOfOthers(
  { path: name, stats }: FoundFile,
  { unknownUntil }: Pick<CopiesManifest, "unknownUntil">,
  known: ReadonlyMap<string, KnownFile>,
  since: number,
): boolean {
  return stats.ctimeMs >= since || stats.ctimeMs <= unknownUntil || known.has(name);
}

const isUnchanged = ({ inode, changedAt }: KnownFile, { stats }: Pick<FoundFile, "stats">) =>
  stats.ino === inode && stats.ctimeMs === changedAt;

async function copyOf(
  store: CopiesStore,
  manifest: CopiesManifest,
  root: string,
  file: FoundFile,
  fits: boolean,
  isNamed: boolean,
): Promise<KnownFile> {
  const { path: name, stats } = file;
  const described = { path: name, inode: stats.ino, bytes: stats.size, mode: stats.mode & 0o777, changedAt: stats.ctimeMs };
  if (!fits) return { ...described, copy: null };
  try {
    const state = await stateOf(root, name);
    if (!state?.content) return { ...described, copy: null };
    const copy = `copy-${manifest.nextCopy++}`;
    await store.writeCopy(copy, state.content);
    return { ...described, copy };
  } catch (error) {
    if (!isNamed) return { ...described, copy: null };
    throw new AppError(
      "unavailable",
      `No copy of ${name} could be kept (${toErrorMessage(error)}), so the command did not run. Leave the file alone, or let a person see to its copy.`,
    );
  }
}

/** Reads a file without following links. */
async function stateOf(root: string, name: string): Promise<FileState | null> {
  return atPlace(root, name, {}, async (place) =>
    place.relative === name && place.stats?.isFile() ? fileStateAt(place, name) : null,
  ).catch((error) => {
    if (isAppError(error) && error.code === "not_found") return null;
    throw error;
  });
}

async function finish(store: CopiesStore, folder: CopiedFolder, record: RecordChanges): Promise<readonly string[]> {
  const manifest = await store.readManifest();
  const before = manifest.files;
  const notes = await settle(store, manifest, folder, record);
  if (manifest.files.length !== before.length || manifest.files.some((file, at) => file !== before[at]))
    await store.writeManifest(manifest);
  await store.writeOpenCalls((await store.readOpenCalls()).filter((id) => id !== folder.callId));
  await store.noteEnd();
  return notes;
}

/** Records which files were changed or deleted, and forgets them: from now on the conversation made them. */
async function settle(store: CopiesStore, manifest: CopiesManifest, { root }: CopiedFolder, record: RecordChanges) {
  const stays: KnownFile[] = [];
  const gone: KnownFile[] = [];
  const found = await statsOf(
    root,
    manifest.files.map(({ path: name }) => name),
  );
  const statsByPath = new Map(found.map((file) => [file.path, file]));
  for (const file of manifest.files) {
    const now = statsByPath.get(file.path);
    (now && isUnchanged(file, now) ? stays : gone).push(file);
  }
  const recordedPaths: string[] = [];
  const lostPaths: string[] = [];
  for (let from = 0; from < gone.length; from += changesAtATime) {
    const changes: PlannedChange[] = [];
    for (const file of gone.slice(from, from + changesAtATime)) {
      const { path: name, bytes, mode, copy } = file;
      const content = copy === null ? null : await store.readCopy(copy).catch(() => null);
      const after = await stateOf(root, name).catch(() => null);
      if (content === null) lostPaths.push(name);
      else if (after?.sha256 !== sha256(content))
        changes.push({ path: name, before: { bytes, mode, sha256: sha256(content), content }, after });
      else stays.push({ ...file, ...(await identityOf(root, file)) });
    }
    await record(changes);
    recordedPaths.push(...changes.map(({ path: name }) => name));
  }
  manifest.files = stays;
  const copies = new Set(stays.map(({ copy }) => copy));
  for (const { copy } of gone) if (copy !== null && !copies.has(copy)) await store.removeCopy(copy);
  return notesOf(recordedPaths, lostPaths);
}

/** A file whose content stayed, but whose attributes or name in the folder changed. */
async function identityOf(root: string, { path: name }: KnownFile): Promise<Partial<KnownFile>> {
  const stats = await lstat(path.join(root, name)).catch(() => null);
  return stats ? { inode: stats.ino, mode: stats.mode & 0o777, changedAt: stats.ctimeMs } : {};
}

function notesOf(recordedPaths: readonly string[], lostPaths: readonly string[]): string[] {
  const kept = `The command changed or deleted what this conversation had not made: ${shown(recordedPaths)}. Copies are kept for 30 days.`;
  const lost = `The command changed or deleted ${shown(lostPaths)}, of which no copy was kept: a file may have 20 MiB, all copies together 64 MiB.`;
  return [...(recordedPaths.length > 0 ? [`${kept} ${keptCopies.text()}`.trimEnd()] : []), ...(lostPaths.length > 0 ? [lost] : [])];
}

function shown(paths: readonly string[]): string {
  const more = paths.length - namesShown;
  return `${paths.slice(0, namesShown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
