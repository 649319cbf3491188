import "server-only";
import { eq } from "drizzle-orm";
import { agents, type conversations, type ReceivedFile } from "@/db/schema";
import { addNewFile } from "@/server/capabilities/files/add-new-file";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { detectMediaType } from "@/server/mcp/connect/content/detect-media-type";
import { ModelFault } from "@/server/models/model-fault";
import { writeDownSpeech } from "@/server/models/write-down-speech";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import type { ChatContext } from "../chat-context";

/** Bytes of a file that is taken in. */
const maxFileBytes = 30 * 1_048_576;
const folder = "received";

export type TakenFile = { path: string; mediaType: string; bytes: number };

/** Downloads files of messages into the folder of a conversation. Each that cannot be taken leaves a note for the agent. */
export async function takeFiles(
  { driver, messenger }: ChatContext,
  files: readonly ReceivedFile[],
  conversation: typeof conversations.$inferSelect,
): Promise<{ taken: TakenFile[]; notes: string[] }> {
  const taken: TakenFile[] = [];
  const notes: string[] = [];
  if (files.length === 0) return { taken, notes };
  const [agent] = await db().select({ sharedFolder: agents.sharedFolder }).from(agents).where(eq(agents.id, conversation.agentId));
  for (const { ref, name, bytes: size, kind } of files) {
    if (size !== null && size > maxFileBytes) {
      notes.push(`[The file ${name} is larger than 30 MB and was not taken.]`);
      continue;
    }
    try {
      if (!driver.file || !agent) throw new Error("the platform hands out no files");
      const bytes = await driver.file(ref, maxFileBytes);
      if (bytes.byteLength === 0) throw new Error("it is empty");
      const path = await addNewFile(workspaceFiles(workspaceFolder(conversation, agent)), folder, { name, bytes });
      taken.push({ path, mediaType: detectMediaType(bytes), bytes: bytes.byteLength });
      if (kind === "audio") notes.push(await voiceNote(messenger, path, bytes));
    } catch (error) {
      log().info({ err: error, conversationId: conversation.id }, "a file of a message could not be taken");
      notes.push(`[The file ${name} could not be taken from the platform.]`);
    }
  }
  return { taken, notes };
}

/** Tells the agent what was said in a voice message, or why it was not written down. */
async function voiceNote({ workspaceId, speechModel }: ChatContext["messenger"], path: string, bytes: Uint8Array): Promise<string> {
  if (!speechModel) return `[A voice message: ${path}. It was not written down: no model for speech is set up.]`;
  try {
    const text = await writeDownSpeech(workspaceId, speechModel, { bytes, mediaType: detectMediaType(bytes) });
    return `[A voice message: ${path}. Written down by ${speechModel.model}:]\n${text}`;
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error;
    return `[A voice message: ${path}. It was not written down: ${error.message}]`;
  }
}
