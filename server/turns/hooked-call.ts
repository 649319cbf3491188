import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { HookStep } from "@/contracts/hooks";
import { cachesFor, keepAnswer } from "@/server/hooks/answer-cache";
import { hiddenPlaces } from "@/server/hooks/changes-between";
import { hookMeans } from "@/server/hooks/hook-means";
import { lookUpAnswer } from "@/server/hooks/look-up-answer";
import { masked } from "@/server/hooks/masked-value";
import { recordRuns } from "@/server/hooks/record-runs";
import { refusalSentence } from "@/server/hooks/refusal-sentences";
import { type HookChain, runHooks } from "@/server/hooks/run-hooks";
import { messageOf } from "@/server/platform/errors";
import { maxArgumentDepth, shapeOf } from "@/server/platform/json-shape";
import { log } from "@/server/platform/log";
import { isStorable } from "@/server/platform/storable";
import type { PreparedCall } from "@/server/tools/prepare-call";
import { type Filled, fillUnfit, withFilled } from "./fill-arguments";
import { sceneOf } from "./hook-scene";
import { type Outcome, sentences } from "./outcome";
import type { ReadyCall } from "./plan-segment";
import type { CallRow } from "./present-turn";
import type { TurnContext } from "./turn-context";

type Prepared = Extract<PreparedCall, { kind: "ready" }>;

/** The result of an earlier equal call, which may stand in for this one if the guard lets it run. */
export type KeptResult = { value: JsonObject };

/**
 * Runs the `before_tool` hooks of a call, once: what they make of its arguments is kept with the call, and is what is
 * decided on, shown, run and recorded. A call that people were asked about is not hooked again: they answered for exactly
 * what they saw.
 * @param prepare resolves and parses the call as its row has it now
 * @returns what an earlier equal call answered, when a hook has kept it
 */
export async function hookCall(context: TurnContext, row: CallRow, prepare: () => PreparedCall): Promise<KeptResult | null> {
  if (context.hooks.before_tool.length === 0 || row.approvalId !== null) return null;
  try {
    return await hookFresh(context, row, prepare);
  } catch (error) {
    log().warn({ err: error, callId: row.id }, "the hooks of a call could not run");
    addSteps(row, [], false);
    if (row.hooks) row.hooks.refusal = sentences.denied(row.name, `Its hooks could not run: ${messageOf(error)}`);
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
  const scene = sceneOf(context, row.id, "before_tool", prepared.registered, prepared.arguments);
  const { answer, ran } = lookUpAnswer(hooks, scene, prepared.arguments);
  recordRuns(scene, ran);
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
  const scene = sceneOf(context, row.id, "before_tool", sent.registered, sent.arguments);
  const alone = await runHooks(context.hooks.before_tool, scene, sent.arguments, hookMeans);
  const chain = filled ? withFilled(alone, filled) : alone;
  if (chain.ran.length === 0) return;
  recordRuns(scene, chain.ran);
  addSteps(row, stepsOf(chain), sent.inBackground);
  const kept = row.hooks;
  if (!kept) return;
  const refuse = (reason: string) => {
    const hook = chain.ran.findLast(({ step }) => step.outcome === "changed")?.step.name ?? "";
    kept.refusal = refusalSentence(scene, { hook, kind: "could_not", reason });
  };
  const asSent = filled?.arguments ?? sent.arguments;
  if (chain.value !== asSent && kept.steps.some(({ outcome }) => outcome === "changed")) {
    kept.sent = masked(asSent, hiddenPlaces(kept.steps.flatMap(({ changes }) => changes)));
    const { depth, hasPrototypeKey } = shapeOf(chain.value);
    if (depth > maxArgumentDepth || hasPrototypeKey || !isStorable(chain.value)) {
      refuse("what it made of the arguments cannot be stored.");
    } else {
      row.arguments = chain.value;
      row.rawArguments = null;
      const again = prepare();
      if (again.kind === "failed") refuse(`what it made of the arguments cannot be used. ${again.message}`);
    }
  }
  if (chain.refusal) kept.refusal = refusalSentence(scene, chain.refusal);
}

/** What a call answers with the result of an earlier one: the hooks that run after a tool see that result too. */
export async function answerFrom(context: TurnContext, call: ReadyCall, { value }: KeptResult): Promise<Outcome> {
  return hookResult(context, call, outcomeFrom({ callId: call.row.id, status: "succeeded", text: "" }, value));
}

/**
 * Runs the hooks after a tool: `on_error` when it failed, which may supply a result, then `after_tool` on whatever is to
 * be the result. What they make of it is what is bounded, stored and read by the model.
 */
export async function hooked(context: TurnContext, call: ReadyCall, outcome: Outcome): Promise<Outcome> {
  const { before_tool, after_tool, on_error } = context.hooks;
  if (before_tool.length + after_tool.length + on_error.length === 0) return outcome;
  if (outcome.status === "succeeded" && !outcome.files?.length) {
    const scene = sceneOf(context, call.row.id, "before_tool", call.registered, call.arguments);
    const caches = cachesFor(before_tool, scene);
    if (caches.length > 0) keepAnswer(caches, scene, call.arguments, resultOf(outcome));
  }
  return hookResult(context, call, await hookError(context, call, outcome));
}

async function hookError(context: TurnContext, call: ReadyCall, outcome: Outcome): Promise<Outcome> {
  const isError = outcome.status === "failed" || outcome.status === "timed_out";
  if (!isError || context.hooks.on_error.length === 0) return outcome;
  const scene = sceneOf(context, call.row.id, "on_error", call.registered, call.arguments);
  const chain = await runHooks(context.hooks.on_error, scene, { text: outcome.text, status: outcome.status }, hookMeans);
  recordRuns(scene, chain.ran);
  const steps = [...(outcome.hookSteps ?? []), ...stepsOf(chain)];
  const { supplied, value } = chain;
  if (supplied === null) return { ...outcome, ...(typeof value.text === "string" ? { text: value.text } : {}), hookSteps: steps };
  const result = typeof supplied === "string" ? { text: supplied } : { text: JSON.stringify(supplied), structuredContent: supplied };
  return { callId: outcome.callId, status: "succeeded", ...result, hookSteps: steps };
}

async function hookResult(context: TurnContext, call: ReadyCall, outcome: Outcome): Promise<Outcome> {
  const isResult = outcome.status === "succeeded" || outcome.status === "failed" || outcome.status === "timed_out";
  if (!isResult || context.hooks.after_tool.length === 0) return outcome;
  const scene = sceneOf(context, call.row.id, "after_tool", call.registered, call.arguments);
  const chain = await runHooks(context.hooks.after_tool, scene, resultOf(outcome), hookMeans);
  recordRuns(scene, chain.ran);
  const hookSteps = [...(outcome.hookSteps ?? []), ...stepsOf(chain)];
  if (!chain.refusal) return { ...outcomeFrom(outcome, chain.value), hookSteps };
  return { callId: outcome.callId, status: "failed", text: refusalSentence(scene, chain.refusal), hookSteps };
}

/** A result as hooks see it. Structured content that nobody could walk through is left out, and with it from the result. */
function resultOf({ text, structuredContent }: Outcome): JsonObject {
  const isUsable = structuredContent && shapeOf(structuredContent).depth <= maxArgumentDepth;
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
