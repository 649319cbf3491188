import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import type { SandboxStatus } from "@/contracts/decisions/effects";
import type { FileKind } from "@/server/capabilities/sandbox/inspect-folder";
import type { Openings } from "@/server/capabilities/sandbox/openings";
import type { ShellResult } from "@/server/capabilities/shell/shell";

export type RunnerTask = {
  root: string;
  /** Paths of sockets on which the runner listens; a path that begins with NUL is abstract. */
  sockets: readonly string[];
  kinds: Record<string, Exclude<FileKind, null>>;
  openings: Partial<Openings>;
  /** Commands by name; `{port}` and `{pid}` become those of the runner. */
  commands: Record<string, string>;
};

export type RunnerAnswer = { status: SandboxStatus; user: number; results: Record<string, ShellResult> };

export type RunnerUser = { name: string; uid: number; gid: number } | null;

const root = path.resolve(import.meta.dirname, "../../..");

/** Bundles the runner into a folder that every user can read. */
export async function buildRunner(folder: string): Promise<string> {
  const outfile = path.join(folder, "boxed-runner.mjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "boxed-runner.ts")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    alias: { "server-only": path.join(import.meta.dirname, "../server-only.ts") },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    tsconfig: path.join(root, "tsconfig.json"),
    logLevel: "error",
  });
  return outfile;
}

/** Starts the runner as a user, null for our own; its environment is only the given one. */
export function startRunner(
  runner: string,
  task: RunnerTask,
  { user, environment, program = process.execPath }: { user: RunnerUser; environment: Record<string, string>; program?: string },
): ChildProcess {
  return spawn(program, [runner, JSON.stringify(task)], {
    cwd: path.dirname(runner),
    env: { PATH: "/usr/bin:/bin", ...environment } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
}

/** Runs the commands of a task and returns their results. */
export async function runBoxed(...given: Parameters<typeof startRunner>): Promise<RunnerAnswer> {
  const child = startRunner(...given);
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error("The runner has no output");
  const [answer, complaint] = await Promise.all([text(stdout), text(stderr)]);
  try {
    return JSON.parse(answer);
  } catch {
    throw new Error(`The runner answered nothing: ${complaint}`);
  }
}
