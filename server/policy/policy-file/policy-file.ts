import "server-only";
import { readFileSync, statSync, watch } from "node:fs";
import path from "node:path";
import { StartError } from "@/db/start-error";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { env } from "@/server/platform/env";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { type PolicyFile, type PolicyFileMistake, readPolicyFile } from "./read-policy-file";

/** The policy file of this process: its last usable content, and the mistake in its present content. */
export type PolicyFileState = {
  /** Absolute. */
  path: string;
  file: PolicyFile;
  readAt: Date;
  mistake: (PolicyFileMistake & { at: Date }) | null;
};

const maxBytes = 4 * 1_048_576;
/** Polling interval, which finds changes that the file system watcher missed. */
const pollMs = 2_000;
/** Pause before a changed file is read, because editors write a file in several steps. */
const settleMs = 20;

/**
 * Returns the policy file, read at the first call; null when none is configured.
 * @throws StartError when the first read fails, because the policy must not hold without its file
 */
export function policyFile(): PolicyFileState | null {
  const { policyFile: file } = env();
  return file === null ? null : processWide("guard.policyFile", () => firstState(file));
}

function firstState(file: string): PolicyFileState {
  const readAt = sharedNow();
  const read = readFrom(file, readAt);
  if ("mistake" in read) throw new StartError(`HANDRAIL_POLICY_FILE cannot be used: ${describePolicyFileMistake(file, read.mistake)}`);
  return { path: file, file: read.file, readAt, mistake: null };
}

function readFrom(file: string, readAt: Date): ReturnType<typeof readPolicyFile> {
  try {
    if (statSync(file).size > maxBytes) {
      return { mistake: { message: `it has more than ${maxBytes.toLocaleString("en")} bytes`, line: null, column: null } };
    }
    return readPolicyFile(readFileSync(file, "utf8"), readAt);
  } catch (error) {
    return { mistake: { message: `it cannot be read (${toErrorMessage(error)})`, line: null, column: null } };
  }
}

/** Describes a mistake with its position: "policy.yaml, line 3, column 5: ..." */
export function describePolicyFileMistake(file: string, { message, line, column }: PolicyFileMistake): string {
  const where = line === null ? "" : `, line ${line}, column ${column}`;
  return `${path.basename(file)}${where}: ${message}`;
}

/**
 * Reads the policy file again whenever it changes. While the file is unusable, its last usable rules stay in force, and
 * the state and the log have the mistake.
 * @param onChange called after the rules have changed
 * @returns a function that stops watching
 */
export function watchPolicyFile(onChange: () => void): () => void {
  const state = policyFile();
  if (state === null) return () => {};
  let lastLook = fingerprintOf(state.path);
  const look = () => {
    lastLook = fingerprintOf(state.path);
    if (readAgain(state)) onChange();
  };
  let settling: NodeJS.Timeout | null = null;
  const lookSoon = () => {
    settling ??= setTimeout(() => {
      settling = null;
      look();
    }, settleMs).unref();
  };
  // The watcher is on the folder, because editors and orchestrators replace the file by another one.
  const watcher = watch(path.dirname(state.path), { persistent: false }, lookSoon);
  watcher.on("error", (error) => log().warn({ err: error }, "the policy file's folder cannot be watched; the file is looked at every 2 s"));
  const poll = setInterval(() => {
    if (fingerprintOf(state.path) !== lastLook) look();
  }, pollMs).unref();
  return () => {
    watcher.close();
    clearInterval(poll);
    if (settling) clearTimeout(settling);
  };
}

function fingerprintOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return "gone";
  }
}

/** Reads the file again. @returns whether its rules changed */
function readAgain(state: PolicyFileState): boolean {
  const at = sharedNow();
  const read = readFrom(state.path, at);
  if ("mistake" in read) {
    const isNews = state.mistake?.message !== read.mistake.message || state.mistake.line !== read.mistake.line;
    state.mistake = isNews ? { ...read.mistake, at } : state.mistake;
    if (isNews)
      log().error(`The policy file cannot be used, so its last good rules go on: ${describePolicyFileMistake(state.path, read.mistake)}`);
    return false;
  }
  if (state.mistake) log().info("the policy file can be used again");
  state.mistake = null;
  if (read.file.digest === state.file.digest) return false;
  state.file = read.file;
  state.readAt = at;
  log().info({ rules: read.file.rules.length, digest: read.file.digest.slice(0, 12) }, "the policy file changed");
  return true;
}
