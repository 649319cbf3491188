import "server-only";
import { and, desc, eq, inArray, isNotNull } from "drizzle-orm";
import type { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import type { guardEndpoints, RulePreview } from "@/contracts/guard/guard";
import type { Db } from "@/db/client";
import { agents, conversations, toolCalls, turns } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { analyzeCallIfReadable } from "@/server/guard/call/analyzed-call";
import type { GuardContext, GuardedTool } from "@/server/guard/call/guard-request";
import { patternSubjectText } from "@/server/guard/call/pattern-subject";
import { type Policy, withRule } from "@/server/guard/compile-policy";
import { decide } from "@/server/guard/decide";
import { type CompiledRule, compileRule, type RuleContent } from "@/server/guard/matching/compile-rule";
import { evaluateRule } from "@/server/guard/matching/evaluate-rule";
import { toolPatternMistake } from "@/server/guard/matching/tool-pattern";
import { findEarlierDecision } from "@/server/guard/reach/find-unreached-rules";
import { db } from "@/server/platform/database/database";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { newId } from "@/server/platform/ids";
import { maskInText } from "@/server/secrets/mask-secrets";
import { loadPolicy } from "../policy";
import { canonicalToolName } from "../rules/assert-usable-rule";
import { findRule } from "../rules/find-rule";
import { readRulesAndTools } from "../rules/unreached-rules";
import { readArgumentNames } from "../warnings/argument-names";
import { ruleWarnings } from "../warnings/rule-warnings";
import { contextColumns, recordedContexts, sandboxedIn } from "./recorded-context";

type PreviewBody = z.output<typeof guardEndpoints.previewRule.body>;
type RecordedCall = { id: string; name: string; arguments: JsonObject; context: GuardContext; at: Date };
type PreviewedCall = RulePreview["calls"][number];

/** Newest calls of the workspace among which calls of the rule's tools are searched. */
const maxCallsLookedAt = 5_000;
const maxSeenChars = 4_000;

/**
 * Previews an unsaved rule on the newest recorded calls of the tools that the rule covers. Saves nothing, and accepts a
 * pattern that is not valid yet.
 * @throws AppError `not_found` for the rule to be replaced
 */
export async function previewRule(actor: Authorized<"guard:read">, { rule: draft, id, last }: PreviewBody): Promise<RulePreview> {
  const { workspaceId } = actor;
  if (id !== null) await findRule(db(), workspaceId, id);
  const tool = await canonicalToolName(db(), workspaceId, draft.tool);
  const content: RuleContent = { ...draft, tool, id: id ?? newId() };
  const rule = compileRule(content);
  const pattern = rule.pattern();
  const mistake = toolPatternMistake(tool, { forRule: true });

  const { rules, deniedTools, tools } = await readRulesAndTools(workspaceId);
  const covered = new Map(tools.filter(rule.covers).map((row) => [row.name, row]));
  const recorded = await lastCalls(workspaceId, [...covered.keys()], last);
  const current = await loadPolicy(workspaceId);
  const policy = withRule(current, content);
  const exclude = rule.exclude();
  const usable = pattern?.ok !== false && exclude?.ok !== false;
  const calls = recorded.flatMap((call) => {
    const row = covered.get(call.name);
    return row ? [previewOf(call, row, { rule, current, policy, usable })] : [];
  });
  return {
    patternError: pattern?.ok === false ? pattern.error : mistake === null ? null : { message: mistake, index: null },
    excludeError: exclude?.ok === false ? exclude.error : null,
    tools: [...covered.keys()],
    neverReachedBecauseOf: findEarlierDecision(content, rules, { deniedTools, tools, now: sharedNowMs() }),
    warnings: ruleWarnings({ ...draft, tool }, tools, await readArgumentNames(db(), workspaceId)),
    examined: calls.length,
    matched: calls.filter(({ result }) => result === "matched").length,
    calls,
  };
}

/** The result of every rule for a call that cannot be analyzed. */
const unreadable = { result: "could_not_evaluate", why: () => "The call is too much to be read with certainty, so it is denied." } as const;

function previewOf(
  { id, arguments: args, context, at }: RecordedCall,
  tool: GuardedTool,
  { rule, current, policy, usable }: { rule: CompiledRule; current: Policy; policy: Policy; usable: boolean },
): PreviewedCall {
  const call = { tool, arguments: args, context };
  const read = analyzeCallIfReadable(call, current.sensitivePaths);
  const { result, why } = read ? evaluateRule(rule, read, sharedNowMs()) : unreadable;
  const before = decide(current, read ?? call, sharedNowMs()).verdict;
  // An invalid pattern cannot be saved, so the verdict stays as before.
  const after = usable ? decide(policy, read ?? call, sharedNowMs()).verdict : before;
  return {
    callId: id,
    tool: tool.name,
    at: at.toISOString(),
    seen: shown(patternSubjectText(call, rule.parameter)),
    result,
    why: why(),
    before,
    after,
  };
}

/** Masks and cuts a text, because people with `guard:read` may not read every secret. */
function shown(text: string): string {
  const masked = maskInText(text.slice(0, maxSeenChars));
  return text.length > maxSeenChars ? `${masked}…` : masked;
}

/** Reads the newest calls that the guard decided. Pending calls are included, because they are often the reason for the rule. */
async function lastCalls(workspaceId: string, names: readonly string[], limit: number): Promise<RecordedCall[]> {
  if (names.length === 0) return [];
  const newest = newestCalls(db(), workspaceId);
  const contextOf = await recordedContexts(workspaceId);
  const { id, name, arguments: args, createdAt, finishedAt } = newest;
  const rows = await db()
    .select({ id, name, arguments: args, createdAt, finishedAt, sandboxed: sandboxedIn(newest.decision), ...contextColumns })
    .from(newest)
    .innerJoin(turns, eq(turns.id, newest.turnId))
    .innerJoin(conversations, eq(conversations.id, turns.conversationId))
    .innerJoin(agents, eq(agents.id, conversations.agentId))
    .where(and(inArray(newest.name, [...names]), isNotNull(newest.decision)))
    .orderBy(desc(newest.id))
    .limit(limit);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    arguments: row.arguments,
    context: contextOf(row),
    at: row.finishedAt ?? row.createdAt,
  }));
}

function newestCalls(tx: Db, workspaceId: string) {
  const { id, turnId, name, arguments: args, status, decision, createdAt, finishedAt } = toolCalls;
  return tx
    .select({ id, turnId, name, arguments: args, status, decision, createdAt, finishedAt })
    .from(toolCalls)
    .where(eq(toolCalls.workspaceId, workspaceId))
    .orderBy(desc(toolCalls.id))
    .limit(maxCallsLookedAt)
    .as("newest");
}
