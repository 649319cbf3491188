import "server-only";
import type { RunLimitName, RunUsage } from "@/contracts/runs/runs";
import type { RunMessageContent } from "@/db/schema";
import { isTooLong } from "@/server/models/ask-model";
import type { ModelToolCall } from "@/server/models/model-request";
import { throughOutages } from "@/server/platform/database/through-outages";
import type { RunTask } from "../active-runs";
import { isEmptyReply, type Reply } from "../ask-again";
import { findOlder } from "../context/compact";
import { summarise } from "../context/summarise";
import { endAtLimit } from "../end-run";
import { type Asked, askWithHooks } from "../hooks/ask-with-hooks";
import { answerSoFar, closingResults } from "../open-calls";
import { prepareStep } from "../prepare-step";
import { spentLimit } from "../run-limits";
import { type LiveRun, type NewMessage, saveEnd, saveRun } from "../save-run";
import { addUnstored, addUsage, usageOf } from "../step-usage";
import { cutReplies, cutResults, maxCutReplies } from "./cut-replies";
import { isLooping, loopSentence } from "./repeated-calls";
import { keepReplyFiles } from "./reply-files";
import { tellFinishedJobs } from "./tell-finished-jobs";

/**
 * Asks the model once and stores its reply: with calls, whose turn comes next, or as the end of the run.
 * @returns false when the run has ended
 */
export async function takeStep(live: LiveRun, task: RunTask): Promise<boolean> {
  const { signal } = task.stop;
  await throughOutages(() => tellFinishedJobs(live), signal);
  const { run } = live;
  const limit: RunLimitName | null = isLooping(live.messages) ? "loop" : run.steps >= run.limits.steps ? "steps" : null;
  const prepared = await throughOutages(() => prepareStep(live, limit !== null), signal);
  const { request, hooks, providers, older } = prepared;
  if (older) return summarise(live, task, { ...prepared, older });
  let asked: Asked;
  try {
    asked = await askWithHooks({ ...request, signal }, task, { position: run.messageCount, holdsText: false }, hooks);
  } catch (error) {
    // The estimate was too low, or the model's context is not known.
    const tooMuch = isTooLong(error) ? findOlder(prepared.history, Math.min(prepared.budget, prepared.size) / 2) : null;
    if (!tooMuch) throw error;
    return summarise(live, task, { ...prepared, older: tooMuch });
  }
  const { reply, denied } = asked;
  const usage = await usageOf(run, providers, reply.finished);
  const message = toMessage(live, reply, usage, await throughOutages(() => keepReplyFiles(run, reply.finished.files)));
  const spent = { steps: run.steps + 1, ...addUsage(await addUnstored(run, task), usage) };
  task.partial = null;
  if (denied !== null) {
    await saveEnd(live, { status: "failed", answer: answerSoFar(live.messages), error: denied }, [], spent);
    return false;
  }
  return storeReply(live, { reply, message, spent, limit });
}

type Stored = {
  reply: Reply;
  message: NewMessage;
  spent: { steps: number } & ReturnType<typeof addUsage>;
  limit: RunLimitName | null;
};

async function storeReply(live: LiveRun, { reply, message, spent, limit }: Stored): Promise<boolean> {
  const { toolCalls = [], ...withoutCalls } = message.content;
  const { text } = withoutCalls;
  const { reason } = reply.finished;
  // A provider refuses a history with an empty reply.
  const written: NewMessage[] = text.trim() === "" && !withoutCalls.files ? [] : [{ ...message, content: withoutCalls }];
  if (limit !== null) {
    // No tools were offered, so calls in this reply are none.
    const error = limit === "loop" ? loopSentence(live.messages) : undefined;
    await endAtLimit(live, limit, written, spent, error);
    return false;
  }
  if (reason === "content_filter") {
    await endAtLimit(live, "reply", written, spent, filteredSentence);
    return false;
  }
  if (toolCalls.length > 0) {
    const isCut = reason === "length";
    const used = spentLimit({ ...live.run, ...spent }) ?? (isCut && cutReplies(live.messages) + 1 >= maxCutReplies ? "output" : null);
    if (!used) {
      await saveRun(live, spent, isCut ? [message, ...cutResults(toolCalls)] : [message]);
      return true;
    }
    await endAtLimit(live, used, [message, ...closingResults([message])], spent);
    return false;
  }
  if (reason === "length") await endAtLimit(live, "output", written, spent);
  else if (isEmptyReply(reply)) await endAtLimit(live, "reply", [], spent, emptySentence);
  else await saveEnd(live, { status: "succeeded", answer: text }, [message], spent);
  return false;
}

const filteredSentence =
  "The provider's content filter stopped the model's reply each time. The answer is incomplete. Change the message and start again, or choose another model.";
const emptySentence =
  "The model's reply was empty each time that it was asked. The work of the run may be incomplete. Start again, or choose another model.";

/** Limits of submitted calls, see `SubmittedCall`. */
const maxCalls = 128;
const maxNameChars = 200;
const maxArgumentsChars = 1_048_576;

function toMessage(
  { run }: LiveRun,
  { text, reasoning, toolCalls, finished }: Reply,
  usage: RunUsage,
  files: NonNullable<RunMessageContent["files"]>,
): NewMessage {
  const content: RunMessageContent = {
    text,
    ...(reasoning ? { reasoning } : {}),
    ...(toolCalls.length > 0 ? { toolCalls: toSubmittable(toolCalls, run.messageCount) } : {}),
    ...(files.length > 0 ? { files } : {}),
    providerData: finished.providerData,
  };
  return { role: "assistant", content, model: finished.model, usage };
}

/** Calls that a turn takes, whatever the model wrote: each has an id of its own, and a name. */
function toSubmittable(calls: readonly ModelToolCall[], position: number): ModelToolCall[] {
  const taken = new Set<string>();
  return calls.slice(0, maxCalls).map(({ id, name, arguments: args }, index) => {
    const isUsable = id !== "" && id.length <= maxNameChars && !taken.has(id);
    const own = isUsable ? id : `call_${position}_${index}`;
    taken.add(own);
    return {
      id: own,
      name: name.trim().slice(0, maxNameChars) || "unnamed",
      // A part of JSON is no JSON, so the turn explains what is wrong and runs nothing.
      arguments: args.length > maxArgumentsChars ? `too long: ${args.slice(0, 200)}` : args,
    };
  });
}
