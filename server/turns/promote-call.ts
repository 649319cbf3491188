import "server-only";
import { and, eq } from "drizzle-orm";
import type { Turn } from "@/contracts/turns";
import { toolCalls } from "@/db/schema";
import { type Holder, refOf } from "@/server/auth/actor";
import { onTurnSignal, signalEverywhere } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { catalogOf } from "@/server/tools/catalog";
import { demandTurn, readTurn } from "./load-turn";
import { restsWithin } from "./wait-for-turn";
import { watchTurn } from "./watch-turns";

/** How long the answer waits for the replica that runs the call, in seconds. */
const patienceSeconds = 5;

/**
 * Moves a running call to the background, wherever it runs.
 * @returns the turn once the call has a job, or as it stands when the time is up
 * @throws AppError `not_found`, `conflict` when the call does not run, or cannot go on by itself.
 */
export async function promoteCall(actor: Holder<"turns:write">, turnId: string, callId: string, signal: AbortSignal): Promise<Turn> {
  await demandTurn(actor, turnId);
  const [call] = await db()
    .select({ name: toolCalls.name, status: toolCalls.status })
    .from(toolCalls)
    .where(and(eq(toolCalls.id, callId), eq(toolCalls.turnId, turnId)));
  if (!call) throw new AppError("not_found", "This call is not one of the turn's.");
  if (call.status !== "running")
    throw new AppError("conflict", `${call.name} is ${call.status}: only a running call can be moved to the background.`);
  if ((await catalogOf(actor.workspaceId)).find(call.name)?.mode === "stateful")
    throw new AppError("conflict", `${call.name} may ask somebody, and nobody could answer it in the background.`);
  let wake = () => {};
  const off = onTurnSignal(turnId, () => wake());
  const unwatch = watchTurn(turnId);
  const deadline = performance.now() + patienceSeconds * 1_000;
  try {
    await signalEverywhere({ topic: "promote", callId, by: refOf(actor) });
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
