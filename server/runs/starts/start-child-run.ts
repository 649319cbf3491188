import "server-only";
import { and, eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { AgentRunLimits, type RunDraft, type RunModel } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { runs } from "@/db/schema";
import { findAgent } from "@/server/agents/find-agent";
import type { Authorized } from "@/server/auth/actor";
import { takeConversation } from "@/server/conversations/conversation-rate";
import { type ConversationRow, deletedMeanwhile, readConversation } from "@/server/conversations/find-conversation";
import { chainOf } from "@/server/models/fallback-chain";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { isForeignKeyViolation, isUniqueViolation } from "@/server/platform/database/sql-state";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";
import { driveRun } from "../drive-run";
import { loadRequester } from "../run-actor";
import { lowerLimits } from "../run-limits";
import { type OwnedRow, openRun } from "../run-row";
import { assertUsable, insertRunIn } from "./start-run";
import { openTriggered } from "./trigger";

/** Levels of agents below the first one. */
export const maxLevels = 3;

/** A limit is positive, so a parent that has spent everything leaves its child this much. */
const leastCostUsd = 0.001;

/** A task that the call of one agent hands to another agent, or to a restricted copy of itself. */
export type ChildTask = {
  workspaceId: string;
  /** The conversation and the call that hand the task on. */
  parent: { conversationId: string; callId: string };
  /** The actor of the parent's turn, for whom the child acts too. */
  requestedBy: ActorRef;
  agentId: string;
  message: string;
  /** Place among the tasks of the call; with the call's id it names the task. */
  place?: number;
  /** The call waits for the child, so the child is cancelled when the call ends before it. */
  isAwaited: boolean;
  /** A child's conversation that goes on; absent: a new one. */
  conversationId?: string;
  label?: string;
  /** The child may use only these tools of its agent. */
  allowedTools?: readonly string[];
  /** The child works in the parent's folder. */
  sharesFolder?: boolean;
  models?: readonly RunModel[];
  limits?: RunDraft["limits"];
};

export type ChildRun = { runId: string; conversationId: string };

/**
 * Starts the run of a task, exactly once: a call that runs again after a crash finds the run that it started before. The
 * conversation, the run, its message and the audit rows commit together.
 * @throws AppError `conflict` beyond the levels, and the errors of `startRun`
 */
export async function startChildRun(task: ChildTask): Promise<ChildRun> {
  const idempotencyKey = `delegate:${task.parent.callId}:${task.place ?? 0}`;
  const earlier = await findChild(task.agentId, idempotencyKey);
  if (earlier) return earlier;
  const parent = await assertParent(task.parent.conversationId);
  const requester = await loadRequester(task.workspaceId, task.requestedBy, task.parent.callId);
  const agent = await findAgent(db(), task.workspaceId, task.agentId);
  const actor = { ...requester, agentId: requester.agentId === null ? null : agent.id };
  const models = await chooseModels(task, agent.models);
  const { concurrentRuns, ...own } = AgentRunLimits.parse(agent.runLimits ?? {});
  const limits = lowerLimits({ ...lowerLimits({ ...own, concurrentRuns }, task.limits), concurrentRuns }, await leftOfParent(parent.id));
  await assertUsable(agent, models, limits);
  if (!task.conversationId) takeConversation(actor.id, env().maxConversationsPerMinute);
  const { message, allowedTools = null } = task;
  const values = {
    workspaceId: task.workspaceId,
    agentId: agent.id,
    idempotencyKey,
    requestDigest: sha256(canonicalJson({ message, allowedTools: allowedTools && [...allowedTools] })),
    models,
    limits,
    depth: parent.delegators.length + 1,
    awaitedBy: task.isAwaited ? task.parent.callId : null,
  };
  let row: OwnedRow;
  try {
    row = await db().transaction(async (tx) => {
      const conversationId = task.conversationId ?? (await openConversation(tx, actor, { task, parent, agent: agent.name }));
      return insertRunIn(tx, actor, agent, { ...values, conversationId }, { message, concurrentRuns });
    });
  } catch (error) {
    if (isForeignKeyViolation(error)) throw deletedMeanwhile();
    if (!isUniqueViolation(error)) throw error;
    const twin = await findChild(task.agentId, idempotencyKey);
    if (twin) return twin;
    throw new AppError("conflict", `${agent.name} still works on its last message. Wait for its answer, then send the next message.`);
  }
  driveRun(row);
  return { runId: row.id, conversationId: row.conversationId };
}

/** Loads the conversation that hands a task on. @throws AppError `conflict` beyond the levels, `not_found` */
async function assertParent(conversationId: string): Promise<ConversationRow> {
  const parent = await readConversation(conversationId);
  if (!parent) throw deletedMeanwhile();
  if (parent.delegators.length < maxLevels) return parent;
  throw new AppError(
    "conflict",
    `Delegation is limited to ${maxLevels} levels, and this agent is on the last one. Do the task yourself with the tools that you have.`,
  );
}

/**
 * Opens the conversation of a task that no run of ours carries out, such as that of an agent program. Its calls are those of
 * the parent's agent.
 */
export async function openChildConversation(task: Omit<ChildTask, "agentId" | "message" | "isAwaited">) {
  const parent = await assertParent(task.parent.conversationId);
  const requester = await loadRequester(task.workspaceId, task.requestedBy, task.parent.callId);
  const { name } = await findAgent(db(), task.workspaceId, parent.agentId);
  const opening = { task: { ...task, agentId: parent.agentId, message: "", isAwaited: true }, parent, agent: name };
  const conversationId = await db().transaction((tx) => openConversation(tx, requester, opening));
  return { conversationId, actor: requester };
}

async function findChild(agentId: string, idempotencyKey: string): Promise<ChildRun | null> {
  const [found] = await db()
    .select({ runId: runs.id, conversationId: runs.conversationId })
    .from(runs)
    .where(and(eq(runs.agentId, agentId), eq(runs.idempotencyKey, idempotencyKey)));
  return found ?? null;
}

async function chooseModels({ models, workspaceId }: ChildTask, own: readonly RunModel[]): Promise<RunModel[]> {
  if (models && models.length > 0) return [...models];
  return chainOf(workspaceId, own);
}

/** What the parent's run has left, because a child must not spend more than its parent may. */
async function leftOfParent(conversationId: string): Promise<RunDraft["limits"]> {
  const [run] = await db()
    .select()
    .from(runs)
    .where(and(eq(runs.conversationId, conversationId), openRun));
  if (!run) return {};
  const tokens = Math.max(1, run.limits.tokens - run.inputTokens - run.outputTokens);
  const { costUsd } = run.limits;
  return { tokens, ...(costUsd === null ? {} : { costUsd: Math.max(leastCostUsd, costUsd - run.costUsd) }) };
}

type Opening = { task: ChildTask; parent: ConversationRow; agent: string };

async function openConversation(tx: Db, actor: Authorized<"turns:write">, { task, parent, agent }: Opening): Promise<string> {
  const { name } = await findAgent(tx, task.workspaceId, parent.agentId);
  const delegators = [{ agentId: parent.agentId, agent: name, conversationId: parent.id }, ...parent.delegators];
  return openTriggered(tx, {
    workspaceId: task.workspaceId,
    agent: { id: task.agentId, name: agent },
    origin: "delegate",
    // Rules and approvals hold for the child as they do for the parent.
    interactive: parent.interactive,
    metadata: task.label ? { label: task.label } : {},
    createdBy: actor,
    by: actor,
    requestId: actor.requestId,
    callId: task.parent.callId,
    noted: { agent, delegators: delegators.map((by) => by.agent) },
    kinship: {
      channel: parent.channel,
      parentConversationId: parent.id,
      parentCallId: task.parent.callId,
      rootConversationId: parent.rootConversationId ?? parent.id,
      delegators,
      allowedTools: task.allowedTools ? [...task.allowedTools] : null,
      folderOf: task.sharesFolder ? (parent.folderOf ?? parent.id) : null,
    },
  });
}
