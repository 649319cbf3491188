import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbeddedPostgres } from "@/db/embedded";

/** Speed for durability: a crash may lose everything, and everything is thrown away at the end anyway. */
const careless = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300", autovacuum: "off" };

/** Starts a Postgres of its own in the temporary folder. `url` leads to a database that nothing needs. */
export async function startThrowawayPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-test-postgres-"));
  // For an end that nobody waits for, such as Ctrl-C; the server itself goes when we go.
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
