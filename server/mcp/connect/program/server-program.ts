import "server-only";
import { existsSync } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { boxedProgram } from "@/server/capabilities/sandbox/boxed-program";
import { conversationNetwork, endConversationNetwork } from "@/server/capabilities/sandbox/network/conversation-network";
import { noOpenings } from "@/server/capabilities/sandbox/openings";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { removeTemporaryFolder } from "@/server/capabilities/sandbox/temporary-folder";
import { AppError } from "@/server/platform/errors";
import type { SecretValues } from "../settings/secret-values";
import type { ServerSettings } from "../settings/server-settings";
import { certificateVariables, childEnvironment } from "./child-environment";
import { makeServerFolder, type ServerFolder } from "./server-folder";

/** The program of a stdio server, ready to be started. */
export type ServerProgram = {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  /** Open files of Handrail that the program inherits, the first as number 5. */
  descriptors: readonly number[];
  isBoxed: boolean;
  /** Closes Handrail's copies of the inherited files; called after the start. */
  started(): void;
  /** Releases the program's resources; called after the program has ended. */
  release(): Promise<void>;
};

const howToAsk = "Add it to the allowed hosts of this MCP server.";

/**
 * Prepares the program of a stdio server: in the sandbox when one is available, with its own folder as HOME.
 * @param resolved the program's environment, references filled in
 * @throws AppError when the working folder does not exist, or the sandbox cannot be made
 */
export async function serverProgram(settings: ServerSettings, resolved: SecretValues): Promise<ServerProgram> {
  const { command, args, cwd } = settings;
  if (!command) throw new AppError("invalid", "There is no command to start the server with.");
  const isFolder = cwd
    ? await stat(cwd)
        .then((stats) => stats.isDirectory())
        .catch(() => false)
    : true;
  if (!isFolder) throw new AppError("invalid", `The working folder ${cwd} does not exist.`);
  const { isIsolated = false } = settings;
  const own = await makeServerFolder(isIsolated ? null : settings.id);
  const release = async () => {
    if (!own.isTrial) return;
    await endConversationNetwork(own.key);
    await removeTemporaryFolder(own.key);
    await rm(own.folder, { recursive: true, force: true });
  };
  try {
    if (sandboxStatus().isOn) return await boxed(settings, resolved, own, release);
  } catch (error) {
    await release();
    throw error;
  }
  const caches = isIsolated && settings.id ? await sharedCaches(settings.id) : {};
  const environment = childEnvironment({ ...caches, ...resolved }, process.env);
  return { command, args, env: environment, cwd: cwd ?? own.folder, descriptors: [], isBoxed: false, started: () => {}, release };
}

/**
 * Package caches that the sessions of one server share, because each session would otherwise download the program again. Only
 * without the sandbox, which opens no folder of Handrail except the session's own.
 */
async function sharedCaches(serverId: string): Promise<Record<string, string>> {
  const { folder } = await makeServerFolder(serverId);
  const caches = { npm_config_cache: path.join(folder, ".npm"), UV_CACHE_DIR: path.join(folder, ".cache", "uv") };
  for (const cache of Object.values(caches)) await mkdir(cache, { recursive: true, mode: 0o700 });
  return caches;
}

/** Returns why the program of a stdio server runs without the sandbox; null when the program runs in the sandbox. */
export function unconfinedSentence(transport: ServerSettings["transport"]): string | null {
  const { isOn, sentence } = sandboxStatus();
  return transport === "stdio" && !isOn ? `This server's program is not confined. ${sentence}` : null;
}

async function boxed(
  settings: ServerSettings,
  resolved: SecretValues,
  own: ServerFolder,
  release: () => Promise<void>,
): Promise<ServerProgram> {
  const { command, args, cwd, network } = settings;
  const certificates = certificateVariables(process.env);
  const { readOnly, writable } = await openedByArguments([...args], cwd ?? null);
  const program = await boxedProgram([command ?? "", ...args], {
    root: own.folder,
    cwd: cwd ?? own.folder,
    environment: { ...certificates, ...resolved },
    isLongRunning: true,
    openings: {
      ...noOpenings,
      readable: [...Object.values(certificates), ...namedPaths([command ?? ""]), ...readOnly],
      writable: [...(cwd ? [cwd] : []), ...writable, ...namedPaths(Object.values(resolved))],
      hosts: network === "none" ? [] : ["every host that the settings allow"],
    },
    ...(network === "none" ? {} : { conversationId: own.key, network: (key) => networkOf(key, settings) }),
  });
  return {
    ...program,
    cwd: "/",
    isBoxed: true,
    release: async () => {
      await program.release();
      await release();
    },
  };
}

/** Makes the server's network with a proxy for its settings. A private address needs an entry with its port by an admin. */
async function networkOf(key: string, { network, allowedHosts }: ServerSettings) {
  const { enter, proxy } = await conversationNetwork(key);
  const grant = { privateHosts: allowedHosts, howToAsk };
  return { enter, proxy: () => proxy(network === "open" ? "any" : allowedHosts, grant) };
}

/** Files that are run, by their ending; a file that may be executed is one as well. */
const code = /\.(?:[cm]?[jt]sx?|py|pyz|rb|php|pl|lua|sh|bash|jar|wasm|exe|dll|so)$/i;

/**
 * Sorts what the arguments name: a folder is there to be written to, and a file is only read, because it may be the program,
 * which would then be poisoned where it runs without a sandbox. Data in the working folder stays writable with that folder.
 */
async function openedByArguments(args: readonly string[], cwd: string | null): Promise<{ readOnly: string[]; writable: string[] }> {
  const readOnly: string[] = [];
  const writable: string[] = [];
  const relative = cwd === null ? [] : args.filter((text) => !path.isAbsolute(text)).map((text) => path.resolve(cwd, text));
  for (const file of [...namedPaths(args), ...relative]) {
    const stats = await stat(file).catch(() => null);
    if (!stats) continue;
    const isInside = cwd !== null && (file === cwd || file.startsWith(`${cwd}/`));
    const isCode = code.test(file) || (stats.mode & 0o111) !== 0;
    if (stats.isDirectory()) {
      if (!isInside) writable.push(file);
    } else if (isCode || !isInside) readOnly.push(file);
  }
  return { readOnly, writable };
}

/** Finds existing files and folders among absolute paths in the settings. Naming a path gives the server access to it. */
function namedPaths(texts: readonly string[]): string[] {
  return texts.filter((text) => path.isAbsolute(text) && !isSystemPath(text) && existsSync(text));
}

/** Tells whether a path is a system path, which the sandbox provides or shows already. */
function isSystemPath(file: string): boolean {
  const normal = path.normalize(file);
  return ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/tmp", "/dev", "/proc", "/sys", "/run"].some(
    (folder) => normal === folder || (folder !== "/tmp" && normal.startsWith(`${folder}/`)),
  );
}
