import "server-only";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { mcpServers } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";

const folders = (): string => path.join(env().dataDir, "mcp");
const trialPrefix = "trial-";

/** The folder of one stdio server: its HOME, and its working folder when the settings name none. */
export type ServerFolder = {
  /** Key of the folder, and of the server's network. */
  key: string;
  folder: string;
  /** Whether the folder is removed when the program ends, because tested settings have no server yet. */
  isTrial: boolean;
};

/** Makes the folder of a server, or a trial folder for settings that are tested and not saved. */
export async function makeServerFolder(serverId: string | null): Promise<ServerFolder> {
  const name = serverId ?? `${trialPrefix}${randomUUID()}`;
  const folder = path.join(folders(), name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return { key: `mcp-${name}`, folder, isTrial: serverId === null };
}

/** Removes the folder of a removed server. The next start removes leftover files. */
export async function removeServerFolder(serverId: string): Promise<void> {
  await rm(path.join(folders(), serverId), { recursive: true, force: true, maxRetries: 5 }).catch((error) =>
    log().warn({ reason: toErrorMessage(error) }, "the folder of a removed MCP server could not be removed"),
  );
}

/** Removes the folders of removed servers, and trial folders that a crash left behind. */
export async function removeAbandonedFolders(): Promise<void> {
  const names = await readdir(folders()).catch(() => []);
  if (names.length === 0) return;
  const rows = await db().select({ id: mcpServers.id }).from(mcpServers);
  const known = new Set(rows.map(({ id }) => id));
  for (const name of names) if (!known.has(name)) await removeServerFolder(name);
}
