/**
 * A Postgres of its own for tests that break it, in a process of its own: run with `--conditions=react-server --import
 * tsx` and a channel. It says `{ url, port }` when the server accepts connections; "stop" ends the server as a power cut
 * would, "start" brings it back at the same address. It ends, and removes everything, with the channel.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../db/embedded";

/** Commits survive the server's end, as they must; the machine's they need not. */
const settings = { fsync: "off", full_page_writes: "off", max_connections: "300" };

const folder = await mkdtemp(path.join(tmpdir(), "handrail-throwaway-postgres-"));
let server: EmbeddedPostgres | null = null;
let port: string | null = null;

async function start(): Promise<void> {
  server = await startEmbeddedPostgres(folder, port ? { ...settings, port } : settings);
  port = new URL(server.url).port;
  process.send?.({ url: server.url });
}

async function stop(): Promise<void> {
  await server?.stop({ immediately: true });
  server = null;
  process.send?.({ stopped: true });
}

process.on("message", (message) => void (message === "stop" ? stop() : start()));
process.once("disconnect", async () => {
  await server?.stop({ immediately: true });
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
await start();
