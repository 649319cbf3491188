import "server-only";
import type { RunLimitName, RunUsage } from "@/contracts/runs";
import type { RunMessageContent } from "@/db/schema";
import { askModel } from "@/server/models/ask-model";
import type { ModelEvent, ModelRequest, ModelToolCall } from "@/server/models/model-request";
import { signalHere } from "@/server/platform/bus";
import { isAppError } from "@/server/platform/errors";
import { throughOutages } from "@/server/platform/through-outages";
import type { RunTask } from "./active-runs";
import { buildRequest } from "./build-request";
import { endAtLimit } from "./end-run";
import { answerSoFar, closingResults } from "./open-calls";
import { isLooping } from "./repeated-calls";
import { spentLimit } from "./run-limits";
import { loadChainProviders, withCost } from "./run-models";
import { type LiveRun, type NewMessage, saveEnd, saveRun } from "./save-run";

/** A reply that was cut off after its beginning is asked for again. */
const attempts = 3;
/** Shortest time between two signals about a reply that is being written. */
const betweenSignalsMs = 40;

type Finished = Extract<ModelEvent, { kind: "finished" }>;
type Reply = { text: string; reasoning: string; toolCalls: ModelToolCall[]; finished: Finished };

/**
 * Asks the model once and stores its reply: with calls, whose turn comes next, or as the end of the run.
 * @returns false when the run has ended
 */
export async function takeStep(live: LiveRun, task: RunTask): Promise<boolean> {
  const { run } = live;
  const limit: RunLimitName | null = isLooping(live.messages) ? "loop" : run.steps >= run.limits.steps ? "steps" : null;
  const { request, providers } = await throughOutages(async () => {
    const providers = await loadChainProviders(run.workspaceId, run.models);
    return { providers, request: await buildRequest(live, { providers, isLast: limit !== null }) };
  }, task.stop.signal);
  const reply = await askAgain({ ...request, signal: task.stop.signal }, live, task);
  const usage = withCost(providers, reply.finished.model, reply.finished.usage);
  const message = toMessage(live, reply, usage);
  const spent = addUsage(live, usage);
  task.partial = null;
  return storeReply(live, { message, spent, limit, reason: reply.finished.reason });
}

type Stored = { message: NewMessage; spent: ReturnType<typeof addUsage>; limit: RunLimitName | null; reason: Finished["reason"] };

async function storeReply(live: LiveRun, { message, spent, limit, reason }: Stored): Promise<boolean> {
  const { text, toolCalls = [] } = message.content;
  if (limit !== null) {
    // No tools were offered, so calls in this reply are none.
    const { toolCalls: _, ...content } = message.content;
    await endAtLimit(live, limit, [{ ...message, content }], spent);
    return false;
  }
  if (toolCalls.length > 0) {
    const used = spentLimit({ ...live.run, ...spent });
    if (!used) {
      await saveRun(live, spent, [message]);
      return true;
    }
    await endAtLimit(live, used, [message, ...closingResults([message])], spent);
    return false;
  }
  if (reason === "length") await endAtLimit(live, "output", [message], spent);
  else if (reason === "content_filter") {
    const error = "The provider's content filter stopped the model's reply. Change the message and start again.";
    await saveEnd(live, { status: "failed", answer: text || answerSoFar(live.messages), error }, text ? [message] : [], spent);
  } else if (text.trim() === "") {
    await saveEnd(live, { status: "failed", error: "The model's reply was empty. Start again, or choose another model." }, [], spent);
  } else await saveEnd(live, { status: "succeeded", answer: text }, [message], spent);
  return false;
}

async function askAgain(request: ModelRequest, live: LiveRun, task: RunTask): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    task.partial = { position: live.run.messageCount, attempt, text: "", reasoning: "" };
    try {
      return await ask(request, task, task.partial);
    } catch (error) {
      const hasBegun = task.partial.text !== "" || task.partial.reasoning !== "";
      const isCutOff = hasBegun && isAppError(error) && error.code === "unavailable";
      if (!isCutOff || attempt >= attempts || request.signal.aborted) throw error;
    }
  }
}

async function ask(request: ModelRequest, { runId }: RunTask, partial: { text: string; reasoning: string }): Promise<Reply> {
  const toolCalls: ModelToolCall[] = [];
  const { tell, end } = signalAtOnceThenRarely(() => signalHere({ topic: "run", runId, delta: true }));
  try {
    for await (const event of askModel(request)) {
      if (event.kind === "finished") return { text: partial.text, reasoning: partial.reasoning, toolCalls, finished: event };
      if ("call" in event) toolCalls.push(event.call);
      else partial[event.kind] += event.text;
      tell();
    }
  } finally {
    end();
  }
  throw new Error("A reply ended without its last event");
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

/** Limits of submitted calls, see `SubmittedCall`. */
const mostCalls = 128;
const longestName = 200;
const longestArguments = 1_048_576;

function toMessage({ run }: LiveRun, { text, reasoning, toolCalls, finished }: Reply, usage: RunUsage): NewMessage {
  const content: RunMessageContent = {
    text,
    ...(reasoning ? { reasoning } : {}),
    ...(toolCalls.length > 0 ? { toolCalls: toSubmittable(toolCalls, run.messageCount) } : {}),
    providerData: finished.providerData,
  };
  return { role: "assistant", content, model: finished.model, usage };
}

/** Calls that a turn takes, whatever the model wrote: each has an id of its own, and a name. */
function toSubmittable(calls: readonly ModelToolCall[], position: number): ModelToolCall[] {
  const taken = new Set<string>();
  return calls.slice(0, mostCalls).map(({ id, name, arguments: args }, index) => {
    const isUsable = id !== "" && id.length <= longestName && !taken.has(id);
    const own = isUsable ? id : `call_${position}_${index}`;
    taken.add(own);
    return {
      id: own,
      name: name.trim().slice(0, longestName) || "unnamed",
      // A part of JSON is no JSON, so the turn explains what is wrong and runs nothing.
      arguments: args.length > longestArguments ? `too long: ${args.slice(0, 200)}` : args,
    };
  });
}

function addUsage({ run }: LiveRun, { inputTokens, cachedInputTokens, outputTokens, costUsd }: RunUsage) {
  return {
    steps: run.steps + 1,
    inputTokens: run.inputTokens + inputTokens,
    cachedInputTokens: run.cachedInputTokens + cachedInputTokens,
    outputTokens: run.outputTokens + outputTokens,
    costUsd: run.costUsd + (costUsd ?? 0),
    isCostKnown: run.isCostKnown && costUsd !== null,
  };
}
