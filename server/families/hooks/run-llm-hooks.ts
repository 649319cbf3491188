import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { HookEvent } from "@/contracts/hook-actions";
import type { LlmHookAnswer, LlmHookInput, RuntimeHookEvent } from "@/contracts/hooks";
import { findAgent } from "@/server/agents/find-agent";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { findConversation } from "@/server/conversations/find-conversation";
import { cachesFor, keepAnswer } from "@/server/hooks/answer-cache";
import type { HooksByEvent } from "@/server/hooks/compile-hook";
import type { HookContext } from "@/server/hooks/hook-context";
import { hookIo } from "@/server/hooks/hook-io";
import { loadHooks } from "@/server/hooks/load-hooks";
import { lookUpAnswer } from "@/server/hooks/look-up-answer";
import { recordRuns } from "@/server/hooks/record-runs";
import { refusalSentence } from "@/server/hooks/refusal-sentences";
import { type HookRan, runHooks } from "@/server/hooks/run-hooks";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";

type Place = { hooks: HooksByEvent; sceneOf: (event: HookEvent, value: JsonObject) => HookContext };

/**
 * Runs the hooks around a model call that a runtime makes itself. The runtime sends its request, the model's reply or the
 * error, and continues with the returned value.
 * @throws AppError `not_found` for the conversation, `invalid` when the part of the event is missing
 */
export async function runLlmHooks(
  actor: Authorized<"turns:write">,
  conversationId: string,
  event: RuntimeHookEvent,
  input: LlmHookInput,
): Promise<LlmHookAnswer> {
  const { workspaceId, agentId } = await findConversation(actor, conversationId);
  const { name } = await findAgent(db(), workspaceId, agentId);
  const base = {
    workspaceId,
    conversationId,
    turnId: null,
    callId: null,
    agent: { id: agentId, name },
    tool: null,
    toldBy: toActorRef(actor),
  };
  const place: Place = { hooks: await loadHooks(workspaceId), sceneOf: (at, value) => ({ ...base, event: at, arguments: value }) };
  switch (event) {
    case "before_llm":
      return beforeLlm(place, needed(input, "request"));
    case "after_llm":
      return afterLlm(place, needed(input, "reply"), input.request ?? null);
    case "on_error":
      return onError(place, needed(input, "error"), input.request ?? null);
  }
}

async function beforeLlm({ hooks, sceneOf }: Place, asked: JsonObject): Promise<LlmHookAnswer> {
  const scene = sceneOf("before_llm", asked);
  const { value: request, refusal, ran } = await runHooks(hooks.before_llm, scene, asked, hookIo);
  recordRuns(scene, ran);
  if (refusal) return answerOf(ran, { request, skip: true, denied: refusalSentence(scene, refusal) });
  const asItIs = sceneOf("before_llm", request);
  const kept = lookUpAnswer(hooks.before_llm, asItIs, request);
  recordRuns(asItIs, kept.ran);
  if (!kept.answer) return answerOf([...ran, ...kept.ran], { request });
  // A cached reply passes the current `after_llm` hooks, because they may have changed since.
  const after = await afterLlm({ hooks, sceneOf }, kept.answer, null);
  return { ...after, request, skip: true, hooks: [...[...ran, ...kept.ran].map(({ step }) => step), ...after.hooks] };
}

async function afterLlm({ hooks, sceneOf }: Place, answered: JsonObject, request: JsonObject | null): Promise<LlmHookAnswer> {
  if (request) {
    const asked = sceneOf("before_llm", request);
    keepAnswer(cachesFor(hooks.before_llm, asked), asked, request, answered);
  }
  const scene = sceneOf("after_llm", answered);
  const { value: reply, refusal, ran } = await runHooks(hooks.after_llm, scene, answered, hookIo);
  recordRuns(scene, ran);
  return refusal ? answerOf(ran, { request, denied: refusalSentence(scene, refusal) }) : answerOf(ran, { request, reply });
}

async function onError({ hooks, sceneOf }: Place, failed: JsonObject, request: JsonObject | null): Promise<LlmHookAnswer> {
  const scene = sceneOf("on_error", failed);
  const { value: error, supplied, refusal, ran } = await runHooks(hooks.on_error, scene, failed, hookIo);
  recordRuns(scene, ran);
  if (refusal && supplied === null) return answerOf(ran, { request, denied: refusalSentence(scene, refusal) });
  return answerOf(ran, { request, error, reply: typeof supplied === "string" ? { content: supplied } : supplied });
}

function answerOf(ran: readonly HookRan[], part: Partial<LlmHookAnswer>): LlmHookAnswer {
  return { request: null, reply: null, error: null, skip: false, denied: null, hooks: ran.map(({ step }) => step), ...part };
}

function needed(input: LlmHookInput, part: keyof LlmHookInput): JsonObject {
  const value = input[part];
  if (value) return value;
  const message = `send it: it is what the hooks look at`;
  throw new AppError("invalid", `The body has no ${part}. Send it, because the hooks of this event check it.`, {
    errors: [{ path: part, message }],
  });
}
