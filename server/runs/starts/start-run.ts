import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { AgentRunLimits, type Run, type RunDraft, type RunLimits, type RunModel } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { agents, artifacts, runMessages, runs } from "@/db/schema";
import { findAgent } from "@/server/agents/find-agent";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { createConversation } from "@/server/conversations/create-conversation";
import { deletedMeanwhile, findConversation, maySee } from "@/server/conversations/find-conversation";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { isForeignKeyViolation, isUniqueViolation } from "@/server/platform/database/sql-state";
import { AppError } from "@/server/platform/errors";
import { bootId } from "@/server/platform/ids";
import { loadAttachments, type SentFiles } from "../attachments";
import { driveRun } from "../drive-run";
import { readRun } from "../read/load-run";
import { waitForRun } from "../read/wait-for-run";
import { lowerLimits } from "../run-limits";
import { hasPrices, loadChainProviders, modelsOfRun } from "../run-models";
import { isEnded, type OwnedRow, openRun, ownedColumns } from "../run-row";
import { toRow } from "../save-run";
import { originalMessage, supersedeRuns } from "./supersede-runs";

type AgentRow = Awaited<ReturnType<typeof findAgent>>;
type Submission = { agentId: string; draft: RunDraft; idempotencyKey: string | null; signal: AbortSignal };

/**
 * Starts a run. Once this has returned, the run is never lost: this process works on it, and another replica takes it up when the
 * process dies.
 * @returns the run as it stands after `wait` seconds at the most
 * @throws AppError `not_found`, `conflict`, `invalid`, `too_many_requests`, `idempotency_mismatch`
 */
export async function startRun(actor: Authorized<"turns:write">, { agentId, draft, idempotencyKey, signal }: Submission): Promise<Run> {
  const agent = await findAgent(db(), actor.workspaceId, agentId);
  if (!maySee(actor, { agentId }))
    throw new AppError("forbidden", `This API key is bound to another agent and cannot run "${agent.name}".`);
  const { wait, ...request } = draft;
  const requestDigest = sha256(canonicalJson(request));
  const earlier = idempotencyKey && (await findEarlier(agentId, idempotencyKey, requestDigest));
  if (earlier) return waitForRun(earlier, wait, signal);
  const models = await modelsOfRun(agent, draft.conversationId);
  const { concurrentRuns, ...own } = AgentRunLimits.parse(agent.runLimits ?? {});
  const limits = lowerLimits({ ...own, concurrentRuns }, draft.limits);
  await assertUsable(agent, models, limits);
  refuseWithoutConversation(draft);
  const conversationId = draft.conversationId
    ? await assertConversationOf(actor, agent, draft.conversationId)
    : (await createConversation(actor, { agent: agentId, origin: "chat", metadata: {} })).conversation.id;
  const files = await loadAttachments(agent, conversationId, draft.attachments);
  const message = await originalMessage(conversationId, draft);
  const values = { workspaceId: actor.workspaceId, agentId, conversationId, idempotencyKey, requestDigest, models, limits };
  let row: OwnedRow;
  try {
    row = await insertRun(actor, agent, values, { message, replaces: draft.replaces, files, concurrentRuns });
  } catch (error) {
    if (isForeignKeyViolation(error)) throw deletedMeanwhile();
    if (!isUniqueViolation(error)) throw error;
    const twin = idempotencyKey && (await findEarlier(agentId, idempotencyKey, requestDigest));
    if (twin) return waitForRun(twin, wait, signal);
    throw new AppError(
      "conflict",
      "A run of this conversation has not ended. Wait for its end with GET /api/v1/runs/{id}?wait=60, or cancel it, then send the message again.",
    );
  }
  driveRun(row);
  return wait > 0 ? waitForRun(row.id, wait, signal) : readRun(row.id);
}

/** Returns 200 for a run that has ended, otherwise 202 with the address to poll. */
export function toRunStatus(run: Run): { status: number; headers?: Record<string, string> } {
  return isEnded(run) ? { status: 200 } : { status: 202, headers: { location: `/api/v1/runs/${run.id}` } };
}

type Values = Pick<
  typeof runs.$inferInsert,
  "workspaceId" | "agentId" | "conversationId" | "idempotencyKey" | "requestDigest" | "models" | "limits" | "depth" | "awaitedBy"
> & { limits: RunLimits };

async function insertRun(
  actor: Authorized<"turns:write">,
  agent: AgentRow,
  values: Values,
  { message, replaces, files, concurrentRuns }: { message: string; replaces: string | undefined; files: SentFiles; concurrentRuns: number },
): Promise<OwnedRow> {
  return db().transaction((tx) => insertRunIn(tx, actor, agent, values, { message, replaces, files, concurrentRuns }));
}

type RunOpening = {
  message: string;
  concurrentRuns: number;
  /** The run whose message this one replaces. */
  replaces?: string | undefined;
  files?: SentFiles;
};

/** Inserts a run of ours in the caller's transaction. @throws AppError `too_many_requests` */
export async function insertRunIn(
  tx: Db,
  actor: Authorized<"turns:write">,
  agent: AgentRow,
  values: Values,
  { message, concurrentRuns, replaces, files }: RunOpening,
): Promise<OwnedRow> {
  // Two starts of one moment must not both find the last free place.
  await tx.select({ id: agents.id }).from(agents).where(eq(agents.id, agent.id)).for("no key update");
  const open = await tx.$count(runs, and(eq(runs.agentId, agent.id), openRun));
  if (open >= concurrentRuns) {
    throw new AppError(
      "too_many_requests",
      `"${agent.name}" has reached its limit of unfinished runs (${open}). Wait for the end of one, cancel one, or raise the agent's limit.`,
      { retryAfterSeconds: 5 },
    );
  }
  const [row] = await tx
    .insert(runs)
    .values({
      ...values,
      status: "running",
      claimedBy: bootId(),
      requestedBy: toActorRef(actor),
      messageCount: 1,
      deadlineAt: sql`now() + make_interval(secs => ${values.limits.seconds})`,
    })
    .returning(ownedColumns);
  if (!row) throw new Error("The run was not inserted");
  if (files && files.artifacts.length > 0) await tx.insert(artifacts).values(files.artifacts);
  await tx.insert(runMessages).values(toRow(row.id, 0, { role: "user", content: { text: message, ...files?.content } }));
  if (replaces) await supersedeRuns(tx, actor, row, replaces);
  await record(tx, {
    workspaceId: row.workspaceId,
    event: "run.started",
    actor: toActorRef(actor),
    subject: row.id,
    agent: agent.name,
    conversationId: row.conversationId,
    data: { models: values.models, limits: values.limits, ...(values.depth ? { depth: values.depth } : {}) },
    requestId: actor.requestId,
  });
  return row;
}

/** @throws AppError `conflict` without a model, `invalid` for a cost limit without prices */
export async function assertUsable(agent: AgentRow, models: readonly RunModel[], limits: RunLimits): Promise<void> {
  if (models.length === 0) {
    throw new AppError(
      "conflict",
      `"${agent.name}" has no model. Choose one in the agent's settings, or add a provider in Settings → Models.`,
    );
  }
  if (limits.costUsd === null) return;
  const providers = await loadChainProviders(agent.workspaceId, models);
  const unpriced = models.find((model) => !hasPrices(providers, model));
  if (!unpriced) return;
  throw new AppError(
    "invalid",
    `The cost of the run cannot be limited, because ${unpriced.model} has no prices. Add them in Settings → Models.`,
    {
      errors: [{ path: "limits.costUsd", message: `${unpriced.model} has no prices` }],
    },
  );
}

/** Attachments and replaced messages belong to a conversation that exists already. */
function refuseWithoutConversation({ conversationId, attachments = [], replaces }: RunDraft): void {
  if (conversationId) return;
  const path = replaces ? "replaces" : attachments.length > 0 ? "attachments" : null;
  if (!path) return;
  throw new AppError("invalid", `${path} needs conversationId. POST /api/v1/conversations opens a conversation.`, {
    errors: [{ path: "conversationId", message: `is needed with ${path}` }],
  });
}

async function assertConversationOf(actor: Authorized<"turns:write">, agent: AgentRow, conversationId: string): Promise<string> {
  const conversation = await findConversation(actor, conversationId);
  if (conversation.agentId === agent.id) return conversation.id;
  throw new AppError(
    "conflict",
    `This conversation belongs to another agent than "${agent.name}". Leave conversationId out to begin a new one.`,
  );
}

async function findEarlier(agentId: string, idempotencyKey: string, requestDigest: string): Promise<string | null> {
  const [run] = await db()
    .select({ id: runs.id, requestDigest: runs.requestDigest })
    .from(runs)
    .where(and(eq(runs.agentId, agentId), eq(runs.idempotencyKey, idempotencyKey)));
  if (run && run.requestDigest !== requestDigest) {
    throw new AppError(
      "idempotency_mismatch",
      `The Idempotency-Key "${idempotencyKey}" was used for run ${run.id} with another message, conversation or limits. Send a new key with a new message.`,
    );
  }
  return run?.id ?? null;
}
