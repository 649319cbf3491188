import { mkdir } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { TurnDraft } from "@/contracts/turns/turns";
import { approvals, auditEvents, turns } from "@/db/schema";
import { requirePermission } from "@/server/auth/actor";
import { findConversation } from "@/server/conversations/find-conversation";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { startDurableWork } from "@/server/jobs/start-durable-work";
import { db } from "@/server/platform/database/database";
import { listenForSignals } from "@/server/platform/signals/bus";
import { waitForActiveTurns } from "@/server/turns/active-turns";
import { resumeOnSignal } from "@/server/turns/recovery/resume-turn";
import { submitTurn } from "@/server/turns/submit-turn";
import { type BuiltWorkspace, buildConversation, buildWorkspace } from "./builders";
import { familyWork } from "./builtin-tools";
import { type Gate, probes } from "./probe-tools";
import { useTestDatabase } from "./test-database";
import { buildTools } from "./test-tools";

/** The surroundings of a turn test: a workspace, a conversation and tools that tests can watch and hold. New for each test. */
export type Stage = {
  built: BuiltWorkspace;
  conversationId: string;
  serverId: string;
  /** The tools' actions, in order. */
  log: string[];
  /** Holds a tool until the test releases it. */
  gate: Gate;
};

/** Sets up a database with signals and jobs as on a server, and a new stage for each test of the file. */
export function useStage(): Stage {
  useTestDatabase();
  const stage = {} as Stage;
  let stop = async () => {};
  beforeAll(async () => {
    stop = await startStageWork();
  });
  afterAll(() => stop());
  beforeEach(async () => {
    Object.assign(stage, await openStage());
  });
  return stage;
}

/** Starts signals and jobs as on a server. Returns their end, which waits for active turns. */
export async function startStageWork(): Promise<() => Promise<void>> {
  const stopResuming = resumeOnSignal();
  const work = await startDurableWork(familyWork);
  const stop = [await listenForSignals(), work.stop, await work.startWorkers(), async () => stopResuming()];
  return async () => {
    await waitForActiveTurns();
    for (const end of stop.reverse()) await end();
  };
}

/** Makes a workspace, a conversation and the probe tools. */
export async function openStage(): Promise<Stage> {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const built = await buildWorkspace();
  const { id: conversationId } = await buildConversation(built.agentKey);
  const stage: Stage = { built, conversationId, serverId: "", log: [], gate: { opened, open, reached, reach } };
  stage.serverId = await buildTools(built.workspace.id, probes(stage));
  return stage;
}

/** Makes the workspace folder of the stage's conversation, and returns its path. */
export async function makeStageFolder(stage: Stage): Promise<string> {
  const folder = workspaceFolder(await findConversation(runtimeActor(stage), stage.conversationId), stage.built.agent);
  await mkdir(folder, { recursive: true });
  return folder;
}

export type Calls = [name: string, args?: JsonObject | string][];

/** The signal of a client that stays connected. */
export const neverAborted = new AbortController().signal;

export const runtimeActor = ({ built }: Stage) => requirePermission(built.agentKey, "turns:write");
export const approverActor = ({ built }: Stage) => requirePermission(built.approver, "approvals:decide");

export function submitCalls(
  stage: Stage,
  calls: Calls,
  { wait = 10, idempotencyKey = null, callbackUrl }: { wait?: number; idempotencyKey?: string | null; callbackUrl?: string } = {},
) {
  const named = calls.map(([name, args = {}], index) => ({ id: `c${index}`, name, arguments: args }));
  const draft = TurnDraft.parse({ calls: named, wait, ...(callbackUrl ? { callbackUrl } : {}) });
  return submitTurn(runtimeActor(stage), { conversationId: stage.conversationId, draft, idempotencyKey, signal: neverAborted });
}

export async function onlyApproval(turnId: string) {
  const [approval] = await db().select().from(approvals).where(eq(approvals.turnId, turnId)).orderBy(approvals.id);
  if (!approval) throw new Error("nobody was asked");
  return approval;
}

/** Loads the conversation's only turn, once the database has it. */
export const loadOnlyTurn = ({ conversationId }: Stage) =>
  vi.waitFor(async () => {
    const [row] = await db().select().from(turns).where(eq(turns.conversationId, conversationId));
    if (!row) throw new Error("not stored yet");
    return row;
  });

export const statuses = (turn: { calls: { status: string }[] }) => turn.calls.map(({ status }) => status);

/** Lists the audit events of a turn, in order. */
export const listAuditEvents = async (turnId: string) =>
  (await db().select().from(auditEvents).where(eq(auditEvents.turnId, turnId)).orderBy(auditEvents.id)).map(({ event }) => event);
