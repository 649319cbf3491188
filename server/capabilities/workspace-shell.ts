import "server-only";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants as fileFlags } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { AppError, messageOf } from "@/server/platform/errors";
import { endProcesses, familyOf } from "./processes";
import { killGraceMs, ownedMark, trackCommand } from "./running-commands";
import type { ShellCapability } from "./shell";
import { atPlace } from "./workspace-path";

const leftoverGraceMs = 500;
const maxOutputBytes = 50_000_000;
const outputCheckMs = 50;
// The kernel takes at most 128 KiB in one argument.
const maxCommandBytes = 120_000;

/** A shell whose commands start in `root`, with nothing of our own environment but what is listed here. */
export function workspaceShell(root: string): ShellCapability {
  return {
    async run(command, { timeoutMs, signal, maxBytesPerStream, cwd = "." }) {
      assertCommand(command);
      const folder = await folderPath(root, cwd);
      const outputs = await openOutputs();
      try {
        signal.throwIfAborted();
        const mark = ownedMark();
        const child = spawn("/bin/sh", ["-c", command], {
          cwd: folder,
          env: environmentFor(root, mark),
          // A session of its own: no terminal, and one group to end.
          detached: true,
          stdio: ["ignore", outputs.stdout.fd, outputs.stderr.fd],
        });
        const ending = await endOf(child, { timeoutMs, signal, outputs }, `${mark.name}=${mark.value}`);
        if (ending.kind === "aborted") signal.throwIfAborted();
        const [stdout, stderr] = await Promise.all([textOf(outputs.stdout, maxBytesPerStream), textOf(outputs.stderr, maxBytesPerStream)]);
        return {
          exitCode: ending.kind === "exited" ? ending.exitCode : ending.kind === "flooded" ? signalExitCode("SIGTERM") : -1,
          stdout,
          stderr,
          timedOut: ending.kind === "timed_out",
          ...(ending.kind === "flooded" ? { stoppedForOutput: true } : {}),
        };
      } finally {
        await Promise.all([outputs.stdout.close(), outputs.stderr.close()]);
      }
    },
  };
}

type Outputs = { stdout: FileHandle; stderr: FileHandle };
type Ending = { kind: "exited"; exitCode: number } | { kind: "timed_out" } | { kind: "aborted" } | { kind: "flooded" };

type Limits = { timeoutMs: number; signal: AbortSignal; outputs: Outputs };

/** Waits for a command's end, brings it about when it is time, and leaves nothing of it running. */
async function endOf(child: ChildProcess, limits: Limits, mark: string): Promise<Ending> {
  if (child.pid === undefined) return firstEnding(child, limits);
  const family = familyOf(child.pid, mark);
  const forget = trackCommand(family);
  try {
    const ending = await firstEnding(child, limits);
    await endProcesses(family, { graceMs: ending.kind === "exited" ? leftoverGraceMs : killGraceMs });
    return ending;
  } finally {
    forget();
  }
}

/** What comes first: the command's end, its time limit, the caller's abort, or too much output. */
async function firstEnding(child: ChildProcess, { timeoutMs, signal, outputs }: Limits): Promise<Ending> {
  const { promise, resolve, reject } = Promise.withResolvers<Ending>();
  const onAbort = () => resolve({ kind: "aborted" });
  const timer = setTimeout(() => resolve({ kind: "timed_out" }), timeoutMs);
  const watch = setInterval(async () => {
    const sizes = await Promise.all([outputs.stdout.stat(), outputs.stderr.stat()]).catch(() => []);
    if (sizes.some(({ size }) => size > maxOutputBytes)) resolve({ kind: "flooded" });
  }, outputCheckMs);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  child.once("exit", (code, killedBy) => resolve({ kind: "exited", exitCode: code ?? signalExitCode(killedBy) }));
  child.once("error", (error) =>
    reject(new AppError("unavailable", `The command could not be started: ${messageOf(error)}. Try again, or a simpler command.`)),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener("abort", onAbort);
  }
}

function assertCommand(command: string): void {
  if (command.trim() === "") throw new AppError("invalid", "The command is empty. Send what /bin/sh should run.");
  if (command.includes("\0")) throw new AppError("invalid", "The command contains a NUL character. Send it without.");
  if (Buffer.byteLength(command) > maxCommandBytes) {
    throw new AppError(
      "too_large",
      `The command is longer than ${maxCommandBytes.toLocaleString("en")} bytes. Write it to a file with write_file and run that.`,
    );
  }
}

async function folderPath(root: string, cwd: string): Promise<string> {
  return atPlace(root, cwd, {}, async ({ folder, name, stats }) => {
    if (!stats) throw new AppError("not_found", `There is no folder ${cwd} in the workspace. Create it first, or leave cwd out.`);
    if (!stats.isDirectory()) throw new AppError("invalid", `${cwd} is not a folder. Name a folder, or leave cwd out.`);
    return path.join(folder.path, name);
  });
}

/**
 * Files for what a command prints, so that a flood never fills our memory. They have no name: when the last process that
 * writes to them is gone, so are they, even if we are killed meanwhile.
 */
async function openOutputs(): Promise<Outputs> {
  const stdout = await openNameless();
  try {
    return { stdout, stderr: await openNameless() };
  } catch (error) {
    await stdout.close();
    throw error;
  }
}

async function openNameless(): Promise<FileHandle> {
  const file = path.join(tmpdir(), `handrail-output-${randomUUID()}`);
  const { O_RDWR, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW } = fileFlags;
  const handle = await open(file, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0o600);
  await unlink(file);
  return handle;
}

/** Names that a command may inherit. Everything else of our environment (keys, database, proxies) stays with us. */
const inherited = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"] as const;

function environmentFor(root: string, mark: { name: string; value: string }): NodeJS.ProcessEnv {
  const taken = Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  const environment: Record<string, string | undefined> = {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    LANG: "C.UTF-8",
    ...taken,
    HOME: root,
    TERM: "dumb",
    PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    [mark.name]: mark.value,
  };
  // Next's types want NODE_ENV in every environment; a command gets none, or npm would leave packages out.
  return environment as NodeJS.ProcessEnv;
}

/** The beginning of an output as text, never cut inside a character. */
async function textOf(file: FileHandle, maxBytes: number): Promise<string> {
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(size, maxBytes));
  const { bytesRead } = await file.read(buffer, 0, buffer.byteLength, 0);
  const bytes = buffer.subarray(0, bytesRead);
  if (size <= maxBytes) return decode(bytes);
  return `${decode(bytes, { stream: true })}\n... [output truncated, exceeds ${maxBytes} byte limit]`;
}

/** Bytes that are not UTF-8 become U+FFFD; with `stream`, a character that was cut off at the end is left out. */
function decode(bytes: Uint8Array, options?: { stream: boolean }): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, options);
}

/** What a shell reports for a process that a signal ended. */
function signalExitCode(name: NodeJS.Signals | null): number {
  return 128 + (name ? constants.signals[name] : 0);
}
