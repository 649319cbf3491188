import "server-only";
import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "@/db/start-error";
import { familyVariables } from "@/server/families/environment";
import { type Env, parseEnv, provideEnv } from "@/server/platform/env";
import { toErrorMessage } from "@/server/platform/errors";
import { makeBackup } from "./make-backup";
import { openDatabase, openEmptyDatabase } from "./open-database";
import { size } from "./progress";
import { restoreBackup } from "./restore-backup";
import { keyOfBackup, presentSecretKey, whereTheKeyIs } from "./secret-key";

const interrupted = 130;
const print = (sentence: string) => void process.stdout.write(`${sentence}\n`);

/**
 * Runs `npm run backup` or `npm run restore` in the checkout and returns the exit code.
 * @param root the checkout
 */
export async function runBackupCommand(command: "backup" | "restore", root: string, args: readonly string[]): Promise<number> {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new StartError("Interrupted."));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);
  try {
    const folder = path.resolve(folderOf(command, args));
    process.chdir(root);
    const given = readSettings();
    const migrationsFolder = path.join(root, "drizzle");
    await (command === "backup" ? backUp : restore)(given, { folder, migrationsFolder, signal: stop.signal, say: print });
    return 0;
  } catch (error) {
    const expected = stop.signal.aborted ? stop.signal.reason : error;
    const sentence =
      expected instanceof StartError ? expected.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`The ${command} failed: ${sentence}\n`);
    return stop.signal.aborted ? interrupted : 1;
  }
}

type Run = { folder: string; migrationsFolder: string; signal: AbortSignal; say: (sentence: string) => void };

async function backUp(given: Env, run: Run): Promise<void> {
  const { url, close } = await openDatabase(given, print);
  try {
    const { missingBlobs, tables } = await makeBackup({ ...run, url });
    print(`The backup is whole: ${run.folder} (${size(tables.reduce((sum, { bytes }) => sum + bytes, 0))} of tables)`);
    if (missingBlobs.length > 0)
      print(`${missingBlobs.length} blobs that the database names are not in the store of artifacts: see Doctor.`);
  } finally {
    await close();
  }
  print(whereTheKeyIs(given));
  print(
    "Also not in it: settings of the environment (.env), the policy file, HANDRAIL_OUTSIDE_HOME, copies of files before commands, logs.",
  );
}

async function restore(given: Env, run: Run): Promise<void> {
  const { url, close } = await openEmptyDatabase(given, print);
  try {
    const { keyProof } = await restoreBackup({ ...run, url });
    print("The restore is complete. Start Handrail with npm start.");
    print(keyOfBackup(keyProof));
  } finally {
    await close();
  }
}

/** @throws StartError without exactly one folder */
function folderOf(command: string, args: readonly string[]): string {
  try {
    const [folder, ...more] = parseArgs({ args: [...args], allowPositionals: true, options: {} }).positionals;
    if (folder && more.length === 0) return folder;
  } catch {
    // An unknown option is answered with the usage, too.
  }
  throw new StartError(`Name one folder: npm run ${command} -- /path/of/the/backup`);
}

/** Provides the environment with the present secret key. @returns the environment as it was given @throws StartError */
function readSettings(): Env {
  // As at the start: the environment wins over both, the second file over the first. A variable that is set stays.
  for (const file of [".env.local", ".env"]) if (existsSync(file)) process.loadEnvFile(file);
  try {
    const given = parseEnv(process.env, familyVariables);
    provideEnv({ ...given, secretKey: presentSecretKey(given) });
    return given;
  } catch (error) {
    throw new StartError(`${toErrorMessage(error)}.`, { cause: error });
  }
}
