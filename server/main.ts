import "server-only";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { checkServer } from "@/db/check-server";
import { startEmbeddedPostgres } from "@/db/embedded";
import { StartError } from "@/db/start-error";
import { endRunningCommands } from "@/server/capabilities/running-commands";
import { type Env, parseEnv, provideEnv } from "@/server/platform/env";
import { messageOf } from "@/server/platform/errors";
import { mendDriver } from "@/server/platform/mend-driver";
import { announceShutdown } from "@/server/platform/shutdown";
import { demandFreePort } from "@/server/start/demand-free-port";
import { lockDataFolder } from "@/server/start/lock-data-folder";
import { prepareFolder } from "@/server/start/prepare-folder";
import { readOrMakeSecretKey } from "@/server/start/secret-key";
import { listenForStopRequests } from "@/server/start/stop-requests";
import { makeTeardown } from "@/server/start/teardown";
import { welcome } from "@/server/start/welcome";

/**
 * The process that `npm start` runs, bundled to `dist/server`; the checkout is two folders above. What can be refused at
 * once is refused before anything heavy is loaded: the rest comes with `server/start/start-product`.
 */
const root = path.resolve(import.meta.dirname, "../..");
const { values: options } = parseArgs({
  options: {
    dev: { type: "boolean", default: false },
    "reset-admin-password": { type: "boolean", default: false },
    /** Milliseconds since 1970 at which the person asked for it. */
    since: { type: "string" },
  },
});

/** How long a step of the start that cannot be interrupted may keep us from stopping. */
const stepLimitMs = 20_000;

/** How long after the API's first answer Next gets ready, unless somebody asks for a page before. */
const pagesAfterMs = 1_000;

class StopRequested extends Error {}

mendDriver();

let exitCode = 0;
let endPostgresAtOnce = async () => {};
const teardown = makeTeardown(complain);
const stopRequests = listenForStopRequests(() => {
  complain("Asked twice: stopping at once.");
  void Promise.allSettled([endRunningCommands(), endPostgresAtOnce()]).then(() => process.exit(1));
});

// A terminal that went away must not keep us from stopping in order.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
process.on("unhandledRejection", (error) => complain(`Something failed that nobody waited for: ${sentenceOf(error)}`));
process.on("uncaughtException", (error) => {
  complain(error.stack ?? error.message);
  exitCode = 1;
  stopRequests.request();
});

const starting = start().catch((error) => {
  if (error instanceof StopRequested) return;
  exitCode = 1;
  complain(`Handrail cannot start: ${sentenceOf(error)}`);
  stopRequests.request();
});
await stopRequests.requested;
announceShutdown();
await Promise.race([starting, pause(stepLimitMs, undefined, { ref: false })]);
await teardown.run();
if (exitCode === 0) say("Handrail has stopped.");
process.exit(exitCode);

async function start(): Promise<void> {
  const given = readEnv();
  await demandFreePort(given.port);
  await prepareFolder(given.dataDir, "HANDRAIL_DATA_DIR");
  await prepareFolder(given.workspaceRoot, "HANDRAIL_WORKSPACE_ROOT");
  if (given.blobs.kind === "folder") await prepareFolder(given.blobs.folder, "HANDRAIL_BLOBS_DIR");
  if (given.databaseUrl) await checkServer(given.databaseUrl);
  else await keepOthersOut(given.dataDir);
  const secretKey = given.secretKey ?? (await keptSecretKey(given));
  goOn();

  const databaseUrl = given.databaseUrl ?? (await startOwnPostgres(given.dataDir));
  provideEnv({ ...given, databaseUrl, secretKey });
  const { startProduct } = await import("@/server/start/start-product");
  const { first, preparePages } = await startProduct({
    root,
    isDev: options.dev,
    resetsPassword: options["reset-admin-password"],
    teardown,
    say,
    goOn,
  });
  const seconds = (Date.now() - Number(options.since ?? Date.now())) / 1_000;
  say(welcome({ role: given.role, port: given.port, publicUrl: given.publicUrl, first, seconds }));
  // Who waited for the API to answer is answered before Next takes the processor for most of a second.
  await Promise.race([pause(pagesAfterMs, undefined, { ref: false }), stopRequests.requested]);
  goOn();
  await preparePages();
}

async function keepOthersOut(dataDir: string): Promise<void> {
  const lock = await lockDataFolder(dataDir, (holder) => say(`Waiting for the Handrail that is stopping (${holder}) ...`));
  teardown.add("The data folder's lock", lock.release);
  stopRequests.requested.then(lock.announceStop);
}

async function startOwnPostgres(dataDir: string): Promise<string> {
  const starting = startEmbeddedPostgres(dataDir);
  const stop = (how?: { immediately: boolean }) =>
    starting.then(
      (postgres) => postgres.stop(how),
      () => {},
    );
  teardown.add("Postgres", () => stop(), { limitMs: 60_000 });
  endPostgresAtOnce = () => stop({ immediately: true });
  const { pid, cluster, ended, leftovers, url } = await starting;
  void ended.then(() => {
    if (stopRequests.isRequested) return;
    exitCode = 1;
    complain(`Postgres has ended unexpectedly (${dataDir}/postgres.log may say why); Handrail stops. Starting it again recovers the data.`);
    stopRequests.request();
  });
  // Whoever started us ends it should we be killed.
  process.send?.({ postgres: { pid, cluster } });
  if (leftovers === "stopped") say("Found a Postgres that an earlier Handrail left running; it was stopped and started anew.");
  return url;
}

async function keptSecretKey({ dataDir, databaseUrl }: Env): Promise<string> {
  const { key, isNew } = await readOrMakeSecretKey(dataDir);
  if (isNew && databaseUrl) {
    say(`HANDRAIL_SECRET_KEY is not set: a key was made in ${dataDir}/secret-key. Every replica of this database needs the same one.`);
  }
  return key;
}

function readEnv(): Env {
  try {
    return parseEnv(process.env);
  } catch (error) {
    throw new StartError(`${messageOf(error)}.`, { cause: error });
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
