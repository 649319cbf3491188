import "server-only";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { StartError } from "@/db/start-error";

export type DataFolderLock = {
  /** Lets a Handrail that starts now wait for us instead of giving up. */
  announceStop: () => void;
  release: () => void;
};

/** As long as an instance may take to stop. */
const patienceMs = 60_000;

/**
 * Keeps every other Handrail out of the data folder until this process ends, however it ends: what is held is a lock of
 * the operating system on a file (through SQLite, because Node itself offers none), so that a killed process leaves
 * nothing behind that would have to be judged stale.
 *
 * @param waiting is told whom we wait for, when the folder's holder is about to stop
 * @throws StartError when another instance holds it and means to keep it
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
    // The note stays: removed before the lock it would make waiting ones give up, removed after it, it might be the next one's.
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

/** The note is for people and for waiting; who holds the folder does not depend on it. */
function readNote(note: string): { holder: string; isStopping: boolean } {
  try {
    const [holder = "", state] = readFileSync(note, "utf8").trim().split(", ");
    return { holder: holder || "a process", isStopping: state === "stopping" };
  } catch {
    return { holder: "a process", isStopping: false };
  }
}
