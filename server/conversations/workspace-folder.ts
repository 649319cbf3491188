import path from "node:path";
import { env } from "@/server/platform/env";

/**
 * Returns the absolute folder that a conversation's file and shell tools see as `.`: the conversation's own folder, that of
 * the conversation that it works for, or the shared folder of its agent. No part comes from a model: ids are ours, and the contract validates the folder
 * name.
 */
export function workspaceFolder(
  conversation: { id: string; workspaceId: string; folderOf?: string | null },
  { sharedFolder }: { sharedFolder: string | null },
): string {
  const inside = sharedFolder ? path.join("shared", sharedFolder) : path.join("conversations", conversation.folderOf ?? conversation.id);
  return path.join(env().workspaceRoot, conversation.workspaceId, inside);
}
