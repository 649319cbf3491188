import "server-only";
import { existsSync } from "node:fs";
import path from "node:path";
import { assertUsableServer } from "@/db/assert-usable-server";
import { startEmbeddedPostgres } from "@/db/embedded";
import { embeddedUrl } from "@/db/embedded-url";
import { StartError } from "@/db/start-error";
import type { Env } from "@/server/platform/env";
import { lockDataFolder } from "@/server/start/lock-data-folder";
import { prepareFolder } from "@/server/start/prepare-folder";
import type { Say } from "./progress";

export type OpenDatabase = { url: string; close(): Promise<void> };

const leaveOpen = async () => {};

/**
 * Finds the installation's database: that of DATABASE_URL, the embedded one that a running Handrail has started, or the
 * embedded one, started for this.
 * @throws StartError when there is none
 */
export async function openDatabase({ databaseUrl, dataDir }: Env, say: Say): Promise<OpenDatabase> {
  if (databaseUrl) return openGiven(databaseUrl);
  if (!existsSync(path.join(dataDir, "postgres/PG_VERSION"))) {
    throw new StartError(`There is no database in ${dataDir}: name its data folder in HANDRAIL_DATA_DIR, or the database in DATABASE_URL.`);
  }
  const running = embeddedUrl(dataDir);
  // A killed Handrail leaves the address of a Postgres that does not answer; the start below clears it.
  if (running && (await answers(running))) return { url: running, close: leaveOpen };
  return startEmbedded(dataDir, say);
}

/** As `openDatabase`, and makes the embedded database when the data folder has none. A running Handrail is refused. */
export async function openEmptyDatabase({ databaseUrl, dataDir }: Env, say: Say): Promise<OpenDatabase> {
  if (databaseUrl) return openGiven(databaseUrl);
  await prepareFolder(dataDir, "HANDRAIL_DATA_DIR");
  return startEmbedded(dataDir, say);
}

async function openGiven(url: string): Promise<OpenDatabase> {
  await assertUsableServer(url);
  return { url, close: leaveOpen };
}

async function startEmbedded(dataDir: string, say: Say): Promise<OpenDatabase> {
  const lock = await lockDataFolder(dataDir, (holder) => say(`Waiting for the Handrail that is stopping (${holder}) ...`));
  try {
    const { url, stop } = await startEmbeddedPostgres(dataDir);
    return { url, close: () => stop().finally(lock.release) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

const answers = (url: string): Promise<boolean> =>
  assertUsableServer(url).then(
    () => true,
    () => false,
  );
