import "server-only";
import { withApproversWords } from "../ask/approvers-words";
import { countFailures } from "../decide/count-failures";
import { rememberRefusals } from "../decide/remember-refusals";
import { appendEvent, type LiveTurn } from "../live-turn";
import { type Outcome, sentences } from "../outcome";
import type { CallEnd } from "../run-call";
import type { ReadyCall, Segment } from "../step-data";
import { settleCall } from "../transitions/settle-call";
import type { TurnContext } from "../turn-context";

/** Step 5 of a turn, for refused calls: settles them, and stores their refusals in the conversation. */
export async function settleRefused(live: LiveTurn, { hooked, refused, refusals, forgiven }: Segment): Promise<void> {
  // Changes by hooks are stored with the next write.
  for (const row of hooked) live.unsaved.calls.add(row);
  for (const outcome of refused) await settleCall(live, outcome);
  await rememberRefusals(live.turn.conversationId, refusals, forgiven);
}

/** Step 5 of a turn, for a call that has run or was moved: counts failures, and settles it with what the model may read. */
export async function settleEnded(
  live: LiveTurn,
  context: TurnContext,
  call: ReadyCall,
  end: Exclude<CallEnd, { kind: "returned" }>,
): Promise<void> {
  const { row, registered } = call;
  if (end.kind === "moved") {
    const { jobId, by } = end;
    appendEvent(live, "call.promoted", { callId: row.id, id: row.runtimeId, name: row.name, jobId, by }, row.id);
    await settleCall(live, {
      callId: row.id,
      status: "succeeded",
      text: withApproversWords(call, sentences.movedToBackground(registered.name, jobId, by)),
      jobId,
    });
  } else {
    const counted = await countFailures(context.conversation, call, end.outcome);
    const told = directly(call, counted);
    await settleCall(live, { ...told, text: withApproversWords(call, told.text) });
  }
}

/** Maximum length of a text in the user's stream; the whole of a longer text becomes an artifact of the call. */
const maxDirectChars = 100_000;

/** Moves the result of a `returnDirect` tool to `directText` and gives the model a sentence instead. Errors still go to the model. */
function directly({ registered }: ReadyCall, outcome: Outcome): Outcome {
  if (!registered.returnDirect || outcome.status !== "succeeded") return outcome;
  const { structuredContent, maskedSecrets, blocks, meta, ...rest } = outcome;
  const text = sentences.returnedDirectly(registered.name);
  if (outcome.text.length <= maxDirectChars) return { ...rest, directText: outcome.text, text };
  const whole = { name: `${registered.name}.txt`, mediaType: "text/plain; charset=utf-8", bytes: Buffer.from(outcome.text) };
  const note = `[The text has ${outcome.text.length.toLocaleString("en")} characters. All of it is in ${whole.name}, an artifact of this call.]`;
  const directText = `${outcome.text.slice(0, maxDirectChars).toWellFormed()}\n\n${note}`;
  return { ...rest, directText, text, files: [...(outcome.files ?? []), whole] };
}
