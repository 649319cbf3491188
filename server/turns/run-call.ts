import "server-only";
import { log } from "@/server/platform/log";
import { configVersionOf } from "@/server/platform/versioned-cache";
import type { Steps, ToolResult } from "@/server/tools/define-tool";
import { settleCall } from "./arrows/settle-call";
import { takeBackCall } from "./arrows/take-back-call";
import { goOnInBackground } from "./background/go-on-in-background";
import { forgetProgress, reportProgress } from "./call-progress";
import { callSlots } from "./call-slots";
import { executeCall } from "./execute-call";
import { type LiveTurn, note } from "./live-turn";
import { countFailures } from "./loop-guard";
import { type Outcome, sentences } from "./outcome";
import type { ReadyCall } from "./plan-segment";
import { promotionOf } from "./promotions";
import type { TurnContext } from "./turn-context";
import { walkSteps } from "./walk-steps";

type Running = {
  live: LiveTurn;
  /** Aborts when the turn is cancelled. */
  cancelled: AbortSignal;
  save: () => Promise<void>;
};

/**
 * Runs a started call to its end, or until somebody moves it to the background, and settles it.
 * @returns false when it has not begun, because rules or tools changed while it waited: it is to be looked at again.
 */
export async function runCall({ live, cancelled, save }: Running, context: TurnContext, call: ReadyCall): Promise<boolean> {
  const { turn } = live;
  const { row, registered } = call;
  const stop = new AbortController();
  const cancel = () => stop.abort();
  cancelled.addEventListener("abort", cancel);
  if (cancelled.aborted) cancel();
  const promotion = promotionOf(row.id);
  try {
    // Who waits half an hour for a person's answer uses nothing meanwhile.
    const waits = registered.mode !== "stateful" && !callSlots().hasRoom(turn.workspaceId);
    const giveBack = registered.mode === "stateful" ? () => {} : await callSlots().take(turn.workspaceId, stop.signal);
    if (waits && !stop.signal.aborted && !(await isStillNewest(context))) {
      giveBack();
      takeBackCall(live, row);
      return false;
    }
    const running = executeCall(context, call, {
      stopped: stop.signal,
      timeoutMs: registered.effectiveTimeoutMs,
      progress: (message) => reportProgress(turn.id, row.id, message),
      walk: (steps: Steps, over: AbortSignal): Promise<ToolResult> => walkSteps({ live, context, call, steps, save, stopped: over }),
    });
    running.finally(giveBack);
    // Nobody could answer its questions in the background.
    const first = await (registered.mode === "stateful" ? running : Promise.race([running, promotion.asked]));
    const jobId = "by" in first ? await moved(() => goOnInBackground({ context, call, running, stop, by: first.by })) : null;
    if (jobId && "by" in first) {
      note(live, "call.promoted", { callId: row.id, id: row.runtimeId, name: row.name, jobId, by: first.by }, row.id);
      // Cancelling the turn is no longer cancelling the job.
      cancelled.removeEventListener("abort", cancel);
      await settleCall(live, { callId: row.id, status: "succeeded", text: sentences.movedToBackground(registered.name, jobId), jobId });
    } else {
      const outcome = await running;
      await settleCall(live, directly(call, await countFailures(context.conversation, call, outcome)));
    }
    return true;
  } finally {
    cancelled.removeEventListener("abort", cancel);
    promotion.forget();
    forgetProgress(turn.id, row.id);
  }
}

/** Whether rules and tools are still those that the call was decided with. What cannot be known is looked up with the next look. */
function isStillNewest({ turn, configVersion }: TurnContext): Promise<boolean> {
  return configVersionOf(turn.workspaceId).then(
    (version) => version <= configVersion,
    () => false,
  );
}

/** A call that could not be moved to the background stays where it is. */
function moved(move: () => Promise<string>): Promise<string | null> {
  return move().catch((error) => {
    log().warn({ err: error }, "a call could not be moved to the background");
    return null;
  });
}

/** Longest text that goes to the user's stream as it is; the rest of a longer one is in its artifact. */
const maxDirectChars = 100_000;

/** What a tool that returns directly says to the model; its errors are for the model like any other's. */
function directly({ registered }: ReadyCall, outcome: Outcome): Outcome {
  if (!registered.returnDirect || outcome.status !== "succeeded") return outcome;
  const { structuredContent, ...rest } = outcome;
  return { ...rest, directText: outcome.text.slice(0, maxDirectChars), text: sentences.returnedDirectly(registered.name) };
}
