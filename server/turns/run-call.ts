import "server-only";
import type { ActorRef } from "@/contracts/common";
import { log } from "@/server/platform/log";
import { loadConfigVersion } from "@/server/platform/signals/versioned-cache";
import type { Steps, ToolResult } from "@/server/tools/define-tool";
import { askAsDirectTool } from "./ask/ask-as-direct-tool";
import { moveToBackground } from "./background/move-to-background";
import { allowPromotion } from "./background/promotions";
import { findChangedFiles } from "./contents/call-contents";
import { driveStatefulTool } from "./drive-stateful-tool";
import { callSlots, withoutSlot } from "./execute/call-slots";
import { executeCall } from "./execute/execute-call";
import type { LiveTurn } from "./live-turn";
import type { Outcome } from "./outcome";
import { forgetProgress, reportProgress } from "./read/call-progress";
import type { ReadyCall } from "./step-data";
import { returnCall } from "./transitions/return-call";
import type { TurnContext } from "./turn-context";
import { makeCallWait } from "./waits/call-wait";

type Running = {
  live: LiveTurn;
  /** Aborts when the turn is cancelled. */
  cancelled: AbortSignal;
  save: () => Promise<void>;
};

/**
 * How a call left its turn. `returned`: it has not begun and must be planned again, because rules, tools or the files that
 * it runs changed while it waited. `moved`: a person moved it to the background, where it goes on as a job.
 */
export type CallEnd = { kind: "ran"; outcome: Outcome } | { kind: "moved"; jobId: string; by: ActorRef } | { kind: "returned" };

/** Runs a started call to its end, or until somebody moves it to the background. */
export async function runCall({ live, cancelled, save }: Running, context: TurnContext, call: ReadyCall): Promise<CallEnd> {
  const { turn } = live;
  const { row, registered } = call;
  const stop = new AbortController();
  const cancel = () => stop.abort();
  cancelled.addEventListener("abort", cancel);
  if (cancelled.aborted) cancel();
  const promotion = allowPromotion(row.id);
  const whileWaiting = makeCallWait({ live, row, save });
  try {
    // A stateful call takes no slot, because it may wait half an hour for a person and uses nothing meanwhile.
    const waits = registered.mode !== "stateful" && !callSlots().hasRoom(turn.workspaceId);
    const slot = { giveBack: registered.mode === "stateful" ? () => {} : await callSlots().take(turn.workspaceId, stop.signal) };
    const isOutdated = async () =>
      (waits && !(await isStillNewest(context))) || (await findChangedFiles(context, call, call.contents ?? null)).length > 0;
    const mustReturn = stop.signal.aborted
      ? false
      : await isOutdated().catch((error) => {
          slot.giveBack();
          throw error;
        });
    if (mustReturn) {
      slot.giveBack();
      returnCall(live, row);
      return { kind: "returned" };
    }
    const running = executeCall(context, call, {
      stopped: stop.signal,
      timeoutMs: registered.effectiveTimeoutMs,
      ...(live.traceparent ? { traceparent: live.traceparent } : {}),
      progress: (message) => reportProgress(turn.id, row.id, message),
      walk: (steps: Steps, over: AbortSignal): Promise<ToolResult> =>
        driveStatefulTool({ live, context, call, steps, save, whileWaiting, stopped: over }),
      ...(registered.mode === "direct"
        ? { ask: askAsDirectTool({ context, call, save, whileWaiting, slot }), withoutSlot: withoutSlot(turn.workspaceId, slot) }
        : {}),
    });
    running.finally(() => slot.giveBack());
    // A stateful call is never moved, because nobody could answer its questions in the background.
    const first = await (registered.mode === "stateful" ? running : Promise.race([running, promotion.asked]));
    const jobId = "by" in first ? await moved(() => moveToBackground({ context, call, running, stop, by: first.by })) : null;
    return jobId && "by" in first ? { kind: "moved", jobId, by: first.by } : { kind: "ran", outcome: await running };
  } finally {
    cancelled.removeEventListener("abort", cancel);
    promotion.forget();
    forgetProgress(turn.id, row.id);
  }
}

/**
 * Checks whether rules and tools are still those of the decision. When the version cannot be read, the answer is false
 * and the call is planned again.
 */
function isStillNewest({ turn, configVersion }: TurnContext): Promise<boolean> {
  return loadConfigVersion(turn.workspaceId).then(
    (version) => version <= configVersion,
    () => false,
  );
}

/** Runs a move to the background; null when the move failed and the call stays in its turn. */
function moved(move: () => Promise<string>): Promise<string | null> {
  return move().catch((error) => {
    log().warn({ err: error }, "a call could not be moved to the background");
    return null;
  });
}
