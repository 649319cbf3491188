import "server-only";
import type { FileChangeComparison, FileRestored } from "@/contracts/turns/file-changes";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { isSensitiveKind } from "@/server/capabilities/sandbox/folder-listings";
import { makeChangeRecorder } from "@/server/conversations/file-changes/record-changes";
import { type ConversationRow, findConversation } from "@/server/conversations/find-conversation";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { loadConfigVersion } from "@/server/platform/signals/versioned-cache";
import { loadPolicy } from "@/server/policy/policy";
import { ResultMask } from "@/server/secrets/mask-result";
import { loadToolScope } from "@/server/tools/list-conversation-tools";
import { fileKinds } from "@/server/turns/decide/sandbox-openings";
import { withFolderLock } from "@/server/turns/execute/folder-lock";
import { comparedTexts, readNow, stateOf } from "./compare-change";
import { findChange, findChanges } from "./find-changes";
import { restoreFile } from "./restore-file";

/** Returns a change with its texts, for an actor who may see the conversation. */
export async function getChange(actor: Authorized<"turns:read">, conversationId: string, changeId: string): Promise<FileChangeComparison> {
  const conversation = await findConversation(actor, conversationId);
  const { row, change } = await findChange(conversationId, changeId);
  const now = await readNow(workspaceFiles(await folderOf(conversation)), row.path);
  const texts = await comparedTexts(row, now);
  const mask = new ResultMask();
  const masked = async (text: string | null) => text && mask.maskText(text);
  return {
    ...{ change, state: stateOf(row, now), notShown: texts.notShown },
    ...{ before: await masked(texts.before), after: await masked(texts.after), now: await masked(texts.now) },
  };
}

/** Restores a file for a person, while no tool writes in the folder. @throws AppError `conflict` as `restoreFile` says. */
export async function restoreChange(
  actor: Authorized<"turns:write">,
  { conversationId, changeId, force, signal }: { conversationId: string; changeId: string; force: boolean; signal: AbortSignal },
): Promise<FileRestored> {
  const conversation = await findConversation(actor, conversationId);
  const { row } = await findChange(conversationId, changeId);
  const folder = await folderOf(conversation);
  const files = await recordedFiles(actor, conversation, folder);
  return withFolderLock(folder, {
    beforeWaiting: async () => {},
    signal,
    run: async () => {
      const { message, isChanged } = await restoreFile(files, row, { force });
      if (!isChanged) return { message, undo: null };
      await db().transaction((tx) =>
        record(tx, {
          ...{ workspaceId: conversation.workspaceId, event: "file.restored", actor: toActorRef(actor), subject: row.id, conversationId },
          requestId: actor.requestId,
          data: { path: row.path, force },
        }),
      );
      const [made] = await findChanges({ conversationId, path: row.path, limit: 1 });
      return { message, undo: made?.row.restores === row.id ? made.row.id : null };
    },
  });
}

async function folderOf(conversation: ConversationRow): Promise<string> {
  const { agent } = await loadToolScope(conversation, await loadConfigVersion(conversation.workspaceId));
  return workspaceFolder(conversation, agent);
}

async function recordedFiles(actor: Authorized<"turns:write">, conversation: ConversationRow, folder: string): Promise<FilesCapability> {
  const { id: conversationId, workspaceId } = conversation;
  const classify = fileKinds(await loadPolicy(workspaceId, await loadConfigVersion(workspaceId)));
  const isSensitive = (relativePath: string) => isSensitiveKind(classify(relativePath));
  const record = makeChangeRecorder({ workspaceId, conversationId, callId: null, actor: toActorRef(actor), folder, isSensitive });
  return workspaceFiles(folder, { record });
}
