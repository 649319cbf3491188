import "server-only";
import { askModel, isCutOff } from "@/server/models/ask-model";
import type { ModelEvent, ModelRef, ModelRequest, ModelToolCall } from "@/server/models/model-request";
import { signalHere } from "@/server/platform/signals/bus";
import type { Partial, RunTask } from "./active-runs";
import { type CountedUsage, estimateUsage } from "./estimate-usage";
import { tellRemoteFollowers } from "./read/remote-text";

/** A reply that broke off, is empty or was filtered is asked for again. */
const attempts = 3;
/** Shortest time between two signals about a reply that is being written. */
const betweenSignalsMs = 40;

export type Finished = Omit<Extract<ModelEvent, { kind: "finished" }>, "usage"> & { usage: CountedUsage };
export type Reply = { text: string; reasoning: string; toolCalls: ModelToolCall[]; finished: Finished };

/** Where a reply is written: its place in the run, and whether people may read it before its end. */
export type Place = { position: number; holdsText: boolean };

/** Whether a reply holds nothing that a run can go on with. Thinking alone is no answer. */
export const isEmptyReply = ({ text, toolCalls, finished }: Pick<Reply, "text" | "toolCalls" | "finished">): boolean =>
  text.trim() === "" && toolCalls.length === 0 && !finished.files?.length;

const isUnusable = (reply: Reply): boolean => reply.finished.reason === "content_filter" || isEmptyReply(reply);

/**
 * Asks for a reply, and again when it breaks off, is empty or was filtered. After the last attempt the reply has the latest text that
 * came, and so has the partial of the task when an error is thrown.
 * @throws AppError `unavailable` when no model can answer, or each reply breaks off
 */
export async function askAgain(request: ModelRequest, task: RunTask, { position, holdsText }: Place): Promise<Reply> {
  let latest: Partial | null = null;
  for (let attempt = 1; ; attempt++) {
    const written: Partial = { position, attempt, text: "", reasoning: "", calls: [] };
    task.partial = holdsText ? null : written;
    const isLast = attempt >= attempts || request.signal.aborted;
    try {
      const reply = await ask(isLast ? otherFirst(request) : request, task, written);
      if (!isUnusable(reply)) return reply;
      if (isLast) return reply.text.trim() === "" && latest ? { ...reply, text: latest.text, toolCalls: [] } : reply;
      task.unstored.push({ model: reply.finished.model, usage: reply.finished.usage });
    } catch (error) {
      if (written.text.trim() === "" && latest && !holdsText) task.partial = latest;
      if (!isCutOff(error) || isLast || request.signal.aborted) throw error;
    }
    if (written.text.trim() !== "") latest = written;
  }
}

/** The last attempt begins with another model, because the first may break off every time. */
const otherFirst = ({ models: [first, ...others], ...request }: ModelRequest): ModelRequest => ({
  ...request,
  models: first ? [...others, first] : others,
});

async function ask(request: ModelRequest, task: RunTask, written: Partial): Promise<Reply> {
  const { runId, partial } = task;
  let model: ModelRef | null = null;
  const toolCalls: ModelToolCall[] = [];
  const { tell, end } = signalAtOnceThenRarely(() => {
    signalHere({ topic: "run", runId, delta: true });
    if (partial) tellRemoteFollowers(runId, partial);
  });
  try {
    for await (const event of askModel({ ...request, onBegin: (ref) => (model = ref) })) {
      if (event.kind === "finished") {
        const usage = event.usage ? { ...event.usage, isEstimated: false } : estimateUsage(request, { ...written, calls: toolCalls });
        model = null;
        return { text: written.text, reasoning: written.reasoning, toolCalls, finished: { ...event, usage } };
      }
      if (event.kind === "call") toolCalls.push(event.call);
      else if (event.kind === "text_was_reasoning") takeBack(written);
      else if (event.kind === "call_text") addToCall(written, event);
      else written[event.kind] += event.text;
      if (partial) tell();
    }
  } finally {
    end();
    // The provider counts what it has read and written, also for a reply that broke off.
    if (model) task.unstored.push({ model, usage: estimateUsage(request, written) });
  }
  throw new Error("A reply ended without its last event");
}

/** The text so far was thinking. Readers begin again, as with another attempt, because what they have read is no text. */
function takeBack(written: Partial): void {
  written.reasoning += written.text;
  written.text = "";
  written.attempt += 1;
}

function addToCall({ calls }: Partial, { id, name, text }: Extract<ModelEvent, { kind: "call_text" }>): void {
  const call = calls.find((begun) => begun.id === id);
  if (call) call.arguments += text;
  else calls.push({ id, name, arguments: text });
}

/** Signals the first news at once, because a reader waits for it; later news together, because each signal costs every reader. */
function signalAtOnceThenRarely(signal: () => void): { tell: () => void; end: () => void } {
  let pause: NodeJS.Timeout | null = null;
  let isOwed = false;
  const send = () => {
    isOwed = false;
    signal();
    pause = setTimeout(() => {
      pause = null;
      if (isOwed) send();
    }, betweenSignalsMs);
  };
  return {
    tell: () => {
      isOwed = true;
      if (!pause) send();
    },
    end: () => {
      if (pause) clearTimeout(pause);
    },
  };
}
