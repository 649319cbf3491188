import "server-only";
import { eq } from "drizzle-orm";
import { type ChatFile, mostFileBytes } from "@/contracts/chats";
import { agents } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { workspaceFiles } from "@/server/capabilities/workspace-files";
import { deletedMeanwhile, findConversation } from "@/server/conversations/find-conversation";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { numberedName, safeFileName } from "./file-names";

/** Folder of the files that people add, in the conversation's folder. */
const folder = "uploads";
const mostTries = 100;

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
  if (bytes.byteLength > mostFileBytes)
    throw new AppError("too_large", `The file is larger than ${mostFileBytes} bytes. Send a smaller one.`);
  const [agent] = await db().select({ sharedFolder: agents.sharedFolder }).from(agents).where(eq(agents.id, conversation.agentId));
  if (!agent) throw deletedMeanwhile();
  const path = await store(workspaceFolder(conversation, agent), safeFileName(name), bytes);
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

async function store(root: string, name: string, bytes: Uint8Array): Promise<string> {
  const files = workspaceFiles(root);
  for (let number = 1; number <= mostTries; number++) {
    const path = `${folder}/${numberedName(name, number)}`;
    try {
      // `isNew` makes two uploads of one name take two names, because the second write finds the first file.
      await files.changeFiles([{ path, bytes, isNew: true }]);
      return path;
    } catch (error) {
      if (!isAppError(error) || error.code !== "conflict") throw error;
    }
  }
  throw new AppError("conflict", `The folder has a hundred files named like ${name}. Choose another name.`);
}
