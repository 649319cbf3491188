import "server-only";
import { MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Turn } from "@/contracts/turns/turns";
import { isAppError } from "@/server/platform/errors";
import { readTurn } from "@/server/turns/read/load-turn";
import { isFinished } from "@/server/turns/read/wait-for-turn";
import { type McpClient, tasksExtension } from "../client/mcp-client";
import { withProtocolErrors } from "../with-protocol-errors";
import { answerFinishedTurn } from "./answer-finished-turn";
import { approvalUrl, turnMeta } from "./present-result";
import { requireOwnTurn } from "./require-own-turn";
import { withdrawCall } from "./withdraw-call";

const pollIntervalMs = 2_000;

/** A call that goes on, for clients with the tasks extension: the task is the call's turn. */
export type CreatedTask = ReturnType<typeof presentTask> & { resultType: "task"; content: never[]; _meta: Record<string, string> };

/** Answers a call with its task. */
export function createdTask(turn: Turn): CreatedTask {
  // The SDK checks every answer of a call as a tool result, so it has content.
  return { resultType: "task", content: [], ...presentTask(turn), _meta: turnMeta(turn) };
}

function presentTask({ id, status, calls, createdAt, finishedAt }: Turn) {
  const approvalId = status === "suspended" ? calls[0]?.approvalId : null;
  return {
    taskId: id,
    // A task that asks the client's user would be `input_required`; an approval asks people in the console.
    status: status === "completed" || status === "cancelled" ? status : ("working" as const),
    ...(approvalId ? { statusMessage: `A person has to approve the call first: ${approvalUrl(approvalId)}` } : {}),
    createdAt,
    lastUpdatedAt: finishedAt ?? createdAt,
    // A turn lives as long as its conversation.
    ttlMs: null,
    pollIntervalMs,
  };
}

const Params = z.looseObject({ taskId: z.string() });

/** Registers the methods of the tasks extension. */
export function serveTasks(server: Server, client: McpClient): void {
  server.setRequestHandler("tasks/get", { params: Params }, ({ taskId }) =>
    withProtocolErrors(async () => {
      const turn = await requireTask(client, taskId);
      const result = turn.status === "completed" ? { result: await answerFinishedTurn(client, turn, { wasPending: true }) } : {};
      return { ...presentTask(turn), ...result };
    }),
  );
  server.setRequestHandler("tasks/update", { params: Params }, ({ taskId }) =>
    withProtocolErrors(async () => {
      await requireTask(client, taskId);
      return {};
    }),
  );
  server.setRequestHandler("tasks/cancel", { params: Params }, ({ taskId }) =>
    withProtocolErrors(async () => {
      const turn = await requireTask(client, taskId);
      if (!isFinished(turn)) await withdrawCall(client, turn.id, client.signal);
      return {};
    }),
  );
}

async function requireTask({ actor, takesTasks }: McpClient, taskId: string): Promise<Turn> {
  if (!takesTasks) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } });
  const id = z.uuid().safeParse(taskId);
  try {
    if (!id.success) throw unknownTask();
    await requireOwnTurn(actor, id.data);
    return await readTurn(id.data);
  } catch (error) {
    throw isAppError(error) && error.code === "not_found" ? unknownTask() : error;
  }
}

const unknownTask = () =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no task with this id. Send the taskId of a call's answer.");
