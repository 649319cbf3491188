import "server-only";
import { mkdir, rm } from "node:fs/promises";
import { AppError } from "@/server/platform/errors";
import { sandboxPath } from "./sandbox-folder";

/** Creates, if missing, the folder that is /tmp for the commands of one conversation. */
export async function makeTemporaryFolder(conversationId: string): Promise<string> {
  const folder = temporaryFolderPath(conversationId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Removes the /tmp of a deleted conversation. Retries, because ending commands may still write to the folder. */
export async function removeTemporaryFolder(conversationId: string): Promise<void> {
  await rm(temporaryFolderPath(conversationId), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Returns the folder that is /tmp for the commands of one conversation. */
export function temporaryFolderPath(conversationId: string): string {
  if (!/^[\w-]{1,100}$/.test(conversationId)) throw new AppError("invalid", `${conversationId} is not the id of a conversation.`);
  return sandboxPath("tmp", conversationId);
}
