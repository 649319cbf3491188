import "server-only";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { StartError } from "@/db/start-error";

export type DataFolderLock = {
  /** Writes into the note that this process is stopping, so that a starting Handrail waits instead of giving up. */
  announceStop: () => void;
  release: () => void;
};

/** Longest wait for the lock; an instance may take this long to stop. */
const patienceMs = 60_000;

/**
 * Locks the data folder against every other Handrail until this process ends. The lock is a file lock of the operating
 * system (through SQLite, because Node offers none), so that a killed process leaves no stale lock behind.
 *
 * @param waiting receives the name of the folder's holder when that holder is stopping
 * @throws StartError when another instance holds the lock and is not stopping
 */
export async function lockDataFolder(dataDir: string, waiting: (holder: string) => void = () => {}): Promise<DataFolderLock> {
  const note = path.join(dataDir, "lock.txt");
  const lock = open(path.join(dataDir, "lock"));
  const deadline = Date.now() + patienceMs;
  for (let hasTold = false; !tryToHold(lock); await pause(100)) {
    const { holder, isStopping } = readNote(note);
    if (!isStopping || Date.now() > deadline) {
      lock.close();
      throw new StartError(
        `Another Handrail (${holder}) is using the data folder ${dataDir}: stop it first, or give this one a folder of its own with HANDRAIL_DATA_DIR.`,
      );
    }
    if (!hasTold) waiting(holder);
    hasTold = true;
  }
  writeFileSync(note, `process ${process.pid}`);
  return {
    announceStop: () => writeFileSync(note, `process ${process.pid}, stopping`),
    // The note is never removed. Without the note, waiting instances would give up; after the release, the note may
    // already belong to the next holder.
    release: () => lock.close(),
  };
}

function open(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (error) {
    throw cannotLock(file, error);
  }
}

function tryToHold(lock: DatabaseSync): boolean {
  const sqliteBusy = 5;
  try {
    lock.exec("begin exclusive");
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) return false;
    throw cannotLock(lock.location() ?? "", error);
  }
}

function cannotLock(file: string, error: unknown): StartError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StartError(`${file} cannot be locked (${reason}): put the data folder on a disk of this machine with HANDRAIL_DATA_DIR.`, {
    cause: error,
  });
}

/** Reads the note, which only names the holder and says whether to wait. The lock alone decides who holds the folder. */
function readNote(note: string): { holder: string; isStopping: boolean } {
  try {
    const [holder = "", state] = readFileSync(note, "utf8").trim().split(", ");
    return { holder: holder || "a process", isStopping: state === "stopping" };
  } catch {
    return { holder: "a process", isStopping: false };
  }
}
