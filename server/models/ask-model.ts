import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { AppError, isAppError } from "@/server/platform/errors";
import { retry } from "@/server/platform/retry";
import { loadProvider } from "./load-provider";
import { makeLanguageModel, type ProviderAccess } from "./make-language-model";
import { ModelFault, toModelFault } from "./model-fault";
import type { AskModel, ModelEvent, ModelRef, ModelRequest } from "./model-request";
import { readAnswer } from "./read-answer";
import { toPrompt } from "./to-prompt";

const attempts = 3;
/** A longer `retry-after` leads to the next model instead of a pause. */
const longestRetryAfterSeconds = 20;

type Question = Omit<ModelRequest, "workspaceId" | "models">;
/** An answer that has begun: its first event, the rest, and how to end the request. */
type Answer = { first: ModelEvent; rest: AsyncGenerator<ModelEvent>; end: () => void };

/**
 * Asks the models of the chain in order. A model is asked again, and then the next one, only while nothing was passed on:
 * otherwise the reader would get the beginnings of two answers.
 */
export const askModel: AskModel = async function* ({ workspaceId, models, ...question }) {
  if (models.length === 0) throw new AppError("unavailable", "No model is configured. Add a provider in Settings → Models.");
  const faults: ModelFault[] = [];
  for (const ref of models) {
    const begun = await loadProvider(workspaceId, ref)
      .then((access) => begin(access, ref, question))
      .catch((error: unknown) => {
        question.signal.throwIfAborted();
        if (error instanceof ModelFault) return error;
        throw error;
      });
    if (begun instanceof ModelFault) {
      faults.push(begun);
      continue;
    }
    yield* passOn(begun);
    return;
  }
  throw unanswered(faults);
};

/** Asks one provider that is not stored, once. @throws ModelFault */
export async function* askProvider(access: ProviderAccess, ref: ModelRef, question: Question): AsyncGenerator<ModelEvent> {
  const begun = await beginOnce(access, ref, question);
  yield* passOn(begun);
}

async function* passOn({ first, rest, end }: Answer): AsyncGenerator<ModelEvent> {
  try {
    yield first;
    yield* rest;
  } finally {
    // A reader may leave early. The request ends first, because the generator may wait for its next bytes.
    end();
    await rest.return(undefined);
  }
}

/** Repeats until a model begins to answer. @throws ModelFault of the last attempt */
function begin(access: ProviderAccess, ref: ModelRef, question: Question): Promise<Answer> {
  const { signal } = question;
  return retry(() => beginOnce(access, ref, question), {
    attempts,
    firstPauseMs: 500,
    longestPauseMs: 4_000,
    signal,
    mayRecover: async (error) => {
      if (signal.aborted || !(error instanceof ModelFault) || !error.mayRecover) return false;
      const seconds = error.retryAfterSeconds ?? 0;
      if (seconds > longestRetryAfterSeconds) return false;
      await sleep(seconds * 1_000, undefined, { signal });
      return true;
    },
  });
}

async function beginOnce(access: ProviderAccess, ref: ModelRef, question: Question): Promise<Answer> {
  const request = new AbortController();
  const events = eventsOf(access, ref, { ...question, signal: AbortSignal.any([question.signal, request.signal]) });
  const first = await events.next();
  if (first.done) throw new Error("An answer ended without its last event");
  return { first: first.value, rest: events, end: () => request.abort() };
}

/** @throws ModelFault, or the signal's reason */
async function* eventsOf(access: ProviderAccess, ref: ModelRef, question: Question): AsyncGenerator<ModelEvent> {
  let hasBegun = false;
  try {
    const model = await makeLanguageModel(access, ref.model);
    const { stream } = await model.doStream(toCallOptions(access, ref, question));
    for await (const event of readAnswer(stream, ref)) {
      hasBegun = true;
      yield event;
    }
  } catch (error) {
    question.signal.throwIfAborted();
    const fault = toModelFault(error, access, ref.model);
    throw hasBegun ? new AppError("unavailable", fault.message, { cause: error }) : fault;
  }
}

function toCallOptions(
  { kind }: ProviderAccess,
  ref: ModelRef,
  { tools, settings, signal, ...question }: Question,
): LanguageModelV4CallOptions {
  return {
    prompt: toPrompt(question, { kind, ref }),
    ...settings,
    ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: "function", ...tool })), toolChoice: { type: "auto" } } : {}),
    abortSignal: signal,
  };
}

function unanswered(faults: readonly ModelFault[]): AppError {
  const waits = faults.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  const sentences = [...new Set(faults.map(({ message }) => message))];
  return new AppError("unavailable", sentences.length === 1 ? (sentences[0] ?? "") : `No model could answer. ${sentences.join(" ")}`, {
    // A request that is too long for one model of the chain can be shortened for it.
    cause: faults.find(({ isTooLong }) => isTooLong) ?? faults[0],
    ...(waits.length > 0 ? { retryAfterSeconds: Math.min(...waits) } : {}),
  });
}

/** Whether an error of `askModel` says that the request is too long for a model. */
export const isTooLong = (error: unknown): boolean => isAppError(error) && error.cause instanceof ModelFault && error.cause.isTooLong;
