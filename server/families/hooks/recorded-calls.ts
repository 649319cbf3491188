import "server-only";
import { and, desc, eq, inArray } from "drizzle-orm";
import { finalCallStatuses } from "@/contracts/calls/call-statuses";
import type { JsonObject } from "@/contracts/common";
import type { HookEvent } from "@/contracts/hooks/hook-actions";
import { agents, conversations, toolCalls, turns } from "@/db/schema";
import type { CompiledHook } from "@/server/hooks/compile-hook";
import type { HookContext } from "@/server/hooks/hook-context";
import { db } from "@/server/platform/database/database";
import { listGuardedTools } from "@/server/policy/find-guarded-tool";

/** A recorded call in the form that a hook receives. */
export type RecordedCall = { callId: string; at: Date; hookContext: HookContext; value: JsonObject };

const lookedAt = 500;
const offered = 20;

/** Returns the newest finished calls that a hook matches. */
export async function callsForHook(workspaceId: string, hook: CompiledHook): Promise<RecordedCall[]> {
  const recorded = await read(workspaceId, hook.event, null);
  return recorded.filter(({ hookContext }) => hook.matches(hookContext).isMatch).slice(0, offered);
}

/** Returns one recorded call; undefined when the call does not exist, or its tool no longer does. */
export async function recordedCall(workspaceId: string, event: HookEvent, callId: string): Promise<RecordedCall | undefined> {
  return (await read(workspaceId, event, callId))[0];
}

async function read(workspaceId: string, event: HookEvent, callId: string | null): Promise<RecordedCall[]> {
  if (event === "before_llm" || event === "after_llm") return [];
  const rows = await db()
    .select({ call: toolCalls, agent: { id: agents.id, name: agents.name }, conversationId: conversations.id })
    .from(toolCalls)
    .innerJoin(turns, eq(turns.id, toolCalls.turnId))
    .innerJoin(conversations, eq(conversations.id, turns.conversationId))
    .innerJoin(agents, eq(agents.id, conversations.agentId))
    .where(
      and(
        eq(toolCalls.workspaceId, workspaceId),
        callId === null ? inArray(toolCalls.status, finalCallStatuses) : eq(toolCalls.id, callId),
        event === "on_error" ? inArray(toolCalls.status, ["failed", "timed_out"]) : undefined,
        event === "after_tool" ? inArray(toolCalls.status, ["succeeded", "failed", "timed_out"]) : undefined,
      ),
    )
    .orderBy(desc(toolCalls.id))
    .limit(callId === null ? lookedAt : 1);
  const tools = new Map((await listGuardedTools(workspaceId)).map((tool) => [tool.name, tool]));
  return rows.flatMap(({ call, agent, conversationId }) => {
    const tool = tools.get(call.name);
    if (!tool) return [];
    const result = { text: call.content, ...(call.structuredContent ? { structuredContent: call.structuredContent } : {}) };
    const value = event === "before_tool" ? call.arguments : event === "after_tool" ? result : { text: call.content, status: call.status };
    const place = { event, workspaceId, conversationId, turnId: call.turnId, callId: call.id };
    return [{ callId: call.id, at: call.createdAt, hookContext: { ...place, agent, tool, arguments: call.arguments }, value }];
  });
}
