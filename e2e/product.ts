import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { createWriteStream, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");

export const adminEmail = "admin@example.com";
export const adminPassword = "correct horse battery staple";

/** Building included; a start without one takes a few seconds. */
const startTimeoutMs = 8 * 60_000;
const stopTimeoutMs = 60_000;

export type Product = {
  url: string;
  /** Everything it has printed. */
  printed: () => string;
  /** The agent key, which only the first start on a data folder prints. */
  agentKey: () => string | null;
  /** SIGTERM, then waits for the end. @throws Error when it does not end or leaves a process behind. */
  stop: () => Promise<void>;
  /** SIGKILL to everything but Postgres at once: what a crash looks like. */
  kill: () => Promise<void>;
};

/**
 * Starts the product as people do, `npm start` without npm, and waits until it says that it is ready.
 * @throws Error with what it printed last when it does not get there.
 */
export async function startProduct({
  dataDir,
  port,
  name = "product",
  databaseUrl,
  variables = {},
  user,
}: {
  dataDir: string;
  port?: number;
  name?: string;
  /** A Postgres that is there already, instead of the embedded one. */
  databaseUrl?: string;
  /** Environment variables besides those of every test. */
  variables?: Record<string, string>;
  /** Whom it runs as, who owns the data folder; absent: whoever runs the tests. */
  user?: { uid: number; gid: number } | undefined;
}): Promise<Product> {
  const chosenPort = port ?? (await freePort());
  const url = `http://localhost:${chosenPort}`;
  // A clean environment, because variables of the tests must not reach the product.
  const environment = { ...process.env };
  for (const variable of Object.keys(environment)) {
    if (/^(HANDRAIL_.*|NEXTAUTH_.*|DATABASE_URL|NODE_ENV|NODE_OPTIONS)$/.test(variable)) delete environment[variable];
  }
  const child = spawn(process.execPath, [path.join(root, "scripts/start.mjs")], {
    cwd: root,
    env: {
      ...environment,
      PORT: String(chosenPort),
      HANDRAIL_DATA_DIR: dataDir,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      HANDRAIL_ADMIN_EMAIL: adminEmail,
      HANDRAIL_ADMIN_PASSWORD: adminPassword,
      // The receivers of our tests are on this machine.
      HANDRAIL_WEBHOOK_ALLOW_PRIVATE: "true",
      HANDRAIL_DELEGATE_ALLOW_PRIVATE: "true",
      HANDRAIL_MESSENGER_ALLOW_PRIVATE: "true",
      HANDRAIL_NOTIFICATIONS_ALLOW_PRIVATE: "true",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
  let output = "";
  const logFolder = path.join(root, "test-results");
  mkdirSync(logFolder, { recursive: true });
  const logFile = createWriteStream(path.join(logFolder, `${name}.log`), { flags: "a" });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      logFile.write(chunk);
    });
  }

  const lastWords = () => output.split("\n").slice(-40).join("\n");
  const deadline = Date.now() + startTimeoutMs;
  while (!(await isReady(url))) {
    if (hasEnded(child)) throw new Error(`The product ended while starting (exit code ${child.exitCode}):\n${lastWords()}`);
    if (Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`The product was not ready in time:\n${lastWords()}`);
    }
    await pause(250);
  }

  return {
    url,
    printed: () => output,
    agentKey: () => /\bhr_[A-Za-z0-9_-]{20,}/.exec(output)?.[0] ?? null,
    async stop() {
      const family = descendantsOf(child.pid);
      child.kill("SIGTERM");
      const inTime = await endOf(child, stopTimeoutMs);
      logFile.end();
      if (!inTime) {
        child.kill("SIGKILL");
        throw new Error(`The product did not stop within ${stopTimeoutMs / 1_000} s of SIGTERM:\n${lastWords()}`);
      }
      const orphans = await stillRunning(family);
      if (orphans.length > 0) throw new Error(`The product stopped and left these processes behind: ${orphans.join(", ")}`);
    },
    async kill() {
      const family = descendantsOf(child.pid, (command) => !command.includes("postgres"));
      child.kill("SIGKILL");
      for (const pid of family) {
        if (isAlive(pid)) process.kill(pid, "SIGKILL");
      }
      await endOf(child, stopTimeoutMs);
      logFile.end();
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/v1/health/ready`, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function endOf(child: ChildProcess, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!hasEnded(child)) {
    if (Date.now() > deadline) return false;
    await pause(50);
  }
  return true;
}

/** Process ids of children, grandchildren and so on, as far as their command lines are wanted. */
function descendantsOf(pid: number | undefined, isWanted: (command: string) => boolean = () => true): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8", maxBuffer: 16 * 1_048_576 });
  const all = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, child, parent, command = ""]) => ({
    pid: Number(child),
    parent: Number(parent),
    command,
  }));
  const found: number[] = [];
  const waiting = [pid];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    for (const process of all) {
      if (process.parent !== parent || !isWanted(process.command)) continue;
      found.push(process.pid);
      waiting.push(process.pid);
    }
  }
  return found;
}

/** Those of the processes that still live a moment later. */
async function stillRunning(pids: number[]): Promise<number[]> {
  const deadline = Date.now() + 5_000;
  while (pids.some(isAlive) && Date.now() < deadline) await pause(100);
  return pids.filter(isAlive);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds a free port below those that systems give to connections: what tests open meanwhile never takes it before the
 * product listens.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
  throw new Error("No port is free");
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
