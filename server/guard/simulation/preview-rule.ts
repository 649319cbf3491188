import "server-only";
import { and, desc, eq, inArray, isNotNull } from "drizzle-orm";
import type { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import type { guardEndpoints, RulePreview } from "@/contracts/guard";
import { finalCallStatuses } from "@/contracts/turns";
import type { Db } from "@/db/client";
import { agents, conversations, toolCalls, turns } from "@/db/schema";
import { maskInText } from "@/server/audit/mask-secrets";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { newId } from "@/server/platform/ids";
import type { CallContext, GuardedTool } from "../asked-call";
import { onTrialIfReadable } from "../call-on-trial";
import { type CompiledRule, compileRule, type Policy, type RuleContent, withRule } from "../compile-policy";
import { decide } from "../decide";
import { listGuardedTools } from "../find-guarded-tool";
import { toolPatternMistake } from "../matching/tool-pattern";
import { tryRule } from "../matching/try-rule";
import { policyOf } from "../policy";
import { canonicalToolName } from "../rules/demand-usable-rule";
import { findRule } from "../rules/find-rule";
import { seenText } from "../seen-text";
import { contextColumns, recordedContexts } from "./recorded-context";

type Asked = z.output<typeof guardEndpoints.previewRule.body>;
type RecordedCall = { id: string; name: string; arguments: JsonObject; context: CallContext; at: Date };
type PreviewedCall = RulePreview["calls"][number];

/** How far back calls of the rule's tools are looked for. */
const maxCallsLookedAt = 5_000;
const maxSeenChars = 4_000;

/**
 * What a rule being written does to the last finished calls of the tools that it covers. Saves nothing, and takes a
 * pattern that is not valid yet.
 * @throws AppError `not_found` for the rule that it would replace
 */
export async function previewRule(actor: Holder<"guard:read">, { rule: draft, id, last }: Asked): Promise<RulePreview> {
  const { workspaceId } = actor;
  if (id !== null) await findRule(db(), workspaceId, id);
  const tool = await canonicalToolName(db(), workspaceId, draft.tool);
  const content: RuleContent = { ...draft, tool, id: id ?? newId() };
  const rule = compileRule(content);
  const pattern = rule.pattern();
  const mistake = toolPatternMistake(tool);

  const covered = new Map((await listGuardedTools(db(), workspaceId)).filter(rule.covers).map((row) => [row.name, row]));
  const recorded = await lastCalls(workspaceId, [...covered.keys()], last);
  const current = await policyOf(workspaceId);
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
    examined: calls.length,
    matched: calls.filter(({ result }) => result === "matched").length,
    calls,
  };
}

/** What any rule says of a call that is too much to be read. */
const unreadable = { result: "could_not_evaluate", why: () => "The call is too much to be read with certainty, so it is denied." } as const;

function previewOf(
  { id, arguments: args, context, at }: RecordedCall,
  tool: GuardedTool,
  { rule, current, policy, usable }: { rule: CompiledRule; current: Policy; policy: Policy; usable: boolean },
): PreviewedCall {
  const call = { tool, arguments: args, context };
  const read = onTrialIfReadable(call);
  const { result, why } = read ? tryRule(rule, read, Date.now()) : unreadable;
  const before = decide(current, call).verdict;
  // A pattern that cannot be saved changes nothing.
  const after = usable ? decide(policy, call).verdict : before;
  return {
    callId: id,
    tool: tool.name,
    at: at.toISOString(),
    seen: shown(seenText(call, rule.parameter)),
    result,
    why: why(),
    before,
    after,
  };
}

/** People may read the policy who may not read every secret, and a preview is for looking at. */
function shown(text: string): string {
  const masked = maskInText(text.slice(0, maxSeenChars));
  return text.length > maxSeenChars ? `${masked}…` : masked;
}

/** The newest calls that the guard decided about and that have ended. */
async function lastCalls(workspaceId: string, names: readonly string[], limit: number): Promise<RecordedCall[]> {
  if (names.length === 0) return [];
  const newest = newestCalls(db(), workspaceId);
  const contextOf = await recordedContexts(workspaceId);
  const { id, name, arguments: args, createdAt, finishedAt } = newest;
  const rows = await db()
    .select({ id, name, arguments: args, createdAt, finishedAt, ...contextColumns })
    .from(newest)
    .innerJoin(turns, eq(turns.id, newest.turnId))
    .innerJoin(conversations, eq(conversations.id, turns.conversationId))
    .innerJoin(agents, eq(agents.id, conversations.agentId))
    .where(and(inArray(newest.name, [...names]), inArray(newest.status, finalCallStatuses), isNotNull(newest.decision)))
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
