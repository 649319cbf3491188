import { spawnSync } from "node:child_process";
import path from "node:path";
import { adminEmail, adminPassword, freePort } from "../e2e/product";
import { startProgram } from "./child-program";
import { Connection, requestBytes } from "./connection";
import { type Inspector, inspect } from "./inspector";

const root = path.resolve(import.meta.dirname, "..");

export type BenchProduct = {
  url: string;
  port: number;
  /** The agent key, which only the first start on a database prints. */
  agentKey: string | null;
  /** Process id of the server itself, below the start script. */
  pid: number;
  /** From the start of the start script to the first time that it said it was ready. */
  readyAfterMs: number;
  inspector: () => Promise<Inspector>;
  stop: () => Promise<void>;
};

type Start = { dataDir: string; databaseUrl?: string; variables?: Record<string, string> };

/**
 * Starts the built product as `npm start` does. Its inspector is off until somebody asks for it; the option only makes
 * it choose a port of its own then.
 * @param databaseUrl absent: the embedded Postgres in its data folder
 */
export async function startBenchProduct({ dataDir, databaseUrl, variables = {} }: Start): Promise<BenchProduct> {
  const port = await freePort();
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const variable of Object.keys(env)) {
    if (/^(HANDRAIL_.*|NEXTAUTH_.*|DATABASE_URL|NODE_ENV)$/.test(variable)) delete env[variable];
  }
  Object.assign(env, {
    PORT: String(port),
    HANDRAIL_DATA_DIR: dataDir,
    HANDRAIL_ADMIN_EMAIL: adminEmail,
    HANDRAIL_ADMIN_PASSWORD: adminPassword,
    HANDRAIL_LOG_LEVEL: "warn",
    HANDRAIL_MAX_CONVERSATIONS_PER_MINUTE: "1000000",
    NODE_OPTIONS: "--inspect-port=127.0.0.1:0",
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...variables,
  });
  const began = performance.now();
  const program = startProgram([path.join(root, "scripts/start.mjs")], { cwd: root, env });
  try {
    const ready = requestBytes(port, { path: "/api/v1/health/ready" });
    let hasEnded = false;
    program.child.once("exit", () => {
      hasEnded = true;
    });
    while (!(await answers(port, ready))) {
      if (hasEnded) throw new Error(`the product ended while starting:\n${program.printed()}`);
      if (performance.now() - began > 120_000) throw new Error(`the product was not ready in time:\n${program.printed()}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const readyAfterMs = performance.now() - began;
    const pid = serverBelow(program.child.pid ?? 0);
    return {
      url: `http://127.0.0.1:${port}`,
      port,
      agentKey: /\bhr_[A-Za-z0-9_-]{20,}/.exec(program.printed())?.[0] ?? null,
      pid,
      readyAfterMs,
      async inspector() {
        process.kill(pid, "SIGUSR1");
        const [, address] = await program.says(/Debugger listening on (ws:\S+)/);
        return inspect(address ?? "");
      },
      stop: program.stop,
    };
  } catch (error) {
    await program.stop();
    throw error;
  }
}

async function answers(port: number, request: Buffer): Promise<boolean> {
  try {
    const connection = await Connection.open(port);
    const { status } = await connection.send(request);
    connection.close();
    return status === 200;
  } catch {
    return false;
  }
}

/** The start script has one child when the product is ready: the server. */
function serverBelow(parent: number): number {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  for (const [, pid, ppid] of stdout.matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm)) {
    if (Number(ppid) === parent) return Number(pid);
  }
  throw new Error("the start script has no server below it");
}
