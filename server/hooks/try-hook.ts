import "server-only";
import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import type { HookDraft, HookEvent, HookTrial, hookEndpoints } from "@/contracts/hooks";
import { agents, conversations, toolCalls, turns } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import type { GuardedTool } from "@/server/guard/asked-call";
import { findGuardedTool, listGuardedTools } from "@/server/guard/find-guarded-tool";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { hiddenPlaces } from "./changes-between";
import { compileHook } from "./compile-hook";
import { demandUsableHook } from "./demand-usable-hook";
import { trialMeans } from "./hook-means";
import { masked } from "./masked-value";
import { refusalSentence } from "./refusal-sentences";
import { runHooks } from "./run-hooks";
import type { HookScene } from "./scene";

type Asked = z.output<typeof hookEndpoints.tryOut.body>;
type Seen = { scene: HookScene; value: JsonObject };

/**
 * What a hook being written would do to a recorded call or to an example. Nothing is sent, stored, counted or run.
 * @throws AppError `invalid` for a hook that could not do its work, `not_found` for the call or the tool
 */
export async function tryHook(actor: Holder<"hooks:write">, { hook: draft, callId, example }: Asked): Promise<HookTrial> {
  const { workspaceId } = actor;
  await demandUsableHook(db(), workspaceId, draft);
  const seen = callId !== null ? await seenInCall(workspaceId, draft.event, callId) : await seenInExample(workspaceId, draft, example);
  const { scene, value } = seen;
  const hook = compileHook({ ...draft, id: newId(), version: 0 });
  const { isMatch, why } = hook.matches(scene);
  const { ran, value: after, refusal, supplied } = await runHooks([hook], scene, value, trialMeans);
  const step = ran[0]?.step ?? null;
  const places = hiddenPlaces(step?.changes ?? []);
  const left = supplied === null ? after : typeof supplied === "string" ? { text: supplied } : supplied;
  return {
    matches: isMatch,
    why,
    step,
    before: masked(value, places),
    after: masked(left, []),
    sentence: refusal && refusalSentence(scene, refusal),
  };
}

async function seenInCall(workspaceId: string, event: HookEvent, callId: string): Promise<Seen> {
  if (event === "before_llm" || event === "after_llm") {
    const message = "calls of models are not recorded; give an example";
    throw new AppError("invalid", "Calls of models are not recorded. Try the hook on an example.", {
      errors: [{ path: "callId", message }],
    });
  }
  const [found] = await db()
    .select({ call: toolCalls, agent: { id: agents.id, name: agents.name }, conversationId: conversations.id })
    .from(toolCalls)
    .innerJoin(turns, eq(turns.id, toolCalls.turnId))
    .innerJoin(conversations, eq(conversations.id, turns.conversationId))
    .innerJoin(agents, eq(agents.id, conversations.agentId))
    .where(and(eq(toolCalls.id, callId), eq(toolCalls.workspaceId, workspaceId)));
  const tool = found && (await listGuardedTools(db(), workspaceId)).find(({ name }) => name === found.call.name);
  if (!found || !tool) throw new AppError("not_found", "This call does not exist, or its tool is gone. Choose another one.");
  const { call, agent, conversationId } = found;
  const result = { text: call.content, ...(call.structuredContent ? { structuredContent: call.structuredContent } : {}) };
  const values: Record<"before_tool" | "after_tool" | "on_error", JsonObject> = {
    before_tool: call.arguments,
    after_tool: result,
    on_error: { text: call.content, status: call.status },
  };
  const scene = { event, workspaceId, conversationId, turnId: call.turnId, callId, agent, tool, arguments: call.arguments };
  return { scene, value: values[event] };
}

async function seenInExample(workspaceId: string, { event, match }: HookDraft, example: Asked["example"]): Promise<Seen> {
  const value = example?.value ?? {};
  const isOfModel = event === "before_llm" || event === "after_llm";
  const tool: GuardedTool | null = isOfModel || !example?.tool ? null : await findGuardedTool(db(), workspaceId, example.tool);
  const agent = { id: match.agentId ?? newId(), name: "example" };
  return { scene: { event, workspaceId, conversationId: newId(), turnId: null, callId: null, agent, tool, arguments: value }, value };
}
