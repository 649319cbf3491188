import "server-only";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { assertUsableServer } from "@/db/assert-usable-server";
import { startEmbeddedPostgres } from "@/db/embedded";
import { StartError } from "@/db/start-error";
import { sandboxRefusal, sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { endRunningCommands } from "@/server/capabilities/shell/running-commands";
import { familyVariables } from "@/server/families/environment";
import { type Env, parseEnv, provideEnv } from "@/server/platform/env";
import { toErrorMessage } from "@/server/platform/errors";
import { announceShutdown } from "@/server/platform/shutdown";
import { assertFreePort } from "@/server/start/assert-free-port";
import { lockDataFolder } from "@/server/start/lock-data-folder";
import { prepareFolder } from "@/server/start/prepare-folder";
import { readOrMakeSecretKey } from "@/server/start/secret-key";
import { listenForStopRequests } from "@/server/start/stop-requests";
import { makeTeardown } from "@/server/start/teardown";
import { welcome } from "@/server/start/welcome";

/**
 * The process that `npm start` runs, bundled to `dist/server`; the checkout is two folders above. Checks of port and folders
 * run before the heavy modules load with `server/start/start-product`.
 */
const root = path.resolve(import.meta.dirname, "../..");
const { values: options } = parseArgs({
  options: {
    dev: { type: "boolean", default: false },
    "reset-admin-password": { type: "boolean", default: false },
    /** Time of the start command, in milliseconds since 1970. */
    since: { type: "string" },
  },
});

/** Longest wait for an uninterruptible step of the start before the process stops anyway. */
const stepLimitMs = 20_000;

/** Delay between the API's readiness and the loading of Next; a request for a page loads Next earlier. */
const pagesAfterMs = 1_000;

class StopRequested extends Error {}

let exitCode = 0;
let endPostgresAtOnce = async () => {};
const teardown = makeTeardown(printError);
const stopRequests = listenForStopRequests(() => {
  printError("Asked twice: stopping at once.");
  void Promise.allSettled([endRunningCommands(), endPostgresAtOnce()]).then(() => process.exit(1));
});

// A closed terminal must not prevent an orderly stop.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
process.on("unhandledRejection", (error) => printError(`Something failed that nobody waited for: ${sentenceOf(error)}`));
process.on("uncaughtException", (error) => {
  printError(error.stack ?? error.message);
  exitCode = 1;
  stopRequests.request();
});

const starting = start().catch((error) => {
  if (error instanceof StopRequested) return;
  exitCode = 1;
  printError(`Handrail cannot start: ${sentenceOf(error)}`);
  stopRequests.request();
});
await stopRequests.requested;
announceShutdown();
await Promise.race([starting, pause(stepLimitMs, undefined, { ref: false })]);
await teardown.run();
if (exitCode === 0) print("Handrail has stopped.");
process.exit(exitCode);

async function start(): Promise<void> {
  const given = readEnv();
  await assertFreePort(given.port);
  await prepareFolder(given.dataDir, "HANDRAIL_DATA_DIR");
  await prepareFolder(given.workspaceRoot, "HANDRAIL_WORKSPACE_ROOT");
  if (given.blobs.kind === "folder") await prepareFolder(given.blobs.folder, "HANDRAIL_BLOBS_DIR");
  // The heavy modules load while Postgres answers or starts. A failure shows where they are awaited.
  const loading = import("@/server/start/start-product");
  loading.catch(() => {});
  if (given.databaseUrl) await assertUsableServer(given.databaseUrl);
  else await lockDataFolderOrExit(given.dataDir);
  const { key: secretKey, isNew: isNewKey } = given.secretKey ? { key: given.secretKey, isNew: false } : await keptSecretKey(given);
  throwIfStopRequested();

  const databaseUrl = given.databaseUrl ?? (await startOwnPostgres(given.dataDir));
  provideEnv({ ...given, databaseUrl, secretKey });
  assertSandbox();
  const { startProduct } = await loading;
  const { first, preparePages } = await startProduct({
    root,
    isDev: options.dev,
    resetsPassword: options["reset-admin-password"],
    teardown,
    isNewKey,
    say: print,
    goOn: throwIfStopRequested,
  });
  const seconds = (Date.now() - Number(options.since ?? Date.now())) / 1_000;
  print(welcome({ role: given.role, port: given.port, publicUrl: given.publicUrl, first, seconds, sandbox: sandboxStatus().sentence }));
  // Waiting API clients are answered first, because Next then occupies the processor for most of a second.
  await Promise.race([pause(pagesAfterMs, undefined, { ref: false }), stopRequests.requested]);
  throwIfStopRequested();
  await preparePages();
}

async function lockDataFolderOrExit(dataDir: string): Promise<void> {
  const lock = await lockDataFolder(dataDir, (holder) => print(`Waiting for the Handrail that is stopping (${holder}) ...`));
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
    printError(
      `Postgres has ended unexpectedly (${dataDir}/postgres.log may say why); Handrail stops. Starting it again recovers the data.`,
    );
    stopRequests.request();
  });
  // The parent process ends Postgres if this process is killed.
  process.send?.({ postgres: { pid, cluster } });
  if (leftovers === "stopped") print("Found a Postgres that an earlier Handrail left running; it was stopped and started anew.");
  return url;
}

async function keptSecretKey({ dataDir, databaseUrl }: Env): Promise<{ key: string; isNew: boolean }> {
  const made = await readOrMakeSecretKey(dataDir);
  if (made.isNew && databaseUrl) {
    print(`HANDRAIL_SECRET_KEY is not set: a key was made in ${dataDir}/secret-key. Every replica of this database needs the same one.`);
  }
  return made;
}

function readEnv(): Env {
  try {
    return parseEnv(process.env, familyVariables);
  } catch (error) {
    throw new StartError(`${toErrorMessage(error)}.`, { cause: error });
  }
}

/** @throws StartError when HANDRAIL_SANDBOX is `required` and no sandbox is available */
function assertSandbox(): void {
  const refusal = sandboxRefusal();
  if (refusal !== null) throw new StartError(refusal);
}

/** @throws StopRequested when a stop was requested during the start */
function throwIfStopRequested(): void {
  if (stopRequests.isRequested) throw new StopRequested();
}

/** Returns the message of an expected error (`StartError`), and the stack of any other error. */
function sentenceOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}
