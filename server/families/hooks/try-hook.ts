import "server-only";
import type { z } from "zod";
import type { HookDraft, HookTrial, hookEndpoints } from "@/contracts/hooks/hooks";
import type { Authorized } from "@/server/auth/actor";
import { compileHook } from "@/server/hooks/compile-hook";
import { trialHookIo } from "@/server/hooks/hook-io";
import { maskValue } from "@/server/hooks/mask-value";
import { refusalSentence } from "@/server/hooks/refusal-sentences";
import { runHooks } from "@/server/hooks/run-hooks";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { findGuardedTool } from "@/server/policy/find-guarded-tool";
import { assertUsableHook } from "./assert-usable-hook";
import { callsForHook, type RecordedCall, recordedCall } from "./recorded-calls";

type TryOutBody = z.output<typeof hookEndpoints.tryOut.body>;
type TriedValue = Pick<RecordedCall, "hookContext" | "value"> & { callId: string | null };

/**
 * Shows the effect of an unsaved hook on a recorded call or an example. Sends, stores, counts and runs nothing.
 * @throws AppError `invalid` for a hook that cannot work, `not_found` for the call or the tool
 */
export async function tryHook(actor: Authorized<"hooks:write">, { hook: draft, callId, example }: TryOutBody): Promise<HookTrial> {
  const { workspaceId } = actor;
  await assertUsableHook(db(), workspaceId, draft);
  const hook = compileHook({ ...draft, id: newId(), version: 0 });
  const calls = await callsForHook(workspaceId, hook);
  const candidates = calls.map((call) => ({ callId: call.callId, tool: call.hookContext.tool?.name ?? "", at: call.at.toISOString() }));
  const seen = example ? await seenInExample(workspaceId, draft, example) : callId ? await chosen(workspaceId, draft, callId) : calls[0];
  if (!seen) {
    const why = draft.event.endsWith("_llm")
      ? "Calls of models are not recorded: try it on an example."
      : "No recorded call is one for this hook.";
    return { callId: null, matches: false, why, step: null, before: {}, after: {}, sentence: null, candidates };
  }
  const { hookContext, value } = seen;
  const { isMatch, why } = hook.matches(hookContext);
  const { ran, value: after, refusal, supplied } = await runHooks([hook], hookContext, value, trialHookIo);
  const step = ran[0]?.step ?? null;
  const left = supplied === null ? after : typeof supplied === "string" ? { text: supplied } : supplied;
  return {
    callId: seen.callId,
    matches: isMatch,
    why,
    step,
    // No argument places are masked here: the recorded values are readable anyway, and the try-out shows what the hook would hide.
    before: maskValue(value, []),
    after: maskValue(left, []),
    sentence: refusal && refusalSentence(hookContext, refusal),
    candidates,
  };
}

async function chosen(workspaceId: string, { event }: HookDraft, callId: string): Promise<TriedValue> {
  const call = await recordedCall(workspaceId, event, callId);
  if (!call) throw new AppError("not_found", "There is no such call for this event, or its tool is gone. Choose another one.");
  return call;
}

async function seenInExample(
  workspaceId: string,
  { event, match }: HookDraft,
  { tool: name, value }: NonNullable<TryOutBody["example"]>,
): Promise<TriedValue> {
  const tool = event.endsWith("_llm") || name === null ? null : await findGuardedTool(workspaceId, name);
  const agent = { id: match.agentId ?? newId(), name: "example" };
  const place = { event, workspaceId, conversationId: newId(), turnId: null, callId: null };
  return { callId: null, hookContext: { ...place, agent, tool, arguments: value }, value };
}
