import "server-only";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "@/db/start-error";

/**
 * Keeps every other Handrail out of the data folder until this process ends, however it ends: what is held is a lock of
 * the operating system on a file (through SQLite, because Node itself offers none), so that a killed process leaves
 * nothing behind that would have to be judged stale.
 *
 * @returns a function that lets others in again
 * @throws StartError when another instance holds it
 */
export function lockDataFolder(dataDir: string): () => void {
  const whoFile = path.join(dataDir, "lock.pid");
  const lock = new DatabaseSync(path.join(dataDir, "lock"), { timeout: 0 });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new StartError(
      `Another Handrail${processIn(whoFile)} is using the data folder ${dataDir}: stop it first, or give this one a folder of its own with HANDRAIL_DATA_DIR.`,
    );
  }
  writeFileSync(whoFile, `${process.pid}\n`);
  return () => {
    rmSync(whoFile, { force: true });
    lock.close();
  };
}

function isBusy(error: unknown): boolean {
  const sqliteBusy = 5;
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}

/** Only for the sentence: the lock itself does not depend on it. */
function processIn(whoFile: string): string {
  try {
    return ` (process ${Number(readFileSync(whoFile, "utf8"))})`;
  } catch {
    return "";
  }
}
