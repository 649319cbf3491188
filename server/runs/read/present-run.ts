import type { Run, RunMessage } from "@/contracts/runs/runs";
import type { MessageRow, RunRow } from "../run-row";

/** Converts a run to its public form; no other code does. */
export function presentRun(row: RunRow, agent: string): Run {
  return {
    id: row.id,
    agentId: row.agentId,
    agent,
    conversationId: row.conversationId,
    status: row.status,
    answer: row.answer,
    error: row.error,
    limit: row.limit,
    models: row.models,
    limits: row.limits,
    steps: row.steps,
    usage: {
      inputTokens: row.inputTokens,
      cachedInputTokens: row.cachedInputTokens,
      outputTokens: row.outputTokens,
      costUsd: row.isCostKnown ? row.costUsd : null,
      isEstimated: row.isUsageEstimated,
    },
    depth: row.depth,
    turnId: row.turnId,
    supersededBy: row.supersededBy,
    requestedBy: row.requestedBy,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** Converts a message to its public form, with masked secrets as its row has them. */
export function presentMessage({ runId, position, role, content, model, usage, turnId, createdAt }: MessageRow): RunMessage {
  const { text, reasoning = "", attachments = [], toolCalls = [], files = [], callId = null, name = null, isError = false } = content;
  return {
    runId,
    position,
    role,
    text,
    reasoning,
    attachments,
    toolCalls,
    files,
    callId,
    name,
    isError,
    model,
    // Rows of earlier versions do not say whether their usage is an estimate.
    usage: usage && { ...usage, isEstimated: usage.isEstimated ?? false },
    turnId,
    createdAt: createdAt.toISOString(),
  };
}
