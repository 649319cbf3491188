import { newId } from "@/server/platform/ids";
import type { CallRow, TurnRow } from "./read/present-turn";

type Given = Pick<CallRow, "runtimeId" | "requestedName" | "carriedBy" | "arguments" | "rawArguments"> &
  Partial<Pick<CallRow, "name" | "sealedMeta">>;

/** Creates the row of a submitted call. */
export function newCall({ id: turnId, workspaceId, createdAt }: TurnRow, position: number, given: Given): CallRow {
  return {
    id: newId(),
    workspaceId,
    turnId,
    position,
    name: given.requestedName,
    sealedMeta: null,
    ...given,
    sealedArguments: null,
    status: "pending",
    isError: false,
    content: "",
    contentParts: null,
    structuredContent: null,
    truncated: null,
    directContent: null,
    decision: null,
    hooks: null,
    approvalId: null,
    edited: null,
    jobId: null,
    waitsFor: null,
    deliveredAt: null,
    startedBy: null,
    durationMs: null,
    startedAt: null,
    finishedAt: null,
    createdAt,
  };
}
