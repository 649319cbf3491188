import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../product";

const root = path.resolve(import.meta.dirname, "../..");
const startTimeoutMs = 180_000;
const stopTimeoutMs = 60_000;

export type Role = "web" | "worker" | "all";

/** One process of the production build, which can be ended in every way and started again at the same address. */
export type Replica = {
  name: string;
  role: Role;
  url: string;
  pid: () => number;
  isReady: () => boolean;
  printed: () => string;
  start: () => Promise<void>;
  /** SIGKILL to the server itself: what a crash looks like. */
  kill: () => Promise<void>;
  /** SIGTERM. @returns the exit code. */
  stop: () => Promise<number | null>;
};

/** Describes a replica; nothing runs before `start`. The server is started directly, without the parent that `npm start` has. */
export async function describeReplica(name: string, role: Role, settings: Record<string, string>): Promise<Replica> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const logFolder = path.join(root, "test-results");
  mkdirSync(logFolder, { recursive: true });
  const log = createWriteStream(path.join(logFolder, `${name}.log`), { flags: "a" });
  let child: ChildProcess | null = null;
  let isReady = false;
  let printed = "";

  const endOf = (running: ChildProcess): Promise<number | null> =>
    running.exitCode !== null || running.signalCode !== null
      ? Promise.resolve(running.exitCode)
      : new Promise((resolve) => running.once("exit", (code) => resolve(code)));

  return {
    name,
    role,
    url,
    pid: () => child?.pid ?? -1,
    isReady: () => isReady,
    printed: () => printed,
    async start() {
      const running = spawn(process.execPath, ["--import=./scripts/start/source-maps.mjs", "dist/server/main.mjs"], {
        cwd: root,
        env: {
          ...ownEnvironment(),
          NODE_ENV: "production",
          NODE_COMPILE_CACHE: path.join(root, "dist/compile-cache"),
          PORT: String(port),
          HANDRAIL_ROLE: role,
          ...settings,
        },
        // A server whose parent is gone stops: nothing stays behind when the tests are cut off.
        stdio: ["ignore", "pipe", "pipe", "ipc"],
      });
      child = running;
      running.once("exit", () => {
        isReady = false;
      });
      for (const stream of [running.stdout, running.stderr]) {
        stream?.setEncoding("utf8").on("data", (chunk: string) => {
          printed += chunk;
          log.write(chunk);
        });
      }
      const deadline = Date.now() + startTimeoutMs;
      for (let answer = await askReady(url); answer !== "ok"; answer = await askReady(url)) {
        if (running.exitCode !== null || running.signalCode !== null) throw new Error(`${name} ended while starting:\n${printed}`);
        if (Date.now() > deadline) throw new Error(`${name} was not ready in time: ${answer}\n${printed}`);
        await pause(25);
      }
      isReady = true;
    },
    async kill() {
      if (!child) return;
      isReady = false;
      child.kill("SIGKILL");
      await endOf(child);
    },
    async stop() {
      if (!child) return null;
      isReady = false;
      const running = child;
      running.kill("SIGTERM");
      const code = await Promise.race([endOf(running), pause(stopTimeoutMs, "late" as const, { ref: false })]);
      if (code !== "late") return code;
      running.kill("SIGKILL");
      throw new Error(`${name} did not stop within ${stopTimeoutMs / 1_000} s of SIGTERM:\n${printed.slice(-4_000)}`);
    },
  };
}

/** A clean environment, because variables of the tests must not reach the product. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const variable of Object.keys(environment)) {
    if (/^(HANDRAIL_.*|NEXTAUTH_.*|DATABASE_URL|NODE_ENV|NODE_OPTIONS)$/.test(variable)) delete environment[variable];
  }
  return environment;
}

/** Returns "ok" from a replica that is ready, else what it answered or why it did not answer. */
async function askReady(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/api/v1/health/ready`, { signal: AbortSignal.timeout(15_000) });
    return response.ok ? "ok" : `${response.status} ${await response.text()}`;
  } catch (error) {
    return String(error);
  }
}
