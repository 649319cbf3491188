import "server-only";
import { log } from "@/server/platform/log";
import { loadConfigVersion } from "@/server/platform/versioned-cache";
import type { Steps, ToolResult } from "@/server/tools/define-tool";
import { askAsDirectTool } from "./ask-as-direct-tool";
import { moveToBackground } from "./background/move-to-background";
import { forgetProgress, reportProgress } from "./call-progress";
import { callSlots } from "./call-slots";
import { driveStatefulTool } from "./drive-stateful-tool";
import { executeCall } from "./execute-call";
import { appendEvent, type LiveTurn } from "./live-turn";
import { countFailures } from "./loop-guard";
import { type Outcome, sentences } from "./outcome";
import type { ReadyCall } from "./plan-segment";
import { allowPromotion } from "./promotions";
import { returnCall } from "./transitions/return-call";
import { settleCall } from "./transitions/settle-call";
import type { TurnContext } from "./turn-context";

type Running = {
  live: LiveTurn;
  /** Aborts when the turn is cancelled. */
  cancelled: AbortSignal;
  save: () => Promise<void>;
};

/**
 * Runs a started call to its end, or until somebody moves it to the background, and settles it.
 * @returns false when the call has not begun and must be planned again, because rules or tools changed while it waited
 */
export async function runCall({ live, cancelled, save }: Running, context: TurnContext, call: ReadyCall): Promise<boolean> {
  const { turn } = live;
  const { row, registered } = call;
  const stop = new AbortController();
  const cancel = () => stop.abort();
  cancelled.addEventListener("abort", cancel);
  if (cancelled.aborted) cancel();
  const promotion = allowPromotion(row.id);
  try {
    // A stateful call takes no slot, because it may wait half an hour for a person and uses nothing meanwhile.
    const waits = registered.mode !== "stateful" && !callSlots().hasRoom(turn.workspaceId);
    const slot = { giveBack: registered.mode === "stateful" ? () => {} : await callSlots().take(turn.workspaceId, stop.signal) };
    if (waits && !stop.signal.aborted && !(await isStillNewest(context))) {
      slot.giveBack();
      returnCall(live, row);
      return false;
    }
    const running = executeCall(context, call, {
      stopped: stop.signal,
      timeoutMs: registered.effectiveTimeoutMs,
      ...(live.traceparent ? { traceparent: live.traceparent } : {}),
      progress: (message) => reportProgress(turn.id, row.id, message),
      walk: (steps: Steps, over: AbortSignal): Promise<ToolResult> =>
        driveStatefulTool({ live, context, call, steps, save, stopped: over }),
      ...(registered.mode === "direct" ? { ask: askAsDirectTool({ context, call, save, slot }) } : {}),
    });
    running.finally(() => slot.giveBack());
    // A stateful call is never moved, because nobody could answer its questions in the background.
    const first = await (registered.mode === "stateful" ? running : Promise.race([running, promotion.asked]));
    const jobId = "by" in first ? await moved(() => moveToBackground({ context, call, running, stop, by: first.by })) : null;
    if (jobId && "by" in first) {
      appendEvent(live, "call.promoted", { callId: row.id, id: row.runtimeId, name: row.name, jobId, by: first.by }, row.id);
      // From here on, cancelling the turn must not cancel the job.
      cancelled.removeEventListener("abort", cancel);
      await settleCall(live, { callId: row.id, status: "succeeded", text: sentences.movedToBackground(registered.name, jobId), jobId });
    } else {
      const outcome = await running;
      await settleCall(live, tellEdit(call, directly(call, await countFailures(context.conversation, call, outcome))));
    }
    return true;
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

/** Puts a note before the result when an approver changed the arguments that ran. */
function tellEdit({ registered, edited }: ReadyCall, outcome: Outcome): Outcome {
  return edited ? { ...outcome, text: `${sentences.edited(registered.name, edited)}\n\n${outcome.text}` } : outcome;
}

/** Maximum length of a text in the user's stream; the rest of a longer text is cut off. */
const maxDirectChars = 100_000;

/** Moves the result of a `returnDirect` tool to `directText` and gives the model a sentence instead. Errors still go to the model. */
function directly({ registered }: ReadyCall, outcome: Outcome): Outcome {
  if (!registered.returnDirect || outcome.status !== "succeeded") return outcome;
  const { structuredContent, maskedSecrets, ...rest } = outcome;
  return { ...rest, directText: outcome.text.slice(0, maxDirectChars), text: sentences.returnedDirectly(registered.name) };
}
