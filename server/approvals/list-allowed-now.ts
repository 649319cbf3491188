import { sharedNowMs } from "@/server/platform/database/shared-clock";
import "server-only";
import { and, asc, eq, sql } from "drizzle-orm";
import type { InboxRow } from "@/contracts/approvals/approvals";
import { agents, approvals, conversations, toolCalls, turns } from "@/db/schema";
import { openArguments } from "@/server/audit/kept-arguments";
import type { Authorized } from "@/server/auth/actor";
import { decide } from "@/server/guard/decide";
import { db } from "@/server/platform/database/database";
import { makeYieldToEventLoop } from "@/server/platform/yield-to-event-loop";
import { listGuardedTools } from "@/server/policy/find-guarded-tool";
import { loadPolicy } from "@/server/policy/policy";
import { contextColumns, recordedContexts, sandboxedIn } from "@/server/policy/simulation/recorded-context";
import { isEscalatedSql } from "./approval-filter";
import { lineColumns, presentLine } from "./list-inbox";

const maxExamined = 5_000;
const maxListed = 200;

/**
 * Lists pending calls that the current policy and grants would allow, because a rule or grant was saved since the request.
 * Decides none of them, because a person was asked and a person answers.
 */
export async function listAllowedNow(actor: Authorized<"approvals:read">): Promise<{ items: InboxRow[]; total: number; examined: number }> {
  const { workspaceId } = actor;
  const [rows, policy, tools, contextOf] = await Promise.all([
    waitingCalls(workspaceId),
    loadPolicy(workspaceId),
    listGuardedTools(workspaceId),
    recordedContexts(workspaceId),
  ]);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const yieldToEventLoop = makeYieldToEventLoop();
  const items: InboxRow[] = [];
  let total = 0;
  for (const { line, call, sandboxed, isEscalated, ...from } of rows) {
    await yieldToEventLoop();
    const tool = byName.get(line.toolName);
    const opened = openArguments(call);
    // Arguments that cannot be opened are masked, and the guard must not decide on masked arguments.
    if (!tool || opened.sealedArguments !== null) continue;
    const { verdict } = decide(policy, { tool, arguments: opened.arguments, context: contextOf({ ...from, sandboxed }) }, sharedNowMs());
    if (verdict !== "allow") continue;
    total += 1;
    if (items.length < maxListed) items.push(presentLine({ ...line, isEscalated }, actor));
  }
  return { items, total, examined: rows.length };
}

/** Selects pending approvals of calls. Gates of running tools are left out, because no rule answers them. */
function waitingCalls(workspaceId: string) {
  return db()
    .select({
      line: lineColumns,
      call: { arguments: toolCalls.arguments, sealedArguments: toolCalls.sealedArguments },
      sandboxed: sandboxedIn(approvals.decision),
      isEscalated: isEscalatedSql,
      ...contextColumns,
    })
    .from(approvals)
    .innerJoin(toolCalls, eq(toolCalls.id, approvals.callId))
    .innerJoin(turns, eq(turns.id, approvals.turnId))
    .innerJoin(conversations, eq(conversations.id, approvals.conversationId))
    .innerJoin(agents, eq(agents.id, conversations.agentId))
    .where(
      and(
        eq(approvals.workspaceId, workspaceId),
        eq(approvals.status, "pending"),
        eq(approvals.kind, "call"),
        sql`not ${approvals.arguments} ? 'gate'`,
      ),
    )
    .orderBy(asc(approvals.expiresAt), asc(approvals.id))
    .limit(maxExamined);
}
