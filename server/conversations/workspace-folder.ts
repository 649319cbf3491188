import path from "node:path";
import { env } from "@/server/platform/env";

/**
 * Absolute folder that the file and shell tools of a conversation see as `.`: its own, or the one that its agent's
 * conversations share. Both parts come from us (an id, a folder name that the contract validated), never from a model.
 */
export function workspaceFolder(
  conversation: { id: string; workspaceId: string },
  { sharedFolder }: { sharedFolder: string | null },
): string {
  const inside = sharedFolder ? path.join("shared", sharedFolder) : path.join("conversations", conversation.id);
  return path.join(env().workspaceRoot, conversation.workspaceId, inside);
}
