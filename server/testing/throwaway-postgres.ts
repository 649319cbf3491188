import { rmSync } from "node:fs";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbeddedPostgres } from "@/db/embedded";

/** Settings that trade durability for speed; losing all data in a crash is fine, because the data is temporary. */
const careless = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300", autovacuum: "off" };

/** File system in memory, as Linux has one. A container may give it a few megabytes only. */
const memory = { folder: "/dev/shm", neededBytes: 4 * 2 ** 30 };

/** Returns where the data of a throwaway Postgres goes: into memory when it has room, because each test file copies a thousand files. */
async function placeOfData(): Promise<string> {
  const room = await statfs(memory.folder).catch(() => null);
  return room && room.bavail * room.bsize >= memory.neededBytes ? memory.folder : tmpdir();
}

/** Starts a separate Postgres in memory or in the temporary folder. `url` names a database that no test uses. */
export async function startThrowawayPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(await placeOfData(), "handrail-test-postgres-"));
  // For an exit without `stop`, such as Ctrl-C; the Postgres server ends with our process.
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  process.once("exit", removeAtExit);
  const remove = async () => {
    process.off("exit", removeAtExit);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const server = await startEmbeddedPostgres(folder, careless);
    return {
      url: server.url,
      async stop() {
        await server.stop({ immediately: true });
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
