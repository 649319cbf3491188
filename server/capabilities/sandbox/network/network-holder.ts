import "server-only";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { AppError } from "@/server/platform/errors";
import { bubblewrap, systemProgram } from "../bubblewrap";

/** A process that keeps a network namespace alive while no other process is in it. */
export type NetworkHolder = {
  /** Words in front of a program that start it in the namespace. */
  enter: readonly string[];
  /** A process in the namespace, as our own PID namespace sees it. */
  pid: number;
  /** Settles when the holder ends, for any reason. */
  ended: Promise<void>;
  /** Returns true when another process than the holder is in the namespace. */
  isUsed(): Promise<boolean>;
  end(): Promise<void>;
};

const startMilliseconds = 5_000;
const endMilliseconds = 1_000;
const capSysAdmin = 21n;

/**
 * Starts a process in a new network namespace, whose only device is the loopback device, which is up. The process ends
 * with ours, even after a SIGKILL: its input closes, and the kernel kills it (`--die-with-parent`).
 * @throws AppError `unavailable` where the system refuses
 */
export async function startNetworkHolder(): Promise<NetworkHolder> {
  const namespaces = ["--unshare-user", "--unshare-net", "--unshare-pid", "--unshare-ipc"];
  const confinement = ["--as-pid-1", "--die-with-parent", "--new-session", "--cap-drop", "ALL"];
  const args = [...namespaces, ...confinement, "--info-fd", "3", "--ro-bind", "/", "/", "--chdir", "/", "cat"];
  const program = bubblewrap()?.program;
  if (!program)
    throw new AppError(
      "unavailable",
      "A network for this conversation cannot be made: bubblewrap is not installed. Ask an admin to install it.",
    );
  const child = spawn(program, args, { env: pathOnly(), stdio: ["pipe", "pipe", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  // `cat` ends with its input. If `cat` does not end, SIGKILL ends bubblewrap, and `cat` with it.
  const end = async () => {
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), endMilliseconds);
    await ended;
    clearTimeout(timer);
  };
  // The child must not keep this process alive.
  child.unref();
  for (const stream of child.stdio) if (stream && "unref" in stream && typeof stream.unref === "function") stream.unref();
  try {
    const pid = await startedPid(child);
    const namespace = await readlink(`/proc/${pid}/ns/net`);
    return {
      enter: await entranceOf(pid),
      pid,
      ended,
      isUsed: () => hasMember(namespace, pid),
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Waits until the program runs. Then the namespace is complete; returns the pid as our own namespace sees it. */
async function startedPid(child: ChildProcess): Promise<number> {
  const { stdin, stdout, stderr, stdio } = child;
  const info = stdio[3];
  if (!stdin || !stdout || !stderr || !info || !("on" in info)) throw new Error("The holder was started without its pipes");
  let errors = "";
  stderr.on("data", (chunk) => {
    errors = (errors + chunk).slice(-1_000);
  });
  for (const stream of [stdin, stdout, stderr, info]) stream.on("error", () => {});
  // `cat` echoes the line as soon as it runs.
  stdin.write("ready\n");
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    const fail = (reason: string) =>
      reject(new AppError("unavailable", `A network of the sandbox could not be made: ${reason}. Try again, or run it without a network.`));
    timer = setTimeout(() => fail("bubblewrap did not start in time"), startMilliseconds);
    child.once("error", (error) => fail(error.message));
    child.once("close", () => fail(errors.trim() || "bubblewrap ended"));
  });
  try {
    const [told] = await Promise.race([Promise.all([text(info as Readable), once(stdout, "data")]), failed]);
    const { "child-pid": pid } = JSON.parse(told) as { "child-pid": number };
    return pid;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the words that enter the namespaces. With CAP_SYS_ADMIN the network namespace is entered directly. Without it,
 * nsenter enters the user namespace first, because its creator has all capabilities inside.
 */
async function entranceOf(pid: number): Promise<readonly string[]> {
  const nsenter = systemProgram("nsenter");
  if (!nsenter)
    throw new AppError("unavailable", "A network cannot be entered: nsenter is not installed. Ask an admin to install util-linux.");
  const status = await readFile("/proc/self/status", "utf8");
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`);
  const mayEnter = ((effective >> capSysAdmin) & 1n) === 1n;
  return mayEnter ? [nsenter, `--net=/proc/${pid}/ns/net`] : [nsenter, "-U", "-n", "--preserve-credentials", "-t", `${pid}`];
}

async function hasMember(namespace: string, except: number): Promise<boolean> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => Number.isInteger(pid) && pid !== except);
  for (const pid of pids) {
    if ((await readlink(`/proc/${pid}/ns/net`).catch(() => null)) === namespace) return true;
  }
  return false;
}

/** Returns an environment with PATH and NODE_ENV only. */
export const pathOnly = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV });
