import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { RunLimitName, RunStatus } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { type RunMessageContent, runMessages, runs } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { storableText } from "@/server/platform/database/storable";
import { throughOutages } from "@/server/platform/database/through-outages";
import { tellRunEnd } from "@/server/platform/extension-points/run-ends";
import { bootId } from "@/server/platform/ids";
import { maskInText } from "@/server/secrets/mask-secrets";
import { keepContent, openContent } from "./message-content";
import { type MessageRow, type OwnedRow, ownedColumns, type RunRow } from "./run-row";
import { tellRun } from "./tell-run";

/** A run in memory, with the messages of its conversation; the contents are opened. */
export type LiveRun = { run: OwnedRow; earlier: readonly MessageRow[]; messages: readonly MessageRow[] };

export type NewMessage = Pick<MessageRow, "role" | "content"> & Partial<Pick<MessageRow, "model" | "usage" | "turnId">>;

/** Thrown when the run no longer belongs to this replica: it ended, was removed, or was taken over. */
export class RunLost extends Error {
  constructor(runId: string) {
    super(`run ${runId} is no longer this replica's`);
    this.name = "RunLost";
  }
}

type Values = Partial<Omit<typeof runs.$inferInsert, "id" | "version">>;
type SqlValues = { waitingSince?: ReturnType<typeof sql>; finishedAt?: ReturnType<typeof sql> };

/**
 * Writes a step of a run: the row, its new messages and what belongs to them, together. The row must still have the owner
 * and the version that we last saw, so of two replicas one succeeds.
 * @throws RunLost
 */
export async function saveRun(
  live: LiveRun,
  change: Omit<Values, keyof SqlValues> & SqlValues,
  added: readonly NewMessage[] = [],
  alongside: (tx: Db) => Promise<void> = async () => {},
): Promise<void> {
  const { run } = live;
  const rows = added.map((message, index) => toRow(run.id, run.messageCount + index, message));
  const saved = await throughOutages(() =>
    db().transaction(async (tx) => {
      const [row] = await tx
        .update(runs)
        .set({ ...change, messageCount: run.messageCount + rows.length, version: run.version + 1, updatedAt: sql`now()` })
        .where(and(eq(runs.id, run.id), eq(runs.claimedBy, bootId()), eq(runs.version, run.version)))
        .returning(ownedColumns);
      if (!row) return null;
      const stored = rows.length > 0 ? await tx.insert(runMessages).values(rows).returning() : [];
      await alongside(tx);
      return { row, stored };
    }),
  );
  if (!saved) throw new RunLost(run.id);
  live.run = saved.row;
  live.messages = [...live.messages, ...saved.stored.toSorted((a, b) => a.position - b.position).map(openContent)];
  tellRun(run.id);
}

export function toRow(runId: string, position: number, { role, content, ...more }: NewMessage): typeof runMessages.$inferInsert {
  return { runId, position, role, ...keepContent(content), ...more };
}

export type RunEnd = {
  status: Extract<RunStatus, "succeeded" | "failed" | "cancelled" | "limited">;
  answer?: string | null;
  error?: string | null;
  limit?: RunLimitName | null;
};

/** Writes the end of a run, with its audit row. @throws RunLost */
export async function saveEnd(live: LiveRun, end: RunEnd, added: readonly NewMessage[] = [], change: Values = {}): Promise<void> {
  const { waitingSince: _, finishedAt: __, ...values } = change;
  await saveRun(live, { ...values, ...toEndValues(end) }, added, (tx) => recordEnd(tx, { ...live.run, ...values }, end));
}

/** The columns of a run that has ended. */
export function toEndValues({ status, answer = null, error = null, limit = null }: RunEnd) {
  return {
    status,
    answer: answer === null ? null : maskInText(storableText(answer)),
    error: error === null ? null : maskInText(storableText(error)),
    limit,
    claimedBy: null,
    finishedAt: sql`now()`,
  };
}

export async function recordEnd(tx: Db, run: RunRow, { status, answer = null, limit = null, error = null }: RunEnd): Promise<void> {
  await record(tx, {
    workspaceId: run.workspaceId,
    event: "run.finished",
    actor: systemActor,
    subject: run.id,
    conversationId: run.conversationId,
    data: {
      status,
      limit,
      error: error === null ? null : storableText(error),
      steps: run.steps,
      inputTokens: run.inputTokens,
      outputTokens: run.outputTokens,
      costUsd: run.isCostKnown ? run.costUsd : null,
    },
  });
  const { id, workspaceId, agentId, conversationId, requestedBy } = run;
  const told = { answer: answer === null ? null : storableText(answer), error: error === null ? null : storableText(error) };
  await tellRunEnd(tx, { id, workspaceId, agentId, conversationId, requestedBy, status, ...told });
}

/** Builds the result of a call. */
export function toolMessage(
  call: { id: string; name: string },
  text: string,
  { isError = false, turnId = null, images = [] }: { isError?: boolean; turnId?: string | null; images?: RunMessageContent["images"] } = {},
): NewMessage {
  const more = { ...(isError ? { isError } : {}), ...(images.length > 0 ? { images } : {}) };
  const content: RunMessageContent = { text, callId: call.id, name: call.name, ...more };
  return { role: "tool", content, turnId };
}
