import "server-only";
import type { ChildProcess } from "node:child_process";
import type { FileHandle } from "node:fs/promises";
import { constants } from "node:os";
import path from "node:path";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import { definePromptHint } from "@/server/platform/extension-points/prompt-hints";
import { log } from "@/server/platform/log";
import type { FinishCopies, KeepCopies } from "../keep-copies";
import { outsideEnvironment } from "../outside/outside-environment";
import { copyOutsideHome } from "../outside/outside-home";
import type { BoxedProgramOptions } from "../sandbox/boxed-program";
import { noOpenings, type Openings } from "../sandbox/openings";
import { sandboxStatus } from "../sandbox/sandbox-status";
import { atPlace } from "../workspace-path";
import { closeOutputs, type Outputs, openOutputs, readOutputText } from "./command-outputs";
import { type OutputState, watchOutput } from "./output-watch";
import { trackCommand } from "./running-commands";
import { openReport, readReport } from "./session-report";
import type { ShellCapability } from "./shell";
import { type CommandStart, type StartedCommand, startBoxed, startOutside } from "./started-command";
import { openTerminal, type Terminal } from "./terminal";

/** A command is too long. */
export const longCommand = definePromptHint("long_command");

const maxOutputBytes = 50_000_000;
const outputCheckMs = 50;
// The kernel limits one argument to 128 KiB.
const maxCommandBytes = 120_000;

/** Messages of programs that need the network, in a sandbox without one. */
const networkFailure =
  /could not resolve (host|proxy)|failure in name resolution|name or service not known|EAI_AGAIN|ENOTFOUND|ENETUNREACH|network is unreachable|failed to establish a new connection|dial tcp: lookup|no such host|unable to resolve host|failed to lookup address/i;

/** Messages of programs that fail to change a read-only file, or to remove or rename a mount. */
const readOnlyFailure = /read-only file ?system|device or resource busy|EROFS|EBUSY/i;

function refusedIn(output: string, { refused }: Pick<Openings, "refused"> = noOpenings): { refusedPaths?: readonly string[] } {
  return refused.length > 0 && readOnlyFailure.test(output) ? { refusedPaths: refused } : {};
}

export type WorkspaceShellOptions = Pick<
  BoxedProgramOptions,
  "conversationId" | "openings" | "classify" | "network" | "isLongRunning" | "programFolders"
> & {
  keepCopies?: KeepCopies;
};

/**
 * Returns a shell whose commands start in `root`, with only a short list of our environment. Commands run in the sandbox
 * if this machine has one, with these openings.
 */
export function workspaceShell(root: string, { keepCopies = keepNone, ...options }: WorkspaceShellOptions = {}): ShellCapability {
  return {
    async run(
      command,
      { timeoutMs, signal, maxBytesPerStream, cwd = ".", environment = {}, reportsSession = false, pty = false, onOutput },
    ) {
      assertCommand(command);
      const folder = await folderPath(root, cwd);
      const outputs = await openOutputs();
      const report = reportsSession ? await openReport() : undefined;
      let finishCopies: FinishCopies | null = null;
      try {
        signal.throwIfAborted();
        const copies = await keepCopies();
        // The command has run by then, so a record that fails must not take its output.
        finishCopies = () =>
          copies().catch((error) => {
            log().warn({ err: error }, "the files that a command changed could not be recorded");
            return [];
          });
        const terminal = pty ? openTerminal() : null;
        const drawn = terminal ? copyTo(outputs.stdout, terminal) : null;
        const started = await startCommand(
          { command, folder, ...streamsOf(outputs, terminal), ...(report ? { report } : {}) },
          { root, ...options, environment },
        ).finally(() => terminal?.started());
        const ending = await endOf(started, { timeoutMs, signal, outputs, ...(onOutput ? { onOutput } : {}) });
        await drawn;
        const changedFiles = await finishCopies();
        finishCopies = null;
        if (ending.kind === "aborted") signal.throwIfAborted();
        const [stdout, stderr] = await Promise.all([
          readOutputText(outputs.stdout, maxBytesPerStream),
          readOutputText(outputs.stderr, maxBytesPerStream),
        ]);
        if (ending.kind === "exited" && ending.exitCode !== 0 && (await started.failedToStart()) && stderr.startsWith("bwrap: ")) {
          throw new AppError(
            "unavailable",
            `The sandbox could not be made (${stderr.slice(7).trim()}), so the command did not run. Try again.`,
          );
        }
        const session = report && ending.kind === "exited" ? await readReport(report, root, started.environment) : null;
        const exitCode = ending.kind === "exited" ? ending.exitCode : ending.kind === "flooded" ? signalExitCode("SIGTERM") : -1;
        return {
          exitCode,
          stdout,
          stderr,
          timedOut: ending.kind === "timed_out",
          ...(session ? { session } : {}),
          ...(ending.kind === "flooded" ? { stoppedForOutput: true } : {}),
          ...(exitCode !== 0 && started.hasNoNetwork && networkFailure.test(`${stderr}\n${stdout}`) ? { missedNetwork: true } : {}),
          ...(started.networkTroubles().length > 0 ? { networkTroubles: started.networkTroubles() } : {}),
          ...refusedIn(`${stderr}\n${stdout}`, options.openings),
          ...(started.heldFiles().length > 0 ? { heldFiles: started.heldFiles() } : {}),
          ...(changedFiles.length > 0 ? { changedFiles } : {}),
        };
      } finally {
        await finishCopies?.();
        await closeOutputs(outputs);
        await report?.file.close();
      }
    },
  };
}

const keepNone: KeepCopies = async () => async () => [];

function streamsOf(
  { stdout, stderr }: Outputs,
  terminal: Terminal | null,
): Pick<CommandStart, "input" | "output" | "errors" | "hasTerminal"> {
  if (!terminal) return { input: "ignore", output: stdout.fd, errors: stderr.fd };
  return { input: terminal.slave, output: terminal.slave, errors: terminal.slave, hasTerminal: true };
}

/** Copies what a command prints to its terminal into a file; resolves when no process has the terminal open. */
async function copyTo(file: FileHandle, { master }: Terminal): Promise<void> {
  try {
    for await (const chunk of master) await file.appendFile(chunk);
  } catch {
    // Linux reports the end of a terminal as an error (EIO).
  }
}

/** Starts the command in the sandbox, unless there is none or an opening allows the host. */
export async function startCommand(given: CommandStart, options: BoxedProgramOptions): Promise<StartedCommand> {
  const { isOn, setting } = sandboxStatus();
  const { host } = options.openings ?? noOpenings;
  if (host && setting === "required") {
    throw new AppError(
      "forbidden",
      "The command needs to run outside the sandbox, and HANDRAIL_SANDBOX=required refuses that. Find another way.",
    );
  }
  if (setting === "required" && !isOn) {
    throw new AppError(
      "unavailable",
      "Commands do not run here: HANDRAIL_SANDBOX is required, and this machine has no sandbox. Ask an admin to set it up.",
    );
  }
  if (isOn && host) return startInBarePlace(given);
  return isOn ? startBoxed(given, options) : startOutside(given, { ...environmentFor(options.root), ...options.environment });
}

/** Starts a command that leaves the sandbox, with a HOME of its own and nothing of the conversation's variables. */
async function startInBarePlace({ report: _report, ...given }: CommandStart): Promise<StartedCommand> {
  const home = await copyOutsideHome();
  try {
    const started = startOutside(given, outsideEnvironment(home.folder));
    return { ...started, end: () => started.end().finally(home.remove) };
  } catch (error) {
    await home.remove();
    throw error;
  }
}

type Ending = { kind: "exited"; exitCode: number } | { kind: "timed_out" } | { kind: "aborted" } | { kind: "flooded" };

type Limits = { timeoutMs: number; signal: AbortSignal; outputs: Outputs; onOutput?: (state: OutputState) => void };

/** Waits for a command's end, forces the end at a limit, and leaves no process running. */
async function endOf(started: StartedCommand, limits: Limits): Promise<Ending> {
  const forget = trackCommand(started);
  try {
    return await firstEnding(started.child, limits);
  } finally {
    await started.end();
    forget();
  }
}

/** Resolves with the first event: the command's end, its time limit, the caller's abort, or too much output. */
async function firstEnding(child: ChildProcess, { timeoutMs, signal, outputs, onOutput }: Limits): Promise<Ending> {
  const { promise, resolve, reject } = Promise.withResolvers<Ending>();
  const onAbort = () => resolve({ kind: "aborted" });
  const timer = setTimeout(() => resolve({ kind: "timed_out" }), timeoutMs);
  const tell = onOutput && watchOutput(outputs, onOutput);
  const look = async () => {
    const [stdout, stderr] = await Promise.all([outputs.stdout.stat(), outputs.stderr.stat()]);
    if (Math.max(stdout.size, stderr.size) > maxOutputBytes) resolve({ kind: "flooded" });
    await tell?.([stdout.size, stderr.size]);
  };
  // The files may be closed during a look, because the command ended.
  const watch = setInterval(() => void look().catch(() => {}), outputCheckMs);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  child.once("exit", (code, killedBy) => resolve({ kind: "exited", exitCode: code ?? signalExitCode(killedBy) }));
  child.once("error", (error) =>
    reject(new AppError("unavailable", `The command could not be started: ${toErrorMessage(error)}. Try again, or a simpler command.`)),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener("abort", onAbort);
  }
}

/** @throws AppError for a command that cannot be run */
export function assertCommand(command: string): void {
  if (command.trim() === "") throw new AppError("invalid", "The command is empty. Send what the shell should run.");
  if (command.includes("\0")) throw new AppError("invalid", "The command contains a NUL character. Send it without.");
  if (Buffer.byteLength(command) > maxCommandBytes) {
    throw new AppError(
      "too_large",
      `The command is longer than ${maxCommandBytes.toLocaleString("en")} bytes. ${longCommand.text()}`.trimEnd(),
    );
  }
}

/** Returns the real path of a folder of the workspace. @throws AppError */
export async function folderPath(root: string, cwd: string): Promise<string> {
  return atPlace(root, cwd, {}, async ({ folder, name, stats }) => {
    if (!stats) throw new AppError("not_found", `There is no folder ${cwd} in the workspace. Create it first, or leave cwd out.`);
    if (!stats.isDirectory()) throw new AppError("invalid", `${cwd} is not a folder. Name a folder, or leave cwd out.`);
    return path.join(folder.path, name);
  });
}

/** Variables that a command may inherit. The rest of our environment (keys, database, proxies) stays with us. */
const inherited = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"] as const;

function environmentFor(root: string): Record<string, string> {
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    LANG: "C.UTF-8",
    ...Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    HOME: root,
    TERM: "dumb",
    PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** Returns the exit code that a shell reports for a signal. */
export function signalExitCode(name: NodeJS.Signals | null): number {
  return 128 + (name ? constants.signals[name] : 0);
}
