import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { HookStep } from "@/contracts/hooks";
import { cachesFor, keepAnswer } from "@/server/hooks/answer-cache";
import { findHiddenPlaces } from "@/server/hooks/changes-between";
import { hookIo } from "@/server/hooks/hook-io";
import { lookUpAnswer } from "@/server/hooks/look-up-answer";
import { maskValue } from "@/server/hooks/mask-value";
import { recordRuns } from "@/server/hooks/record-runs";
import { refusalSentence } from "@/server/hooks/refusal-sentences";
import { type HookChain, runHooks } from "@/server/hooks/run-hooks";
import { toErrorMessage } from "@/server/platform/errors";
import { inspectJson, maxArgumentDepth } from "@/server/platform/json-shape";
import { log } from "@/server/platform/log";
import { isStorable } from "@/server/platform/storable";
import type { PreparedCall } from "@/server/tools/prepare-call";
import { toHookContext } from "./call-hook-context";
import { decideCall } from "./decide-call";
import { type Filled, fillUnfit, withFilled } from "./fill-arguments";
import { type Outcome, sentences } from "./outcome";
import type { ReadyCall } from "./plan-segment";
import type { CallRow } from "./present-turn";
import type { TurnContext } from "./turn-context";

type Prepared = Extract<PreparedCall, { kind: "ready" }>;

/** The cached result of an earlier equal call; used only when the guard lets this call run. */
export type KeptResult = { value: JsonObject };

/**
 * Runs the `before_tool` hooks of a call, once. The changed arguments are kept in the call's row; they are decided on,
 * shown, run and recorded. A call with an approval is not hooked again, because people answered for exactly what they
 * saw.
 * @param prepare resolves and parses the call from its current row
 * @returns the cached result of an earlier equal call, or null
 */
export async function hookCall(context: TurnContext, row: CallRow, prepare: () => PreparedCall): Promise<KeptResult | null> {
  if (context.hooks.before_tool.length === 0 || row.approvalId !== null) return null;
  try {
    return await hookFresh(context, row, prepare);
  } catch (error) {
    log().warn({ err: error, callId: row.id }, "the hooks of a call could not run");
    addSteps(row, [], false);
    if (row.hooks) row.hooks.refusal = sentences.denied(row.name, `Its hooks could not run: ${toErrorMessage(error)}`);
    return null;
  }
}

async function hookFresh(context: TurnContext, row: CallRow, prepare: () => PreparedCall): Promise<KeptResult | null> {
  const hooks = context.hooks.before_tool;
  const first = prepare();
  const filled = first.kind === "failed" && row.hooks === null ? await fillUnfit(context, row, first) : null;
  const sent = filled?.call ?? first;
  if (sent.kind === "failed") return null;
  if (row.hooks === null) await rewrite(context, row, { sent, filled }, prepare);
  if (row.hooks?.refusal) return null;
  const prepared = prepare();
  if (prepared.kind === "failed") return null;
  const hookContext = toHookContext(context, row.id, "before_tool", prepared.registered, prepared.arguments);
  const { answer, ran } = lookUpAnswer(hooks, hookContext, prepared.arguments);
  recordRuns(hookContext, ran);
  if (answer)
    addSteps(
      row,
      ran.map(({ step }) => step),
      prepared.inBackground,
    );
  return answer && { value: answer };
}

async function rewrite(
  context: TurnContext,
  row: CallRow,
  { sent, filled }: { sent: Prepared; filled: Filled | null },
  prepare: () => PreparedCall,
): Promise<void> {
  const hookContext = toHookContext(context, row.id, "before_tool", sent.registered, sent.arguments);
  const whyWithheld = withholding(context, sent);
  const alone = await runHooks(context.hooks.before_tool, hookContext, sent.arguments, { ...hookIo, whyWithheld });
  const chain = filled ? withFilled(alone, filled) : alone;
  if (chain.ran.length === 0) return;
  recordRuns(hookContext, chain.ran);
  addSteps(row, stepsOf(chain), sent.inBackground);
  const kept = row.hooks;
  if (!kept) return;
  const refuse = (reason: string) => {
    const hook = chain.ran.findLast(({ step }) => step.outcome === "changed")?.step.name ?? "";
    kept.refusal = refusalSentence(hookContext, { hook, kind: "could_not", reason });
  };
  const asSent = filled?.arguments ?? sent.arguments;
  if (chain.value !== asSent && kept.steps.some(({ outcome }) => outcome === "changed")) {
    kept.sent = maskValue(asSent, findHiddenPlaces(kept.steps.flatMap(({ changes }) => changes)));
    const { depth, hasPrototypeKey } = inspectJson(chain.value);
    if (depth > maxArgumentDepth || hasPrototypeKey || !isStorable(chain.value)) {
      refuse("what it made of the arguments cannot be stored.");
    } else {
      row.arguments = chain.value;
      row.rawArguments = null;
      const again = prepare();
      if (again.kind === "failed") refuse(`what it made of the arguments cannot be used. ${again.message}`);
    }
  }
  if (chain.refusal) kept.refusal = refusalSentence(hookContext, chain.refusal);
  if (chain.withheld !== null) kept.refusal ??= sentences.denied(sent.registered.name, chain.withheld);
}

/**
 * Returns a check that hooks run before they send a call to another program: a call that the guard denies, as sent or
 * as changed by the hooks so far, is withheld. The guard decides only when a hook asks, because most hooks send
 * nothing out.
 */
function withholding(context: TurnContext, sent: Prepared): (value: JsonObject) => Promise<string | null> {
  const whyDenied = async (value: JsonObject): Promise<string | null> => {
    const { verdict, reason } = await decideCall(context, sent.registered, value);
    return verdict === "deny" ? reason : null;
  };
  let asSent: Promise<string | null> | null = null;
  return async (value) => {
    asSent ??= whyDenied(sent.arguments);
    return (await asSent) ?? (value === sent.arguments ? null : whyDenied(value));
  };
}

/** Answers a call with a cached result, after the `after_tool` hooks have run on that result. */
export async function answerFrom(context: TurnContext, call: ReadyCall, { value }: KeptResult): Promise<Outcome> {
  return hookResult(context, call, outcomeFrom({ callId: call.row.id, status: "succeeded", text: "" }, value));
}

/**
 * Runs the hooks after a tool: `on_error` for a failure, which may supply a result, then `after_tool` on the result.
 * The hooks' result is the one that is bounded, stored and read by the model.
 */
export async function hooked(context: TurnContext, call: ReadyCall, outcome: Outcome): Promise<Outcome> {
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

function outcomeFrom({ structuredContent: _, ...outcome }: Outcome, { text, structuredContent }: JsonObject): Outcome {
  const isObject = typeof structuredContent === "object" && structuredContent !== null && !Array.isArray(structuredContent);
  return { ...outcome, text: typeof text === "string" ? text : "", ...(isObject ? { structuredContent } : {}) };
}

function addSteps(row: CallRow, steps: readonly HookStep[], inBackground: boolean): void {
  row.hooks = { sent: null, refusal: null, inBackground, ...row.hooks, steps: [...(row.hooks?.steps ?? []), ...steps] };
}

const stepsOf = ({ ran }: HookChain): HookStep[] => ran.map(({ step }) => step);
