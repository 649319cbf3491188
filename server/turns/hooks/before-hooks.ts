import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { HookStep } from "@/contracts/hooks/hooks";
import { findHiddenPlaces } from "@/server/hooks/changes-between";
import { hookIo } from "@/server/hooks/hook-io";
import { lookUpAnswer } from "@/server/hooks/look-up-answer";
import { maskValue } from "@/server/hooks/mask-value";
import { recordRuns } from "@/server/hooks/record-runs";
import { refusalSentence } from "@/server/hooks/refusal-sentences";
import { runHooks } from "@/server/hooks/run-hooks";
import { isStorable } from "@/server/platform/database/storable";
import { toErrorMessage } from "@/server/platform/errors";
import { inspectJson, maxArgumentDepth } from "@/server/platform/formats/json-shape";
import { log } from "@/server/platform/log";
import type { PreparedCall } from "@/server/tools/prepare-call";
import { decideCall } from "../decide/decide-call";
import { sentences } from "../outcome";
import { prepareRow } from "../prepare-row";
import type { CallRow } from "../read/present-turn";
import type { CachedResult } from "../step-data";
import type { TurnContext } from "../turn-context";
import { toHookContext } from "./call-hook-context";
import { type Filled, fillUnfit, withFilled } from "./fill-arguments";

type Prepared = Extract<PreparedCall, { kind: "ready" }>;

/** A call after its `before_tool` hooks, and the cached result of an earlier equal call. */
type Hooked = { prepared: PreparedCall; cached: CachedResult | null };

/**
 * Runs the `before_tool` hooks of a call, once. The changed arguments are kept in the call's row; they are decided on,
 * shown, run and recorded. A call with an approval is not hooked again, because people answered for exactly what they
 * saw.
 * @param prepared the call as planned
 * @returns the call prepared from its changed row
 */
export async function runBeforeHooks(context: TurnContext, row: CallRow, prepared: PreparedCall): Promise<Hooked> {
  if (context.hooks.before_tool.length === 0 || row.approvalId !== null) return { prepared, cached: null };
  try {
    return await hookFresh(context, row, prepared);
  } catch (error) {
    log().warn({ err: error, callId: row.id }, "the hooks of a call could not run");
    addSteps(row, [], false);
    if (row.hooks) row.hooks.refusal = sentences.denied(row.name, `Its hooks could not run: ${toErrorMessage(error)}`);
    return { prepared: prepareRow(context, row), cached: null };
  }
}

async function hookFresh(context: TurnContext, row: CallRow, first: PreparedCall): Promise<Hooked> {
  const hooks = context.hooks.before_tool;
  const filled = first.kind === "failed" && row.hooks === null ? await fillUnfit(context, row, first) : null;
  const sent = filled?.call ?? first;
  if (sent.kind === "failed") return { prepared: sent, cached: null };
  if (row.hooks === null) await rewrite(context, row, { sent, filled });
  const prepared = prepareRow(context, row);
  if (row.hooks?.refusal || prepared.kind === "failed") return { prepared, cached: null };
  const hookContext = toHookContext(context, row.id, "before_tool", prepared.registered, prepared.arguments);
  const { answer, ran } = lookUpAnswer(hooks, hookContext, prepared.arguments);
  recordRuns(hookContext, ran);
  if (answer)
    addSteps(
      row,
      ran.map(({ step }) => step),
      prepared.inBackground,
    );
  return { prepared, cached: answer && { value: answer } };
}

async function rewrite(context: TurnContext, row: CallRow, { sent, filled }: { sent: Prepared; filled: Filled | null }): Promise<void> {
  const hookContext = toHookContext(context, row.id, "before_tool", sent.registered, sent.arguments);
  const whyWithheld = withholding(context, sent);
  const alone = await runHooks(context.hooks.before_tool, hookContext, sent.arguments, { ...hookIo, whyWithheld });
  const chain = filled ? withFilled(alone, filled) : alone;
  if (chain.ran.length === 0) return;
  recordRuns(hookContext, chain.ran);
  addSteps(
    row,
    chain.ran.map(({ step }) => step),
    sent.inBackground,
  );
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
      const again = prepareRow(context, row);
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

function addSteps(row: CallRow, steps: readonly HookStep[], inBackground: boolean): void {
  row.hooks = { sent: null, refusal: null, inBackground, ...row.hooks, steps: [...(row.hooks?.steps ?? []), ...steps] };
}
