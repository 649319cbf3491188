import "server-only";
import { link, rename, unlink } from "node:fs/promises";
import { AppError } from "@/server/platform/errors";
import { atPlace, type Place } from "../workspace-path";
import { fileStateAt, type PlannedChange, type RecordChanges, recorded } from "./change-journal";
import type { FileContent } from "./files";
import type { MayReplace } from "./may-replace";
import { missing } from "./open-file";
import { assertFile, besides, stageFile } from "./stage-file";

const maxChangedBytes = 100 * 1_048_576;

/** A change whose folder is held open and whose new content stands beside the file. */
type StagedChange = { place: Place; temporary: string | null; isNew: boolean; planned: PlannedChange | null };

type Watchers = { mayReplace?: MayReplace | undefined; record?: RecordChanges | undefined };

/**
 * Changes several files together. Every new content is written first, then all are renamed; an error undoes the renames.
 * A crash of the machine between two renames leaves some of the files changed.
 */
export async function changeFiles(root: string, changes: readonly FileContent[], { mayReplace, record }: Watchers = {}): Promise<void> {
  const places = new Set<string>();
  const stage = async (staged: readonly StagedChange[]): Promise<void> => {
    const change = changes[staged.length];
    if (!change) return recorded(record, plannedOf(staged), () => putInPlace(staged));
    const { path, bytes, isNew = false, mode, restores } = change;
    await atPlace(root, path, { createFolders: bytes !== null }, async (place) => {
      if (places.has(place.relative))
        throw new AppError("conflict", `${path} and another path of this call are the same file. Name it once.`);
      places.add(place.relative);
      await assertChangeable(place, { path, bytes, isNew }, mayReplace);
      const file = bytes && (await stageFile(place, path, [bytes], { maxBytes: maxChangedBytes, ...(mode === undefined ? {} : { mode }) }));
      const temporary = file?.temporary ?? null;
      try {
        const after = file && { bytes: file.bytesWritten, sha256: file.sha256, content: file.content };
        const planned = record
          ? { path: place.relative, before: await fileStateAt(place, path), after, ...(restores ? { restores } : {}) }
          : null;
        await stage([...staged, { place, temporary, isNew, planned }]);
      } finally {
        // After a success the temporary name is gone.
        if (temporary) await unlink(temporary).catch(() => {});
      }
    });
  };
  await stage([]);
}

const plannedOf = (staged: readonly StagedChange[]): PlannedChange[] => staged.flatMap(({ planned }) => planned ?? []);

type Checked = { path: string; bytes: Uint8Array | null; isNew: boolean };

async function assertChangeable(place: Place, { path, bytes, isNew }: Checked, mayReplace?: MayReplace): Promise<void> {
  assertFile(place, path);
  const { stats, relative } = place;
  if (stats && isNew) throw existsAlready(path);
  if (!stats && bytes === null) throw missing(path);
  if (stats) await mayReplace?.({ given: path, relative, changedAt: stats.ctimeMs, isEdit: true });
}

const existsAlready = (path: string) =>
  new AppError("conflict", `${path} exists already, so it cannot be added. Change it, or choose another name.`);

async function putInPlace(staged: readonly StagedChange[]): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  const backups: string[] = [];
  try {
    for (const { place, temporary, isNew } of staged) {
      const name = place.folder.at(place.name);
      if (isNew && temporary) {
        // Not a rename, because that would replace a file that appeared since the check.
        await link(temporary, name).catch((error) => {
          throw error.code === "EEXIST" ? existsAlready(place.relative) : error;
        });
        undo.unshift(() => unlink(name));
        continue;
      }
      if (place.stats) {
        const backup = besides(place);
        // A second name keeps the old content while readers still see the file; only a deleted file loses its name.
        await (temporary ? link(name, backup) : rename(name, backup));
        backups.push(backup);
        undo.unshift(() => rename(backup, name));
      } else {
        undo.unshift(() => unlink(name));
      }
      if (temporary) await rename(temporary, name);
    }
  } catch (error) {
    for (const step of undo) await step().catch(() => {});
    throw error;
  } finally {
    for (const backup of backups) await unlink(backup).catch(() => {});
  }
}
