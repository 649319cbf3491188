import "server-only";
import { and, eq } from "drizzle-orm";
import type { Turn } from "@/contracts/turns/turns";
import { toolCalls } from "@/db/schema";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { onTurnSignal, signalEverywhere } from "@/server/platform/signals/bus";
import { loadCatalog } from "@/server/tools/catalog";
import { readTurn, requireTurn } from "../read/load-turn";
import { restsWithin } from "../read/wait-for-turn";
import { watchTurn } from "../read/watch-turns";

/** Seconds that the response waits for the replica that runs the call. */
const patienceSeconds = 5;

/**
 * Moves a running call to the background, on whichever replica it runs.
 * @returns the turn once the call has a job, or as it stands when the time is up
 * @throws AppError `not_found`, `conflict` when the call does not run, or cannot go on by itself.
 */
export async function promoteCall(actor: Authorized<"turns:write">, turnId: string, callId: string, signal: AbortSignal): Promise<Turn> {
  await requireTurn(actor, turnId);
  const [call] = await db()
    .select({ name: toolCalls.name, status: toolCalls.status })
    .from(toolCalls)
    .where(and(eq(toolCalls.id, callId), eq(toolCalls.turnId, turnId)));
  if (!call) throw new AppError("not_found", "This call is not one of the turn's.");
  if (call.status !== "running")
    throw new AppError("conflict", `${call.name} is ${call.status}: only a running call can be moved to the background.`);
  if ((await loadCatalog(actor.workspaceId)).find(call.name)?.mode === "stateful")
    throw new AppError("conflict", `${call.name} stays in its turn because nobody could answer its questions in the background.`);
  let wake = () => {};
  const off = onTurnSignal(turnId, () => wake());
  const unwatch = watchTurn(turnId);
  const deadline = performance.now() + patienceSeconds * 1_000;
  try {
    await signalEverywhere({ topic: "promote", callId, by: toActorRef(actor) });
    while (true) {
      const news = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const turn = await readTurn(turnId);
      const leftSeconds = (deadline - performance.now()) / 1_000;
      const isStillRunning = turn.calls.some((other) => other.callId === callId && other.status === "running");
      if (!isStillRunning || leftSeconds <= 0 || signal.aborted) return turn;
      await restsWithin(news, leftSeconds, signal);
    }
  } finally {
    off();
    unwatch();
  }
}
