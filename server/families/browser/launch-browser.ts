import "server-only";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { boxedProgram } from "@/server/capabilities/sandbox/boxed-program";
import { innerEnvironment } from "@/server/capabilities/sandbox/inner-environment";
import { noOpenings } from "@/server/capabilities/sandbox/openings";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { removeTemporaryFolder } from "@/server/capabilities/sandbox/temporary-folder";
import { env } from "@/server/platform/env";
import { AppError, isAppError, toErrorMessage } from "@/server/platform/errors";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { isReplicaGone } from "@/server/replicas/presence";
import { browserFlags } from "./browser-flags";
import { type BrowserNetwork, boxedNetwork, plainNetwork, type Reach } from "./browser-network";
import { type BrowserProgram, browserProgram } from "./find-program";

/** A running browser with a profile folder and a network of its own. */
export type LaunchedBrowser = {
  browser: Browser;
  network: BrowserNetwork;
  isConfined: boolean;
  /** Folder into which the browser writes downloads. */
  downloads: string;
  /** Ends the browser and removes its folder. */
  close(): Promise<void>;
};

type Options = Reach & {
  signal: AbortSignal;
  /** Time for the program to start. */
  startMs?: number;
};
type Program = Extract<BrowserProgram, { ok: true }>;
type Command = { file: string; args: string[]; env: Record<string, string>; release: () => void };

/** A slow or busy machine needs long to start a browser; the tool's own time limit is longer. */
const launchMs = 180_000;
/** Load per core above which a slow start is the machine's. */
const busyLoad = 1.5;
const bootIdLength = 36;

/** Folders of browsers, named by the replica that keeps them. Joined from names that the build cannot resolve. */
const folders = (): string => path.join(/* turbopackIgnore: true */ env().dataDir, "browsers");

/**
 * Starts a browser, in the sandbox where the machine has one.
 * @throws AppError when the machine has no browser, or the browser does not start
 */
export async function launchBrowser(options: Options): Promise<LaunchedBrowser> {
  const program = browserProgram();
  if (!program.ok) throw new AppError("unavailable", program.reason);
  try {
    return await launchProgram(program, options);
  } catch (error) {
    throw isAppError(error) && error.code === "unavailable"
      ? new AppError(error.code, `${error.message} Ask an admin to run npm run doctor.`)
      : error;
  }
}

/** Starts this program as `launchBrowser` does. @throws AppError with the reason why it does not start */
export async function launchProgram(program: Program, options: Options): Promise<LaunchedBrowser> {
  const { signal, startMs = launchMs } = options;
  const { isOn: isConfined } = sandboxStatus();
  const name = `${bootId()}-${randomUUID()}`;
  const key = `browser-${name}`;
  const folder = path.join(/* turbopackIgnore: true */ folders(), name);
  const downloads = path.join(/* turbopackIgnore: true */ folder, "downloads");
  await mkdir(downloads, { recursive: true, mode: 0o700 });
  const undo: (() => unknown)[] = [() => removeFolder(folder)];
  const undoAll = async () => {
    for (const step of undo.splice(0).reverse()) {
      await Promise.resolve(step()).catch((error) => log().warn({ reason: toErrorMessage(error) }, "a browser was not cleared away"));
    }
  };
  try {
    if (isConfined) undo.push(() => removeTemporaryFolder(key));
    const network = isConfined ? await boxedNetwork(key, options) : await plainNetwork(options);
    undo.push(network.close);
    const hasOwnSandbox = !isConfined && process.getuid?.() !== 0;
    const flags = browserFlags({ profile: `${folder}/profile`, proxy: network.server, hasOwnSandbox });
    const command = isConfined
      ? await boxedCommand(program, { folder, key, network, flags })
      : { file: program.file, args: flags, env: innerEnvironment(folder), release: () => {} };
    undo.push(command.release);
    const browser = await start(command, downloads, { signal, startMs });
    // Playwright resolves its close when the process has ended.
    undo.push(() => browser.close());
    return { browser, network, isConfined, downloads, close: undoAll };
  } catch (error) {
    await undoAll();
    throw error;
  }
}

async function start(
  { file, args, env }: Command,
  downloads: string,
  { signal, startMs }: { signal: AbortSignal; startMs: number },
): Promise<Browser> {
  // Loaded here, because most processes never start a browser.
  const { chromium } = await import("playwright-core");
  const stopped = new AbortController();
  try {
    const launching = chromium.launch({
      executablePath: file,
      ignoreDefaultArgs: true,
      args,
      env,
      artifactsDir: downloads,
      timeout: startMs,
      // Handrail ends its browsers itself, in order.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    const close = () => void launching.then((browser) => browser.close()).catch(() => {});
    signal.addEventListener("abort", close, { once: true, signal: stopped.signal });
    const browser = await launching;
    signal.throwIfAborted();
    return browser;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const reason = reasonIn(toErrorMessage(error));
    if (error instanceof Error && error.name === "TimeoutError") {
      const isBusy = (loadavg()[0] ?? 0) / availableParallelism() > busyLoad;
      const late = `The browser did not start within ${startMs / 1_000} s`;
      throw isBusy
        ? new AppError("timed_out", `${late}, because this machine is busy. Try again later.`)
        : new AppError("unavailable", `${late}.`);
    }
    log().warn({ reason }, "a browser did not start");
    throw new AppError("unavailable", `The browser did not start: ${reason}.`);
  } finally {
    // A later abort of this call must not close the browser, which outlives the call.
    stopped.abort();
  }
}

/** Returns the last line that the program wrote before it ended, or Playwright's first line. */
function reasonIn(message: string): string {
  const [logs = ""] = message.split("Call log:");
  const written = [...logs.matchAll(/\[err\] (.{1,300})/g)].map(([, line]) => line).at(-1);
  return (written ?? message.split("\n")[0] ?? "").trim().replace(/\.$/, "");
}

/** Keeps Playwright's pipes, 3 and 4, as 8 and 9: the sandbox uses the lower numbers for its own files. */
const keepPipes = 'exec 8<&3 9>&4; exec "$@"';
/** Gives the pipes to the browser under the numbers that it expects. */
const givePipes = 'exec "$@" 3<&8 4>&9 8<&- 9>&-';

async function boxedCommand(
  { file, folders }: Program,
  { folder, key, network, flags }: { folder: string; key: string; network: BrowserNetwork; flags: readonly string[] },
): Promise<Command> {
  const boxed = await boxedProgram(["/bin/sh", "-c", givePipes, "browser", file, ...flags], {
    root: folder,
    conversationId: key,
    isLongRunning: true,
    openings: { ...noOpenings, hosts: ["every public host"] },
    programFolders: folders,
    network: async () => ({
      enter: network.enter ?? [],
      // The browser has its proxy's address among its flags.
      proxy: async () => ({ url: network.server, environment: {}, troubles: () => [], close: () => {} }),
    }),
  });
  // Playwright passes no further files on; a folder without protected files needs none.
  if (boxed.descriptors.length > 0) throw new Error("The browser's sandbox wants files that it cannot be given");
  return {
    file: "/bin/sh",
    args: ["-c", keepPipes, "browser", boxed.command, ...boxed.args],
    env: boxed.env,
    release: boxed.release,
  };
}

const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });

/** Removes the folders of browsers whose replica is gone. */
export async function removeAbandonedProfiles(): Promise<void> {
  const names = await readdir(folders()).catch(() => []);
  for (const name of names) {
    const owner = name.slice(0, bootIdLength);
    if (owner !== bootId() && (await isReplicaGone(owner))) {
      await removeFolder(path.join(/* turbopackIgnore: true */ folders(), name));
      await removeTemporaryFolder(`browser-${name}`);
    }
  }
}
