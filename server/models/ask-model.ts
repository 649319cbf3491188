import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { LRUCache } from "lru-cache";
import type { ToolCallMode } from "@/contracts/models/models";
import { AppError, isAppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import { retry } from "@/server/platform/retry";
import { loadProvider } from "./load-provider";
import { makeLanguageModel, type ProviderAccess } from "./make-language-model";
import { ModelFault, toModelFault } from "./model-fault";
import type { AskModel, ModelEvent, ModelRef, ModelRequest } from "./model-request";
import { takenNames, toProviderTools } from "./provider-native-tools";
import { readAnswer } from "./read-answer";
import { splitReasoning } from "./split-reasoning";
import { asTextRequest } from "./text-calls/as-text-request";
import { readTextCalls } from "./text-calls/read-text-calls";
import { toPrompt } from "./to-prompt";

const attempts = 3;
/** A longer `retry-after` leads to the next model instead of a pause. */
const maxRetryAfterSeconds = 20;

type Question = Omit<ModelRequest, "workspaceId" | "models" | "onBegin"> & { toolCalls?: ToolCallMode };
/** An answer that has begun: its first event, the rest, and how to end the request. */
type Answer = { first: ModelEvent; rest: AsyncGenerator<ModelEvent>; end: () => void };

/**
 * Asks the models of the chain in order. A model is asked again, and then the next one, only while nothing was passed on:
 * otherwise the reader would get the beginnings of two answers.
 */
export const askModel: AskModel = async function* ({ workspaceId, models, onBegin = () => {}, ...question }) {
  if (models.length === 0) throw new AppError("unavailable", "No model is configured. Add a provider in Settings → Models.");
  const faults: ModelFault[] = [];
  for (const ref of models) {
    const begun = await loadProvider(workspaceId, ref)
      .then(({ access, toolCalls }) => begin(access, ref, { ...question, toolCalls }))
      .catch((error: unknown) => {
        question.signal.throwIfAborted();
        if (error instanceof ModelFault) return error;
        throw error;
      });
    if (begun instanceof ModelFault) {
      faults.push(begun);
      continue;
    }
    onBegin(ref);
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
    maxPauseMs: 4_000,
    signal,
    mayRecover: async (error) => {
      if (signal.aborted || !(error instanceof ModelFault) || !error.mayRecover) return false;
      const seconds = error.retryAfterSeconds ?? 0;
      if (seconds > maxRetryAfterSeconds) return false;
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
    for await (const event of answerOf(model, access, ref, question)) {
      hasBegun = true;
      yield event;
    }
  } catch (error) {
    question.signal.throwIfAborted();
    const fault = toModelFault(error, access, ref.model, { hasBegun });
    throw hasBegun ? new AppError("unavailable", fault.message, { cause: new CutOff(error) }) : fault;
  }
}

/** Models whose server refuses tools in its own form. */
const withoutTools = () => processWide("models.withoutTools", () => new LRUCache<string, true>({ max: 1_000 }));
const refusesTools = /does not support (tools|tool|function)|tools? (are|is) not supported|(enable-auto-tool-choice|tool-call-parser)/i;

/** Asks once, with tools in the provider's form or as text: see `readTextCalls`. */
async function* answerOf(
  model: LanguageModelV4,
  access: ProviderAccess,
  ref: ModelRef,
  { toolCalls = "auto", ...question }: Question,
): AsyncGenerator<ModelEvent> {
  const schemas = new Map(question.tools.map(({ name, inputSchema }) => [name, inputSchema]));
  const key = `${ref.providerId} ${access.baseUrl} ${ref.model}`;
  const streamed = async (asked: Question) => {
    const { stream } = await model.doStream(toCallOptions(access, ref, asked));
    return splitReasoning(readAnswer(stream, ref));
  };
  const asText = async () => readTextCalls(await streamed(asTextRequest(question)), { mode: "text", schemas });
  const hasCalls = question.messages.some((message) => message.role === "tool");
  const usesTools = schemas.size > 0 || hasCalls;
  if (!usesTools || toolCalls === "native") return yield* await streamed(question);
  if (toolCalls === "text" || withoutTools().has(key)) return yield* await asText();
  try {
    return yield* readTextCalls(await streamed(question), { mode: "auto", schemas });
  } catch (error) {
    if (!APICallError.isInstance(error) || error.statusCode === undefined || !refusesTools.test(error.responseBody ?? "")) throw error;
    withoutTools().set(key, true);
    return yield* await asText();
  }
}

function toCallOptions(
  { kind }: ProviderAccess,
  ref: ModelRef,
  { tools, nativeTools = [], settings, signal, ...question }: Question,
): LanguageModelV4CallOptions {
  const native = toProviderTools(nativeTools, { kind, model: ref.model, hasFunctions: tools.length > 0 });
  const taken = takenNames(kind, native);
  // Every name is found without this suffix.
  const functions = tools.map((tool) => ({
    type: "function" as const,
    ...tool,
    name: taken.has(tool.name) ? `${tool.name}_tool` : tool.name,
  }));
  return {
    prompt: toPrompt(question, { kind, ref }),
    ...settings,
    ...(functions.length + native.length > 0 ? { tools: [...functions, ...native], toolChoice: { type: "auto" } } : {}),
    // The provider keeps nothing; its thinking comes back sealed with the next request.
    ...(kind === "openai_responses" ? { providerOptions: { openai: { store: false } } } : {}),
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

const cutOff = "CutOff";

/** The cause of an error of an answer that had begun; recognised by its name, because each bundle has its own copy of the class. */
class CutOff extends Error {
  constructor(cause: unknown) {
    super("An answer broke off after its beginning", { cause });
    this.name = cutOff;
  }
}

/** Whether an error of `askModel`, or one that was caused by it, says that an answer broke off after its beginning. */
export function isCutOff(error: unknown): boolean {
  for (let current = error, depth = 0; depth < 5 && current instanceof Error; current = current.cause, depth += 1)
    if (current.name === cutOff) return true;
  return false;
}

/** Whether an error of `askModel` says that the request is too long for a model. */
export const isTooLong = (error: unknown): boolean => isAppError(error) && error.cause instanceof ModelFault && error.cause.isTooLong;
