import "server-only";
import { eq } from "drizzle-orm";
import { type ChatFile, maxFileBytes } from "@/contracts/runs/chats";
import { agents } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { addNewFile } from "@/server/capabilities/files/add-new-file";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { deletedMeanwhile, findConversation } from "@/server/conversations/find-conversation";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";

/** Folder of the files that people add, in the conversation's folder. */
const folder = "uploads";

/**
 * Stores a file of a person in the conversation's folder. No file is replaced: a taken name gets a number.
 * @throws AppError `too_large`, `invalid` for an empty file, `conflict` when a hundred names are taken
 */
export async function addFile(
  actor: Authorized<"turns:write">,
  conversationId: string,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<ChatFile> {
  const conversation = await findConversation(actor, conversationId);
  if (bytes.byteLength === 0) throw new AppError("invalid", "The file is empty. Send its bytes as the body of the request.");
  if (bytes.byteLength > maxFileBytes)
    throw new AppError("too_large", `The file is larger than ${maxFileBytes} bytes. Send a smaller one.`);
  const [agent] = await db().select({ sharedFolder: agents.sharedFolder }).from(agents).where(eq(agents.id, conversation.agentId));
  if (!agent) throw deletedMeanwhile();
  const path = await addNewFile(workspaceFiles(workspaceFolder(conversation, agent)), folder, { name, bytes });
  await db().transaction((tx) =>
    record(tx, {
      workspaceId: actor.workspaceId,
      event: "conversation.file_added",
      actor: toActorRef(actor),
      subject: conversationId,
      conversationId,
      data: { path, bytes: bytes.byteLength, sha256: sha256(bytes) },
      requestId: actor.requestId,
    }),
  );
  return { path, bytes: bytes.byteLength };
}
