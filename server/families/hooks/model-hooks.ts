import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { HookActionType, HookEvent } from "@/contracts/hooks/hook-actions";
import type { LlmHookAnswer } from "@/contracts/hooks/hooks";
import { cachesFor, keepAnswer } from "@/server/hooks/answer-cache";
import type { CompiledHook, HooksByEvent } from "@/server/hooks/compile-hook";
import type { HookContext } from "@/server/hooks/hook-context";
import { hookIo } from "@/server/hooks/hook-io";
import { loadHooks } from "@/server/hooks/load-hooks";
import { lookUpAnswer } from "@/server/hooks/look-up-answer";
import { recordRuns } from "@/server/hooks/record-runs";
import { refusalSentence } from "@/server/hooks/refusal-sentences";
import { type HookRan, runHooks } from "@/server/hooks/run-hooks";
import type { HookedRun, ModelHooks } from "@/server/runs/hooks/model-hooks";

/** The hooks of a workspace, and the scenes in which they run. */
export type LoadedHooks = { hooks: HooksByEvent; contextOf: (event: HookEvent, value: JsonObject) => HookContext };

/** Loads the hooks for requests of one conversation; the caller has checked who asks. */
export async function loadHooksOf({ workspaceId, conversationId, agent, requestedBy }: HookedRun): Promise<LoadedHooks> {
  const base = { workspaceId, conversationId, turnId: null, callId: null, agent, tool: null, toldBy: requestedBy };
  return { hooks: await loadHooks(workspaceId), contextOf: (event, value) => ({ ...base, event, arguments: value }) };
}

/** Actions that read a reply and leave it as it is. */
const onlyReads: ReadonlySet<HookActionType> = new Set(["audit", "count_tokens", "webhook"]);

/** The hooks around the requests of a run of Handrail itself; null when none concerns its agent. */
export async function loadModelHooks(run: HookedRun): Promise<ModelHooks | null> {
  const loaded = await loadHooksOf(run);
  const { before_llm, after_llm, on_error } = loaded.hooks;
  const concerns = ({ agentId }: CompiledHook) => agentId === null || agentId === run.agent.id;
  if (![...before_llm, ...after_llm, ...on_error].some(concerns)) return null;
  return {
    before: (request) => beforeLlm(loaded, request),
    after: (reply, request) => afterLlm(loaded, reply, request),
    onError: (error, request) => onError(loaded, error, request),
    holdsText: after_llm.some((hook) => concerns(hook) && !onlyReads.has(hook.action.type)),
  };
}

/** Runs the hooks before a request to a model, and looks for a kept answer. */
export async function beforeLlm({ hooks, contextOf }: LoadedHooks, asked: JsonObject): Promise<LlmHookAnswer> {
  const hookContext = contextOf("before_llm", asked);
  const { value: request, refusal, ran } = await runHooks(hooks.before_llm, hookContext, asked, hookIo);
  recordRuns(hookContext, ran);
  if (refusal) return answerOf(ran, { request, skip: true, denied: refusalSentence(hookContext, refusal) });
  const asItIs = contextOf("before_llm", request);
  const kept = lookUpAnswer(hooks.before_llm, asItIs, request);
  recordRuns(asItIs, kept.ran);
  if (!kept.answer) return answerOf([...ran, ...kept.ran], { request });
  // A cached reply passes the current `after_llm` hooks, because they may have changed since.
  const after = await afterLlm({ hooks, contextOf }, kept.answer, null);
  return { ...after, request, skip: true, hooks: [...[...ran, ...kept.ran].map(({ step }) => step), ...after.hooks] };
}

/** Runs the hooks on the reply of a model, and keeps it for hooks that cache. */
export async function afterLlm(
  { hooks, contextOf }: LoadedHooks,
  answered: JsonObject,
  request: JsonObject | null,
): Promise<LlmHookAnswer> {
  if (request) {
    const asked = contextOf("before_llm", request);
    keepAnswer(cachesFor(hooks.before_llm, asked), asked, request, answered);
  }
  const hookContext = contextOf("after_llm", answered);
  const { value: reply, refusal, ran } = await runHooks(hooks.after_llm, hookContext, answered, hookIo);
  recordRuns(hookContext, ran);
  return refusal ? answerOf(ran, { request, denied: refusalSentence(hookContext, refusal) }) : answerOf(ran, { request, reply });
}

/** Runs the hooks on the failure of a request to a model. */
export async function onError({ hooks, contextOf }: LoadedHooks, failed: JsonObject, request: JsonObject | null): Promise<LlmHookAnswer> {
  const hookContext = contextOf("on_error", failed);
  const { value: error, supplied, refusal, ran } = await runHooks(hooks.on_error, hookContext, failed, hookIo);
  recordRuns(hookContext, ran);
  if (refusal && supplied === null) return answerOf(ran, { request, denied: refusalSentence(hookContext, refusal) });
  return answerOf(ran, { request, error, reply: typeof supplied === "string" ? { content: supplied } : supplied });
}

function answerOf(ran: readonly HookRan[], part: Partial<LlmHookAnswer>): LlmHookAnswer {
  return { request: null, reply: null, error: null, skip: false, denied: null, hooks: ran.map(({ step }) => step), ...part };
}
