import "server-only";
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { constants, setPriority } from "node:os";
import type { Readable } from "node:stream";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import { isolation } from "../sandbox/box";
import { filterDescriptor } from "../sandbox/boxed-program";
import { bubblewrap } from "../sandbox/bubblewrap";
import { limitingWords } from "../sandbox/resource-limits";
import { sandboxStatus } from "../sandbox/sandbox-status";
import { systemFolder } from "../sandbox/system-folder";

type Options = {
  /** Real absolute path of the searched folder, which is ripgrep's working folder. */
  folder: string;
  signal: AbortSignal;
  /** Input that ripgrep searches instead of files. */
  input?: AsyncIterable<Uint8Array>;
};

const maxErrorBytes = 4_096;

/** Ripgrep ignores the machine's settings, does not follow links, and does not use mmap. */
const always = ["--no-config", "--no-messages", "--no-follow", "--no-mmap", "--color", "never", "--engine", "default"];
const limits = ["--regex-size-limit", "10M", "--dfa-size-limit", "50M"];

/**
 * Runs ripgrep as a process and yields its output as it arrives. Leaving the loop ends the process. In the sandbox
 * ripgrep sees only the folder, read-only, so a folder that is swapped for a link leads nowhere. Without a sandbox the
 * swap gains nothing, because a command can read every file itself.
 * @throws AppError `invalid` for a pattern or a glob that ripgrep cannot parse
 */
export async function* ripgrep(args: readonly string[], options: Options): AsyncGenerator<Buffer, void> {
  options.signal.throwIfAborted();
  const child = start(await program(), [...always, ...limits, ...args], options);
  const ended = endOf(child);
  ended.catch(() => {});
  const errors = firstBytes(child.stderr as Readable);
  const stop = () => child.kill("SIGKILL");
  options.signal.addEventListener("abort", stop, { once: true });
  const fed = options.input ? feed(child, options.input) : null;
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    const exitCode = await ended;
    options.signal.throwIfAborted();
    const inputError = await fed;
    if (inputError) throw inputError;
    const said = await errors;
    // Exit code 1: no match. Exit code 2 without a message: a file could not be read.
    if (exitCode === null || exitCode > 2 || said !== "") throw failure(said);
  } finally {
    options.signal.removeEventListener("abort", stop);
    stop();
  }
}

/** Returns the path of ripgrep, which comes as one npm package per platform; null when it is not installed. */
export const findRipgrep = (): Promise<string | null> =>
  processWide("ripgrep", () => import("@vscode/ripgrep").then(({ rgPath }) => rgPath).catch(() => null));

async function program(): Promise<string> {
  const found = await findRipgrep();
  if (found) return found;
  throw new AppError(
    "unavailable",
    `Searching needs the package @vscode/ripgrep-${process.platform}-${process.arch}, which is not installed. Ask an admin to run npm install.`,
  );
}

function start(ripgrepPath: string, args: readonly string[], options: Options): ChildProcess {
  const child = spawned(ripgrepPath, args, options);
  try {
    // A search takes every processor, and other conversations must not wait for it.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended already, or the system allows no change.
  }
  return child;
}

function spawned(ripgrepPath: string, args: readonly string[], { folder, input }: Options): ChildProcess {
  const stdio = [input ? "pipe" : "ignore", "pipe", "pipe"] as const;
  // Next's types require NODE_ENV in every environment.
  const env = {} as NodeJS.ProcessEnv;
  const box = sandboxStatus().isOn ? bubblewrap() : null;
  if (!box) return spawn(ripgrepPath, args, { cwd: folder, env, stdio: [...stdio] });
  const { filter } = systemFolder();
  const opened = filter ? openSync(filter, "r") : null;
  // Ripgrep is one static file, so its box holds only this file and the folder.
  const words = [
    ...limitingWords({ isOutside: true }),
    box.program,
    ...isolation({ keepsNetwork: false }, box),
    ...(opened === null ? [] : ["--seccomp", String(filterDescriptor)]),
    ...["--ro-bind", ripgrepPath, "/rg", "--ro-bind", folder, "/folder", "--remount-ro", "/", "--chdir", "/folder"],
    ...["--", "/rg", ...args],
  ];
  try {
    return spawn(words[0] as string, words.slice(1), { cwd: "/", env, stdio: [...stdio, opened ?? "ignore"] });
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

/**
 * Writes the input to ripgrep until ripgrep ends.
 * @returns the error that broke off the input; null without an error
 */
async function feed(child: ChildProcess, input: AsyncIterable<Uint8Array>): Promise<Error | null> {
  const { stdin } = child;
  if (!stdin) return null;
  stdin.on("error", () => {});
  try {
    for await (const chunk of input) {
      if (stdin.destroyed) return null;
      if (!stdin.write(chunk)) await new Promise<void>((resolve) => stdin.once("drain", resolve).once("close", resolve));
    }
    stdin.end();
    return null;
  } catch (error) {
    child.kill("SIGKILL");
    return error instanceof Error ? error : new Error(String(error));
  }
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) =>
      reject(new AppError("unavailable", `The search could not be started: ${toErrorMessage(error)}. Try again.`)),
    );
    child.once("close", (code) => resolve(code));
  });
}

async function firstBytes(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) if (text.length < maxErrorBytes) text += String(chunk);
  return text.slice(0, maxErrorBytes).toWellFormed();
}

/** Turns ripgrep's errors into an AppError. They concern only the query, because messages about files are switched off. */
function failure(errors: string): AppError {
  const said = errors.replace(/^rg: /, "").trim();
  const glob = /error parsing glob '(.*?)': (.*)/s.exec(said);
  if (glob) {
    const why = (glob[2] ?? "").split(/[;(]/)[0]?.trim();
    return new AppError("invalid", `The glob ${glob[1]} cannot be read: ${why}. Send one such as *.ts or src/**/*.{ts,tsx}.`);
  }
  if (/^regex parse error|regex|pattern|literal/.test(said)) {
    const why = /error: (.*)/s.exec(said)?.[1]?.split("\n")[0] ?? said.split("\n").at(-1);
    return new AppError(
      "invalid",
      `The query is not a regular expression that can be used: ${why}. Look-around and back-references do not exist here; regex: false searches plain text.`,
    );
  }
  return new AppError(
    "unavailable",
    `The search broke off${said === "" ? "" : `: ${said.split("\n")[0]}`}. Try again, or search in a smaller folder.`,
  );
}
