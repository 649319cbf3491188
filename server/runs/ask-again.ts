import "server-only";
import { askModel } from "@/server/models/ask-model";
import type { ModelEvent, ModelRequest, ModelToolCall } from "@/server/models/model-request";
import { signalHere } from "@/server/platform/bus";
import { isAppError } from "@/server/platform/errors";
import type { Partial, RunTask } from "./active-runs";
import { tellRemoteFollowers } from "./remote-text";

/** A reply that was cut off after its beginning is asked for again. */
const attempts = 3;
/** Shortest time between two signals about a reply that is being written. */
const betweenSignalsMs = 40;

export type Finished = Extract<ModelEvent, { kind: "finished" }>;
export type Reply = { text: string; reasoning: string; toolCalls: ModelToolCall[]; finished: Finished };

/** Where a reply is written: its place in the run, and whether people may read it before its end. */
export type Place = { position: number; holdsText: boolean };

/** Asks for a reply, and again when it breaks off. @throws AppError `unavailable` when no model can answer */
export async function askAgain(request: ModelRequest, task: RunTask, { position, holdsText }: Place): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    const written: Partial = { position, attempt, text: "", reasoning: "", calls: [] };
    task.partial = holdsText ? null : written;
    try {
      return await ask(attempt < attempts ? request : otherFirst(request), task, written);
    } catch (error) {
      const hasBegun = written.text !== "" || written.reasoning !== "" || written.calls.length > 0;
      const isCutOff = hasBegun && isAppError(error) && error.code === "unavailable";
      if (!isCutOff || attempt >= attempts || request.signal.aborted) throw error;
    }
  }
}

/** The last attempt begins with another model, because the first may break off every time. */
const otherFirst = ({ models: [first, ...others], ...request }: ModelRequest): ModelRequest => ({
  ...request,
  models: first ? [...others, first] : others,
});

async function ask(request: ModelRequest, { runId, partial }: RunTask, written: Partial): Promise<Reply> {
  const toolCalls: ModelToolCall[] = [];
  const { tell, end } = signalAtOnceThenRarely(() => {
    signalHere({ topic: "run", runId, delta: true });
    if (partial) tellRemoteFollowers(runId, partial);
  });
  try {
    for await (const event of askModel(request)) {
      if (event.kind === "finished") return { text: written.text, reasoning: written.reasoning, toolCalls, finished: event };
      if (event.kind === "call") toolCalls.push(event.call);
      else if (event.kind === "call_text") addToCall(written, event);
      else written[event.kind] += event.text;
      if (partial) tell();
    }
  } finally {
    end();
  }
  throw new Error("A reply ended without its last event");
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
