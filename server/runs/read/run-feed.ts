import "server-only";
import type { RunEventName, RunMessage } from "@/contracts/runs/runs";
import { onSignal } from "@/server/platform/signals/bus";
import { isEnded, type RunRow } from "../run-row";
import { findRun, messagesFrom } from "./load-run";
import { findPartial, followRemoteText } from "./remote-text";

type Streamed = { id?: string; event: RunEventName; data: unknown };

/** Interval at which the rows are read: the longest delay that a lost signal causes. */
const pollIntervalMs = 1_000;

/** Calls back when a run changed, or may have changed without a signal. @returns a function that ends the watch */
export function watchRun(runId: string, onChange: (change: { isDelta: boolean }) => void): () => void {
  const off = onSignal("run", (signal) => {
    if (signal.runId === runId) onChange({ isDelta: signal.delta === true });
  });
  const timer = setInterval(() => onChange({ isDelta: false }), pollIntervalMs);
  return () => {
    off();
    clearInterval(timer);
  };
}

/**
 * Streams the messages of a run after the first `seen` ones, its changes, and the text of the reply that is being written. A
 * replica that does not work on the run gets the text from the one that does, some 250 ms later.
 */
export async function* runFeed(runId: string, seen: number, signal: AbortSignal): AsyncGenerator<Streamed> {
  let next = seen;
  let told = "";
  let isChanged = true;
  let wake = () => {};
  const written: Written = { position: -1, attempt: 0, text: "", reasoning: "", calls: [] };
  const unfollow = followRemoteText(runId);
  const off = watchRun(runId, ({ isDelta }) => {
    isChanged ||= !isDelta;
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  try {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (isChanged) {
        isChanged = false;
        // The run is read before its messages, so that a message in between costs one more round and none is missed.
        const found = await findRun(runId);
        if (!found) return;
        for (const message of await messagesFrom(runId, next)) {
          next = message.position + 1;
          yield* restOf(message, written);
          yield { id: String(next), event: "message.added", data: message };
        }
        const now = JSON.stringify(found.run);
        if (isEnded(found.run)) return yield { event: "run.finished", data: found.run };
        if (now !== told) yield { event: "run.updated", data: found.run };
        told = now;
      }
      yield* newText(runId, next, written);
      if (!isChanged && !signal.aborted) await woken;
    }
  } finally {
    off();
    unfollow();
    signal.removeEventListener("abort", onAbort);
  }
}

/** The reply as far as it was streamed. */
type Written = { position: number; attempt: number; text: string; reasoning: string; calls: number[] };

/** Streams the end of a reply that is stored by now, because the signal with its last text may come later or be lost. */
function* restOf(message: RunMessage, written: Written): Generator<Streamed> {
  const { role, position } = message;
  if (role !== "assistant" || position !== written.position) return;
  for (const part of ["reasoning", "text"] as const) {
    if (!message[part].startsWith(written[part])) continue;
    const text = message[part].slice(written[part].length);
    written[part] = message[part];
    if (text) yield { event: `${part}.delta`, data: { position, text } };
  }
}

function* newText(runId: string, next: number, written: Written): Generator<Streamed> {
  const partial = findPartial(runId);
  if (!partial || partial.position < next) return;
  const { position, attempt } = partial;
  if (position !== written.position || attempt !== written.attempt) {
    if (position === written.position) yield { event: "step.restarted", data: { position } };
    Object.assign(written, { position, attempt, text: "", reasoning: "", calls: [] });
  }
  for (const part of ["reasoning", "text"] as const) {
    const text = partial[part].slice(written[part].length);
    written[part] += text;
    if (text) yield { event: `${part}.delta`, data: { position, text } };
  }
  for (const [index, { name, arguments: args }] of partial.calls.entries()) {
    const known = written.calls[index];
    written.calls[index] = args.length;
    if (known === undefined || args.length > known)
      yield { event: "call.delta", data: { position, index, name, text: args.slice(known ?? 0) } };
  }
}

/** Returns whether a run has ended and the client has all its messages, so that there is nothing left to stream. */
export function isRunFullyStreamed(run: Pick<RunRow, "status" | "messageCount">, seen: number): boolean {
  return isEnded(run) && seen >= run.messageCount;
}
