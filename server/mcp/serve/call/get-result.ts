import "server-only";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { runWhileAllowed } from "@/server/endpoints/run-while-allowed";
import { isAppError } from "@/server/platform/errors";
import { readTurn } from "@/server/turns/read/load-turn";
import { isFinished, waitForTurn } from "@/server/turns/read/wait-for-turn";
import { findClientConversation } from "../client/client-conversation";
import type { McpClient } from "../client/mcp-client";
import { answerFinishedTurn } from "./answer-finished-turn";
import { findPendingCall } from "./pending-calls";
import { presentPending } from "./present-result";
import { requireOwnTurn } from "./require-own-turn";

const maxWaitSeconds = 45;

const Arguments = z.strictObject({
  id: z.uuid("must be the id that the call's answer named").optional(),
  wait: z.number().min(0).max(maxWaitSeconds).default(30),
});

/** The tool of this endpoint itself, listed after the agent's tools. */
export const getResultTool: Tool = {
  name: "get_result",
  title: "Get a result",
  description: "Returns the result of an earlier call that was answered before it had one, because it waited for approval or ran long.",
  inputSchema: {
    type: "object",
    properties: {
      id: { type: "string", description: "Id from the answer of the call. Absent: the oldest call without a result" },
      wait: { type: "number", minimum: 0, maximum: maxWaitSeconds, default: 30, description: "Seconds to wait for the result" },
    },
    additionalProperties: false,
  },
  annotations: { title: "Get a result", readOnlyHint: true, openWorldHint: false },
};

/** Answers a call of `get_result`. It runs nothing: the call that it asks about runs by itself. */
export async function getResult(client: McpClient, args: JsonObject, signal: AbortSignal): Promise<CallToolResult> {
  const parsed = Arguments.safeParse(args);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refusal(`${issue?.path.join(".") || "arguments"}: ${issue?.message ?? "not valid"}. Send {"id": "..."} or {}.`);
  }
  const turnId = parsed.data.id ?? (await oldestPending(client));
  if (turnId === null) return refusal("No call of this conversation waits for its result.");
  try {
    await requireOwnTurn(client.actor, turnId);
  } catch (error) {
    if (isAppError(error) && error.code === "not_found")
      return refusal("There is no call with this id. Send the id that its answer named.");
    throw error;
  }
  const turn = await runWhileAllowed({ signal, isStillAllowed: client.isStillAllowed }, async (until) => {
    const now = await readTurn(turnId);
    return isFinished(now) ? now : waitForTurn(turnId, parsed.data.wait, until);
  });
  return isFinished(turn) ? answerFinishedTurn(client, turn, { wasPending: true }) : presentPending(turn);
}

async function oldestPending(client: McpClient): Promise<string | null> {
  const conversationId = await findClientConversation(client);
  return conversationId && findPendingCall(client.actor, conversationId);
}

const refusal = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });
