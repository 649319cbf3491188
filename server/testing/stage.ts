import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { TurnDraft } from "@/contracts/turns";
import { approvals, auditEvents, turns } from "@/db/schema";
import { demand } from "@/server/auth/actor";
import { startJobs } from "@/server/jobs/start-jobs";
import { listenForSignals } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { resumeOnSignal } from "@/server/turns/resume-turn";
import { submitTurn } from "@/server/turns/submit-turn";
import { turnsAtRest } from "@/server/turns/working-turns";
import { type BuiltWorkspace, buildConversation, buildWorkspace } from "./builders";
import { probes } from "./probe-tools";
import { useTestDatabase } from "./test-database";
import { buildTools } from "./test-tools";

/** What a test of turns plays on: a workspace, a conversation and tools that can be watched and held. New for each test. */
export type Stage = {
  built: BuiltWorkspace;
  conversationId: string;
  serverId: string;
  /** What the tools did, in order. */
  log: string[];
  /** Lets a test hold a tool where it is. */
  gate: Gate;
};

export type Gate = { opened: Promise<void>; open: () => void; reached: Promise<void>; reach: () => void };

/** A database of its own, with signals and jobs as a server has them, and a new stage for each test of the file. */
export function useStage(): Stage {
  useTestDatabase();
  const stage = {} as Stage;
  const stop: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const stopResuming = resumeOnSignal();
    stop.push(await listenForSignals(), await startJobs(), async () => stopResuming());
  });
  afterAll(async () => {
    await turnsAtRest();
    for (const end of stop.reverse()) await end();
  });
  beforeEach(async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const built = await buildWorkspace();
    const { id: conversationId } = await buildConversation(built.agentKey);
    Object.assign(stage, { built, conversationId, log: [], gate: { opened, open, reached, reach } });
    stage.serverId = await buildTools(built.workspace.id, probes(stage));
  });
  return stage;
}

export type Calls = [name: string, args?: JsonObject | string][];

/** A client that is still there. */
export const still = new AbortController().signal;

export const runtimeOf = ({ built }: Stage) => demand(built.agentKey, "turns:write");
export const approverOf = ({ built }: Stage) => demand(built.approver, "approvals:decide");

export function submitCalls(
  stage: Stage,
  calls: Calls,
  { wait = 10, idempotencyKey = null, callbackUrl }: { wait?: number; idempotencyKey?: string | null; callbackUrl?: string } = {},
) {
  const named = calls.map(([name, args = {}], index) => ({ id: `c${index}`, name, arguments: args }));
  const draft = TurnDraft.parse({ calls: named, wait, ...(callbackUrl ? { callbackUrl } : {}) });
  return submitTurn(runtimeOf(stage), { conversationId: stage.conversationId, draft, idempotencyKey, signal: still });
}

export async function onlyApproval(turnId: string) {
  const [approval] = await db().select().from(approvals).where(eq(approvals.turnId, turnId)).orderBy(approvals.id);
  if (!approval) throw new Error("nobody was asked");
  return approval;
}

/** The turn of the conversation, once the database knows it. */
export const theTurnOf = ({ conversationId }: Stage) =>
  vi.waitFor(async () => {
    const [row] = await db().select().from(turns).where(eq(turns.conversationId, conversationId));
    if (!row) throw new Error("not stored yet");
    return row;
  });

export const statuses = (turn: { calls: { status: string }[] }) => turn.calls.map(({ status }) => status);

/** Audit events of a turn, in order. */
export const auditOf = async (turnId: string) =>
  (await db().select().from(auditEvents).where(eq(auditEvents.turnId, turnId)).orderBy(auditEvents.id)).map(({ event }) => event);
