import "server-only";
import type { z } from "zod";
import type { HookDraft, HookTrial, hookEndpoints } from "@/contracts/hooks";
import type { Holder } from "@/server/auth/actor";
import { findGuardedTool } from "@/server/guard/find-guarded-tool";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { compileHook } from "./compile-hook";
import { demandUsableHook } from "./demand-usable-hook";
import { trialMeans } from "./hook-means";
import { masked } from "./masked-value";
import { callsForHook, type RecordedCall, recordedCall } from "./recorded-calls";
import { refusalSentence } from "./refusal-sentences";
import { runHooks } from "./run-hooks";

type Asked = z.output<typeof hookEndpoints.tryOut.body>;
type Seen = Pick<RecordedCall, "scene" | "value"> & { callId: string | null };

/**
 * What a hook being written would do to a recorded call or to an example. Nothing is sent, stored, counted or run.
 * @throws AppError `invalid` for a hook that could not do its work, `not_found` for the call or the tool
 */
export async function tryHook(actor: Holder<"hooks:write">, { hook: draft, callId, example }: Asked): Promise<HookTrial> {
  const { workspaceId } = actor;
  await demandUsableHook(db(), workspaceId, draft);
  const hook = compileHook({ ...draft, id: newId(), version: 0 });
  const calls = await callsForHook(workspaceId, hook);
  const candidates = calls.map((call) => ({ callId: call.callId, tool: call.scene.tool?.name ?? "", at: call.at.toISOString() }));
  const seen = example ? await seenInExample(workspaceId, draft, example) : callId ? await chosen(workspaceId, draft, callId) : calls[0];
  if (!seen) {
    const why = draft.event.endsWith("_llm")
      ? "Calls of models are not recorded: try it on an example."
      : "No recorded call is one for this hook.";
    return { callId: null, matches: false, why, step: null, before: {}, after: {}, sentence: null, candidates };
  }
  const { scene, value } = seen;
  const { isMatch, why } = hook.matches(scene);
  const { ran, value: after, refusal, supplied } = await runHooks([hook], scene, value, trialMeans);
  const step = ran[0]?.step ?? null;
  const left = supplied === null ? after : typeof supplied === "string" ? { text: supplied } : supplied;
  return {
    callId: seen.callId,
    matches: isMatch,
    why,
    step,
    // What was recorded is there to be read anyway: a try-out shows what would be hidden from now on.
    before: masked(value, []),
    after: masked(left, []),
    sentence: refusal && refusalSentence(scene, refusal),
    candidates,
  };
}

async function chosen(workspaceId: string, { event }: HookDraft, callId: string): Promise<Seen> {
  const call = await recordedCall(workspaceId, event, callId);
  if (!call) throw new AppError("not_found", "There is no such call for this event, or its tool is gone. Choose another one.");
  return call;
}

async function seenInExample(
  workspaceId: string,
  { event, match }: HookDraft,
  { tool: name, value }: NonNullable<Asked["example"]>,
): Promise<Seen> {
  const tool = event.endsWith("_llm") || name === null ? null : await findGuardedTool(db(), workspaceId, name);
  const agent = { id: match.agentId ?? newId(), name: "example" };
  const place = { event, workspaceId, conversationId: newId(), turnId: null, callId: null };
  return { callId: null, scene: { ...place, agent, tool, arguments: value }, value };
}
