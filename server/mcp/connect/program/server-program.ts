import "server-only";
import { mkdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { McpCure } from "@/contracts/mcp/mcp-servers";
import { registryRoutes } from "@/server/capabilities/package-registries/registry-routes";
import { boxedProgram } from "@/server/capabilities/sandbox/boxed-program";
import { innerEnvironment } from "@/server/capabilities/sandbox/inner-environment";
import { conversationNetwork, endConversationNetwork } from "@/server/capabilities/sandbox/network/conversation-network";
import { noOpenings } from "@/server/capabilities/sandbox/openings";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { removeTemporaryFolder } from "@/server/capabilities/sandbox/temporary-folder";
import { AppError } from "@/server/platform/errors";
import type { SecretValues } from "../settings/secret-values";
import type { ServerSettings } from "../settings/server-settings";
import { certificateVariables, childEnvironment } from "./child-environment";
import { findCures } from "./find-cures";
import { namedPaths, openedPaths } from "./opened-paths";
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
  /** Finds what the sandbox keeps from the program, in its words about a failure; nothing without the sandbox. */
  findCures(text: string): McpCure[];
  /** Sentences about openings of the settings that could not be made. */
  faults: readonly string[];
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
    if (runsBoxed(settings)) return await boxed(settings, resolved, own, release);
  } catch (error) {
    await release();
    throw error;
  }
  const caches = isIsolated && settings.id ? await sharedCaches(settings.id) : {};
  const environment = childEnvironment({ ...caches, ...resolved }, process.env);
  return {
    command,
    args,
    env: environment,
    cwd: cwd ?? own.folder,
    descriptors: [],
    isBoxed: false,
    findCures: () => [],
    faults: [],
    started: () => {},
    release,
  };
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

/** @throws AppError `forbidden` for a program outside the sandbox where an operator requires the sandbox for all. */
function runsBoxed({ outsideSandbox }: Pick<ServerSettings, "outsideSandbox">): boolean {
  const { isOn, setting } = sandboxStatus();
  if (outsideSandbox && setting === "required") {
    throw new AppError("forbidden", "HANDRAIL_SANDBOX is required, so no server's program runs outside the sandbox. Put it back into it.");
  }
  return isOn && !outsideSandbox;
}

/** Returns why the program of a stdio server runs without the sandbox; null when the program runs in the sandbox. */
export function unconfinedSentence({ transport, outsideSandbox }: Pick<ServerSettings, "transport" | "outsideSandbox">): string | null {
  if (transport !== "stdio") return null;
  const { isOn, sentence } = sandboxStatus();
  if (!isOn) return `This server's program is not confined. ${sentence}`;
  return outsideSandbox ? "This server's program is not confined: an owner lets it run outside the sandbox, as Handrail's user." : null;
}

async function boxed(
  settings: ServerSettings,
  resolved: SecretValues,
  own: ServerFolder,
  release: () => Promise<void>,
): Promise<ServerProgram> {
  const { command, args, cwd, network } = settings;
  const certificates = certificateVariables(process.env);
  const { readOnly, writable, programs } = await openedPaths(settings, own.folder);
  const searched: Record<string, string> =
    programs.length > 0 ? { PATH: [...programs, innerEnvironment(own.folder).PATH].join(path.delimiter) } : {};
  const faults: string[] = [];
  const program = await boxedProgram([command ?? "", ...args], {
    root: own.folder,
    cwd: cwd ?? own.folder,
    environment: { ...certificates, ...searched, ...resolved },
    isLongRunning: true,
    openings: {
      ...noOpenings,
      readable: [...Object.values(certificates), ...readOnly],
      writable: [...writable, ...namedPaths(Object.values(resolved))],
      hosts: network === "none" ? [] : ["every host that the settings allow"],
    },
    ...(network === "none" ? {} : { conversationId: own.key, network: (key) => networkOf(key, settings, faults) }),
  });
  return {
    ...program,
    faults,
    cwd: "/",
    isBoxed: true,
    findCures: (text) =>
      findCures([text, ...program.networkTroubles()].join("\n"), {
        home: own.folder,
        visible: [...readOnly, ...writable],
        allowedHosts: settings.allowedHosts,
        command: command ?? "",
        settings: [...args, ...Object.entries(resolved).map(([name, value]) => `${name}=${value}`)],
      }),
    release: async () => {
      await program.release();
      await release();
    },
  };
}

/** Makes the server's network with a proxy for its settings. A private address needs an entry with its port by an admin. */
async function networkOf(key: string, { network, allowedHosts, workspaceId }: ServerSettings, faults: string[]) {
  const { enter, proxy, forward } = await conversationNetwork(key);
  const registries = workspaceId ? await registryRoutes(workspaceId) : [];
  return {
    enter,
    proxy: async () => {
      const forwards = await forward(allowedHosts);
      faults.push(...forwards.faults);
      const opened = await proxy(network === "open" ? "any" : allowedHosts, { privateHosts: allowedHosts, howToAsk, registries });
      const close = () => {
        forwards.close();
        opened.close();
      };
      return { ...opened, names: forwards.names, close };
    },
  };
}
