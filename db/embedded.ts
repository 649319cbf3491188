import "server-only";
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync, statSync } from "node:fs";
import { chown, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Account, accountFor, handOver } from "./embedded-account";
import { embeddedBinaries } from "./embedded-binaries";
import { clearLeftovers, readPostmaster } from "./postmaster";
import { StartError } from "./start-error";

export type EmbeddedPostgres = {
  /** Connection address of the superuser for the database `handrail`. */
  url: string;
  pid: number;
  /** Folder of the database's files. */
  cluster: string;
  /** Resolves when Postgres has ended, for any reason. */
  ended: Promise<void>;
  /** State that an earlier process left in the folder. */
  leftovers: "nothing" | "stopped" | "stale";
  /** Stops Postgres and waits for its end; `immediately` skips the clean shutdown, so the next start has to recover. */
  stop(options?: { immediately?: boolean }): Promise<void>;
};

const user = "handrail";
const database = "handrail";
const initdbSettings = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--auth=scram-sha-256"];
const startTimeoutMs = 60_000;
const maxLogBytes = 10 * 1_048_576;

/**
 * Starts the embedded Postgres with its files in `<dataDir>/postgres`, which the first start creates. It listens on
 * 127.0.0.1, on a free port unless `settings` names one. First stops a Postgres that an earlier process left running
 * there. The caller holds the lock of the data folder.
 *
 * @param settings of Postgres, such as `{ fsync: "off" }`
 * @throws StartError
 */
export async function startEmbeddedPostgres(dataDir: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const cluster = path.join(dataDir, "postgres");
  const binaries = await embeddedBinaries();
  const leftovers = await clearLeftovers(cluster);
  const account = await accountFor(binaries, cluster);
  const password = await readOrMakePassword(dataDir);

  if (await hasCluster(cluster)) await handOver(cluster, account);
  else await createCluster(binaries.initdb, account, dataDir, cluster, password);

  const { child, port } = await startServer(binaries.postgres, account, dataDir, cluster, settings);
  const ended = once(child, "exit").then(() => {});
  const stop = async ({ immediately = false } = {}) => stopServer(child, immediately);
  try {
    const url = `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
    await createDatabase(url);
    return { url, pid: child.pid ?? -1, cluster, ended, leftovers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readOrMakePassword(dataDir: string): Promise<string> {
  const file = path.join(dataDir, "postgres-password");
  const present = await readIfThere(file);
  if (present?.trim()) return present.trim();
  if (await hasCluster(path.join(dataDir, "postgres"))) {
    throw new StartError(`${file} is missing, and the database beside it was made with it: put it back from your backup.`);
  }
  const password = randomBytes(24).toString("base64url");
  await writeFile(file, `${password}\n`, { mode: 0o600, flush: true });
  return password;
}

/** Creates the cluster under a temporary name and renames it when complete, so that a killed first start leaves no half-made database. */
async function createCluster(initdb: string, account: Account, dataDir: string, cluster: string, password: string): Promise<void> {
  const unfinished = path.join(dataDir, "postgres-unfinished");
  const passwordFile = path.join(dataDir, "postgres-unfinished-password");
  await rm(unfinished, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  await rm(passwordFile, { force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account.owner.uid !== -1) {
    await chown(unfinished, account.owner.uid, account.owner.gid);
    await chown(passwordFile, account.owner.uid, account.owner.gid);
  }
  const child = spawnAs(account, initdb, [`--pgdata=${unfinished}`, `--username=${user}`, `--pwfile=${passwordFile}`, ...initdbSettings], {
    cwd: unfinished,
    output: "pipe",
    endWithUs: true,
  });
  const words: string[] = [];
  child.stdout?.on("data", (chunk) => words.push(String(chunk)));
  child.stderr?.on("data", (chunk) => words.push(String(chunk)));
  const [code] = await once(child, "close");
  await rm(passwordFile, { force: true });
  if (code !== 0) {
    throw new StartError(`The embedded Postgres could not make its database in ${dataDir}: ${lastWords(words.join(""))}`);
  }
  await rename(unfinished, cluster);
}

async function startServer(
  postgres: string,
  account: Account,
  dataDir: string,
  cluster: string,
  settings: Record<string, string>,
): Promise<{ child: ChildProcess; port: number }> {
  const logFile = path.join(dataDir, "postgres.log");
  for (let attempt = 1; ; attempt++) {
    const port = settings.port ? Number(settings.port) : await freePort();
    const logStart = await rotate(logFile);
    const flags = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", ...settings };
    const child = spawnAs(
      account,
      postgres,
      ["-D", cluster, ...Object.entries(flags).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      { cwd: cluster, output: openSync(logFile, "a", 0o600), endWithUs: true },
    );
    if (await isReady(child, cluster)) return { child, port };
    await stopServer(child, true);
    const words = (await readFile(logFile, "utf8").catch(() => "")).slice(logStart);
    // Another program took the port since `freePort`, or processes of a killed Postgres have not yet noticed its end: try again.
    const maker = /initialized by PostgreSQL version (\d+)/.exec(words)?.[1];
    if (maker) {
      throw new StartError(
        `The database in ${cluster} was made by Postgres ${maker}, which this Handrail no longer brings: start the version of Handrail that made it, dump the database there, and restore it here.`,
      );
    }
    const passes = /Address already in use|still in use/.test(words);
    if (!passes || attempt === 5) throw new StartError(`The embedded Postgres does not start: ${lastWords(words)} (see ${logFile})`);
    await pause(500);
  }
}

async function isReady(child: ChildProcess, cluster: string): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const postmaster = readPostmaster(cluster);
    if (postmaster?.isReady && postmaster.pid === child.pid) return true;
    await pause(10);
  }
  return false;
}

async function stopServer(child: ChildProcess, immediately: boolean): Promise<void> {
  const isGone = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  for (const [signal, waitMs] of [
    [immediately ? "SIGQUIT" : "SIGINT", immediately ? 3_000 : 20_000],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ] as const) {
    if (isGone()) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await Promise.race([gone, pause(waitMs, undefined, { ref: false })]);
  }
}

async function createDatabase(url: string): Promise<void> {
  const { default: postgres } = await import("postgres");
  const maintenance = new URL(url);
  maintenance.pathname = "/postgres";
  const sql = postgres(maintenance.href, { max: 1, onnotice: () => {} });
  try {
    const [present] = await sql`select 1 from pg_database where datname = ${database}`;
    if (!present) await sql`create database ${sql(database)}`;
  } finally {
    await sql.end();
  }
}

/**
 * Spawns the program in a session of its own, because the terminal's Ctrl-C must not reach Postgres: we stop Postgres
 * last. With `endWithUs`, the kernel stops the program when we are killed, where `setpriv` exists (Linux).
 */
function spawnAs(
  { prefix, switchTo }: Account,
  program: string,
  args: string[],
  { cwd, output, endWithUs = false }: { cwd: string; output: "pipe" | number; endWithUs?: boolean },
): ChildProcess {
  const [command = program, ...rest] = [...prefix, ...(endWithUs ? endWithParent() : []), program, ...args];
  const options: SpawnOptions = {
    ...switchTo,
    cwd,
    detached: true,
    stdio: ["ignore", output, output],
    env: { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" },
  };
  const child = spawn(command, rest, options);
  // Without a listener, an error of `spawn` would crash this process; the missing pid already reports the failure.
  child.on("error", () => {});
  if (typeof output === "number") closeSync(output);
  return child;
}

function endWithParent(): string[] {
  const prefix = ["setpriv", "--pdeathsig", "INT", "--"];
  const tried = spawnSync("setpriv", ["--pdeathsig", "INT", "--", "true"], { stdio: "ignore" });
  return process.platform === "linux" && tried.status === 0 ? prefix : [];
}

/** Renames a log file that has grown too large; returns the offset at which this start's output begins. */
async function rotate(logFile: string): Promise<number> {
  await (await open(logFile, "a", 0o600)).close();
  const { size } = statSync(logFile);
  if (size < maxLogBytes) return size;
  await rename(logFile, `${logFile}.1`);
  return 0;
}

/** Returns the line of a program's output that says what went wrong. */
function lastWords(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim());
  const telling = lines.find((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? "it said nothing";
  return telling.replace(/^.*?(FATAL|PANIC|error):\s*/, "");
}

async function hasCluster(cluster: string): Promise<boolean> {
  return (await readIfThere(path.join(cluster, "PG_VERSION"))) !== null;
}

/** @throws StartError when the file exists and we may not read it */
async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return null;
    throw new StartError(`${file} cannot be read (${code}): start Handrail as the user whose data folder this is.`, { cause: error });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (!address || typeof address !== "object") throw new Error("The system gave no port");
  return address.port;
}
