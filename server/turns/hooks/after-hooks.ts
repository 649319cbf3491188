import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { HookStep } from "@/contracts/hooks/hooks";
import { cachesFor, keepAnswer } from "@/server/hooks/answer-cache";
import { hookIo } from "@/server/hooks/hook-io";
import { recordRuns } from "@/server/hooks/record-runs";
import { refusalSentence } from "@/server/hooks/refusal-sentences";
import { type HookChain, runHooks } from "@/server/hooks/run-hooks";
import { canonicalJson } from "@/server/platform/crypto";
import { toErrorMessage } from "@/server/platform/errors";
import { inspectJson, maxArgumentDepth } from "@/server/platform/formats/json-shape";
import { log } from "@/server/platform/log";
import { type Outcome, sentences } from "../outcome";
import type { CachedResult, ReadyCall } from "../step-data";
import type { TurnContext } from "../turn-context";
import { toHookContext } from "./call-hook-context";

/** Answers a call with a cached result, after the `after_tool` hooks have run on that result. */
export async function answerFromCache(context: TurnContext, call: ReadyCall, { value }: CachedResult): Promise<Outcome> {
  return hookResult(context, call, outcomeFrom({ callId: call.row.id, status: "succeeded", text: "" }, value));
}

/**
 * Runs the hooks after a tool: `on_error` for a failure, which may supply a result, then `after_tool` on the result.
 * The hooks' result is the one that is bounded, stored and read by the model.
 */
export async function runAfterHooks(context: TurnContext, call: ReadyCall, outcome: Outcome): Promise<Outcome> {
  const { before_tool, after_tool, on_error } = context.hooks;
  if (before_tool.length + after_tool.length + on_error.length === 0) return outcome;
  if (outcome.status === "succeeded" && !outcome.files?.length) {
    const hookContext = toHookContext(context, call.row.id, "before_tool", call.registered, call.arguments);
    const caches = cachesFor(before_tool, hookContext);
    if (caches.length > 0) keepAnswer(caches, hookContext, call.arguments, resultOf(outcome));
  }
  try {
    return await hookResult(context, call, await hookError(context, call, outcome));
  } catch (error) {
    // Withheld, because hooks that could not run may be there to hide this result.
    log().warn({ err: error, callId: call.row.id }, "the hooks after a call could not run");
    return { callId: outcome.callId, status: "failed", text: sentences.withheld(call.registered.name, toErrorMessage(error)) };
  }
}

async function hookError(context: TurnContext, call: ReadyCall, outcome: Outcome): Promise<Outcome> {
  const isError = outcome.status === "failed" || outcome.status === "timed_out";
  if (!isError || context.hooks.on_error.length === 0) return outcome;
  const hookContext = toHookContext(context, call.row.id, "on_error", call.registered, call.arguments);
  const chain = await runHooks(context.hooks.on_error, hookContext, { text: outcome.text, status: outcome.status }, hookIo);
  recordRuns(hookContext, chain.ran);
  const steps = [...(outcome.hookSteps ?? []), ...stepsOf(chain)];
  const { supplied, value, refusal } = chain;
  if (refusal && supplied === null)
    return { callId: outcome.callId, status: outcome.status, text: refusalSentence(hookContext, refusal), hookSteps: steps };
  if (supplied === null) return { ...outcome, ...(typeof value.text === "string" ? { text: value.text } : {}), hookSteps: steps };
  const result = typeof supplied === "string" ? { text: supplied } : { text: JSON.stringify(supplied), structuredContent: supplied };
  return { callId: outcome.callId, status: "succeeded", ...result, hookSteps: steps };
}

async function hookResult(context: TurnContext, call: ReadyCall, outcome: Outcome): Promise<Outcome> {
  const isResult = outcome.status === "succeeded" || outcome.status === "failed" || outcome.status === "timed_out";
  if (!isResult || context.hooks.after_tool.length === 0) return outcome;
  const hookContext = toHookContext(context, call.row.id, "after_tool", call.registered, call.arguments);
  const chain = await runHooks(context.hooks.after_tool, hookContext, resultOf(outcome), hookIo);
  recordRuns(hookContext, chain.ran);
  const hookSteps = [...(outcome.hookSteps ?? []), ...stepsOf(chain)];
  if (!chain.refusal) return { ...outcomeFrom(outcome, chain.value), hookSteps };
  return { callId: outcome.callId, status: "failed", text: refusalSentence(hookContext, chain.refusal), hookSteps };
}

/** Returns a result as hooks see it. Structured content that is nested too deep is left out, and so is missing from the hooked result. */
function resultOf({ text, structuredContent }: Outcome): JsonObject {
  const isUsable = structuredContent && inspectJson(structuredContent).depth <= maxArgumentDepth;
  return { text, ...(isUsable ? { structuredContent } : {}) };
}

function outcomeFrom(before: Outcome, hooked: JsonObject): Outcome {
  const { structuredContent: _, meta, ...outcome } = before;
  const { text, structuredContent } = hooked;
  // Hooks do not see the `_meta`: one that hides something in the result must not leave it there.
  const isChanged = canonicalJson(hooked) !== canonicalJson(resultOf(before));
  const isObject = typeof structuredContent === "object" && structuredContent !== null && !Array.isArray(structuredContent);
  return {
    ...outcome,
    text: typeof text === "string" ? text : "",
    ...(isObject ? { structuredContent } : {}),
    ...(meta && !isChanged ? { meta } : {}),
  };
}

const stepsOf = ({ ran }: HookChain): HookStep[] => ran.map(({ step }) => step);
