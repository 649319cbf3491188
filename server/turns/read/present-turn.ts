import "server-only";
import type { Call, Turn } from "@/contracts/turns/turns";
import type { toolCalls, turns } from "@/db/schema";
import { tellEdit } from "@/server/approvals/told-edit";
import { maskSecrets } from "@/server/secrets/mask-secrets";

export type TurnRow = typeof turns.$inferSelect;
/** A row as turns read and write it: without the column that the database computes. */
export type CallRow = Omit<typeof toolCalls.$inferSelect, "ruleId">;

/** Converts a turn to its public form; no other code does. Calls are in order of submission. */
export function presentTurn(turn: TurnRow, calls: readonly CallRow[]): Turn {
  return {
    id: turn.id,
    conversationId: turn.conversationId,
    status: turn.status,
    calls: calls.map((call) => presentCall(call, turn)),
    createdAt: turn.createdAt.toISOString(),
    finishedAt: turn.finishedAt?.toISOString() ?? null,
  };
}

function presentCall(call: CallRow, { machine }: Pick<TurnRow, "machine">): Call {
  return {
    id: call.runtimeId,
    callId: call.id,
    name: call.name,
    requestedName: call.requestedName,
    carriedBy: call.carriedBy,
    arguments: maskSecrets(call.rawArguments ?? call.arguments),
    ...tellEdit(call.edited),
    ...(call.hooks?.sent ? { sentArguments: call.hooks.sent } : {}),
    ...(call.hooks ? { hooks: call.hooks.steps } : {}),
    ...(machine ? { runner: "client" as const } : {}),
    status: call.status,
    isError: call.isError,
    content: call.content,
    ...(call.contentParts ? { contentParts: call.contentParts } : {}),
    ...(call.structuredContent ? { structuredContent: call.structuredContent } : {}),
    ...(call.directContent === null ? {} : { directContent: call.directContent }),
    truncated: call.truncated,
    decision: call.decision,
    approvalId: call.approvalId,
    jobId: call.jobId,
    durationMs: call.durationMs,
    startedAt: call.startedAt?.toISOString() ?? null,
    finishedAt: call.finishedAt?.toISOString() ?? null,
  };
}
