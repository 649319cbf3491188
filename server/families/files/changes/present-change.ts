import type { FileChange, FileChangeKind } from "@/contracts/turns/file-changes";
import type { ChangeRow } from "@/server/conversations/file-changes/record-changes";

export const kindOf = ({ beforeBytes, afterBytes }: Pick<ChangeRow, "beforeBytes" | "afterBytes">): FileChangeKind =>
  beforeBytes === null ? "created" : afterBytes === null ? "deleted" : "changed";

const reasons = {
  large: "The file had more than 20 MiB, so its old content was not kept.",
  sensitive: "The file is sensitive, so its old content was not kept.",
  store: "The blob store did not take the old content when the file was changed.",
  room: "The conversation's newer changes needed the room, so the old content was dropped.",
} as const;

/** Returns the reason why a change cannot be undone; null when it can. */
export function notRestorable({ beforeBytes, beforeBlob, notKept }: ChangeRow): string | null {
  if (beforeBytes === null || beforeBlob !== null) return null;
  return reasons[notKept ?? "store"];
}

/** Presents a row with the call that made the change. */
export function presentChange(
  row: ChangeRow & { conversationId: string },
  made: { turnId: string | null; tool: string | null },
): FileChange {
  return {
    id: row.id,
    conversationId: row.conversationId,
    path: row.path,
    kind: kindOf(row),
    turnId: made.turnId,
    callId: row.callId,
    tool: made.tool,
    by: row.actor,
    bytesBefore: row.beforeBytes,
    bytesAfter: row.afterBytes,
    restores: row.restores,
    notRestorable: notRestorable(row),
    createdAt: row.createdAt.toISOString(),
  };
}
