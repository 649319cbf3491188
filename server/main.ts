import "server-only";
import path from "node:path";
import { parseArgs } from "node:util";
import { checkServer } from "@/db/check-server";
import { startEmbeddedPostgres } from "@/db/embedded";
import { migrateDatabase } from "@/db/migrate";
import { StartError } from "@/db/start-error";
import { ensureAuditPartitions } from "@/server/audit/ensure-partitions";
import { boot } from "@/server/boot";
import { bootstrapWorkspace } from "@/server/bootstrap-workspace";
import { postgresPool } from "@/server/platform/database";
import { type Env, parseEnv, provideEnv } from "@/server/platform/env";
import { messageOf } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { announceShutdown } from "@/server/platform/shutdown";
import { answerHealthOnly } from "@/server/start/answer-health-only";
import { demandFreePort } from "@/server/start/demand-free-port";
import { lockDataFolder } from "@/server/start/lock-data-folder";
import { prepareFolder } from "@/server/start/prepare-data-folder";
import { readOrMakeSecretKey } from "@/server/start/secret-key";
import { answerWithNext, listen } from "@/server/start/serve";
import { listenForStopRequests } from "@/server/start/stop-requests";
import { makeTeardown } from "@/server/start/teardown";
import { welcome } from "@/server/start/welcome";

/** The process that `npm start` runs, bundled to `dist/`; the checkout is the folder above. */
const root = path.resolve(import.meta.dirname, "..");
const { values: options } = parseArgs({ options: { dev: { type: "boolean", default: false }, since: { type: "string" } } });

/** Milliseconds since 1970 at which the person asked for it. */
const askedAt = Number(options.since ?? Date.now());

class StopRequested extends Error {}

let exitCode = 0;
let force = async () => {};
const teardown = makeTeardown(complain);
const stopRequests = listenForStopRequests(() => {
  complain("Asked twice: stopping at once.");
  void force().finally(() => process.exit(1));
});

// A terminal that went away must not keep us from stopping in order.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
process.on("unhandledRejection", (error) => log().error({ err: error }, "something failed that nobody waited for"));
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.stack}\n`);
  exitCode = 1;
  process.kill(process.pid, "SIGTERM");
});

try {
  await start(readEnv());
  await stopRequests.requested;
} catch (error) {
  if (!(error instanceof StopRequested)) {
    exitCode = 1;
    complain(`Handrail cannot start: ${sentenceOf(error)}`);
  }
}
announceShutdown();
await teardown.run();
if (exitCode === 0) process.stdout.write("Handrail has stopped.\n");
process.exit(exitCode);

async function start(given: Env): Promise<void> {
  await demandFreePort(given.port);
  await prepareFolder(given.dataDir, "HANDRAIL_DATA_DIR");
  await prepareFolder(given.workspaceRoot, "HANDRAIL_WORKSPACE_ROOT");
  const databaseUrl = given.databaseUrl ?? (await startOwnPostgres(given));
  if (given.databaseUrl) await checkServer(given.databaseUrl);
  const secretKey = given.secretKey ?? (await keptSecretKey(given));
  provideEnv({ ...given, databaseUrl, secretKey });
  goOn();

  const migrations = await migrateDatabase(databaseUrl, path.join(root, "drizzle"));
  if (migrations > 0) say(`Database: ${migrations} ${migrations === 1 ? "migration" : "migrations"} applied`);
  teardown.add("The database pool", () => postgresPool().end({ timeout: 5 }));
  // Before the first audit row: a month that has rows in the default partition stays there.
  await ensureAuditPartitions();
  const first = await bootstrapWorkspace(given.admin);
  goOn();

  const booted = await boot();
  teardown.add("Background work", booted.stop, { limitMs: 25_000 });
  goOn();

  const isDev = options.dev;
  const answering = given.role === "worker" ? answerHealthOnly() : await answerWithNext({ root, port: given.port, isDev });
  teardown.add("The web server", answering.close);
  goOn();
  const { drain } = await listen(answering, given.port);
  teardown.add("Open requests", drain);
  say(welcome({ publicUrl: given.publicUrl, first, seconds: (Date.now() - askedAt) / 1_000 }));
}

async function startOwnPostgres({ dataDir }: Env): Promise<string> {
  const lock = await lockDataFolder(dataDir, (process) => say(`Waiting for the Handrail in ${process} to finish stopping ...`));
  teardown.add("The data folder's lock", lock.release);
  stopRequests.requested.then(lock.announceStop);
  const postgres = await startEmbeddedPostgres(dataDir);
  teardown.add("Postgres", () => postgres.stop(), { limitMs: 35_000 });
  force = () => postgres.stop({ immediately: true });
  // Whoever started us ends it should we be killed.
  process.send?.({ postgres: { pid: postgres.pid, cluster: postgres.cluster } });
  if (postgres.leftovers === "stopped") say("Found a Postgres that an earlier Handrail left running; it was stopped and started anew");
  return postgres.url;
}

async function keptSecretKey({ dataDir, databaseUrl }: Env): Promise<string> {
  const { key, isNew } = await readOrMakeSecretKey(dataDir);
  if (isNew && databaseUrl) {
    say(`HANDRAIL_SECRET_KEY is not set: a key was made in ${dataDir}/secret-key; every replica of this database needs the same one`);
  }
  return key;
}

function readEnv(): Env {
  try {
    return parseEnv(process.env);
  } catch (error) {
    throw new StartError(messageOf(error), { cause: error });
  }
}

/** @throws StopRequested when somebody changed their mind while we were starting */
function goOn(): void {
  if (stopRequests.isRequested) throw new StopRequested();
}

/** What we foresaw is one sentence; what we did not is shown whole. */
function sentenceOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}
