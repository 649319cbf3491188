import "server-only";
import { and, eq } from "drizzle-orm";
import type { RuleStart } from "@/contracts/guard/guard";
import { toolCalls } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { analyzeCallIfReadable } from "@/server/guard/call/analyzed-call";
import { patternSubjectText } from "@/server/guard/call/pattern-subject";
import { patternsFor } from "@/server/guard/grants/grant-patterns";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { maskInText } from "@/server/secrets/mask-secrets";
import { findGuardedTool } from "../find-guarded-tool";

/**
 * Returns what a rule about calls like a recorded one begins with. The pattern is the narrowest that a grant for the call
 * would have.
 * @throws AppError `not_found` for an unknown call, and for a tool that was removed
 */
export async function startRuleFromCall({ workspaceId }: Authorized<"guard:read">, callId: string): Promise<RuleStart> {
  const { name, arguments: args, decision } = toolCalls;
  const [call] = await db()
    .select({ name, args, decision })
    .from(toolCalls)
    .where(and(eq(toolCalls.id, callId), eq(toolCalls.workspaceId, workspaceId)));
  if (!call) throw new AppError("not_found", "This call does not exist. GET /api/v1/calls lists the recent ones.");
  const tool = await findGuardedTool(workspaceId, call.name);
  const request = { tool, arguments: call.args, context: { interactive: true } };
  const seen = patternSubjectText(request, null);
  const analyzed = analyzeCallIfReadable(request);
  // The stored arguments are masked: a text with a mask would be a pattern that matches no call.
  const [proposed] = analyzed ? patternsFor(analyzed).filter(({ label }) => !label.includes(mask)) : [];
  return {
    tool: tool.name,
    pattern: proposed?.pattern ?? null,
    seen: seen.includes(mask) || maskInText(seen) !== seen ? null : seen,
    verdict: call.decision?.verdict ?? null,
  };
}

const mask = "***";
