import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { turnEvents } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { storableText } from "@/server/platform/database/storable";
import { AppError, isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { GateStep, Step, Steps, ToolResult, WaitStep } from "@/server/tools/define-tool";
import { askQuestion } from "./ask/ask-question";
import { awaitGate } from "./ask/await-gate";
import { appendEvent, type LiveTurn } from "./live-turn";
import { sentences } from "./outcome";
import type { ReadyCall } from "./step-data";
import type { TurnContext } from "./turn-context";
import type { CallWait } from "./waits/call-wait";
import { awaitDurable } from "./waits/durable-waits";

const stepLimit = 2_000;
const maxOptions = 20;

type StatefulRun = {
  live: LiveTurn;
  context: TurnContext;
  call: ReadyCall;
  steps: Steps;
  save: () => Promise<void>;
  whileWaiting: CallWait;
  stopped: AbortSignal;
};

/**
 * Runs a stateful tool step by step. The journal keeps each step and the approval each answer, so a tool that runs
 * again after a crash gets its earlier answers and nobody is asked twice.
 */
export async function driveStatefulTool(walk: StatefulRun): Promise<ToolResult> {
  try {
    return await driveSteps(walk);
  } finally {
    // Lets a tool that was stopped at a step run its clean-up.
    walk.steps.return("").catch((error) => log().debug({ err: error }, "a tool did not end cleanly"));
  }
}

async function driveSteps({ live, context, call, steps, save, whileWaiting, stopped }: StatefulRun): Promise<ToolResult> {
  const { id: callId, runtimeId: id } = call.row;
  let told = await stepsTold(live.turn.id, callId);
  let questions = 0;
  let answer = "";
  let refusal: AppError | null = null;
  for (let place = 0; ; place++) {
    stopped.throwIfAborted();
    // A tool may catch the refusal and go on without an answer; otherwise the call fails with the refusal's sentence.
    const { value, done } = await (refusal ? steps.throw(refusal) : steps.next(answer));
    refusal = null;
    // The step of a tool that ignored its stop does not count.
    stopped.throwIfAborted();
    if (done) return value;
    answer = "";
    if ("approve" in value) {
      // A gate is no step of the journal: its question and answer are in the approval, where a rerun finds them.
      answer = await awaitGate({ live, context, call, step: value, save, whileWaiting, stopped });
      place -= 1;
      continue;
    }
    if ("wait" in value) {
      // No step of the journal either: the rows of what it waits for have the result.
      ({ answer, refusal } = await answerTo(() => whileWaiting(value.wait.kind, () => awaitDurable(value, stopped))));
      place -= 1;
      continue;
    }
    const step = stepOf(value, "ask" in value ? questions : null);
    const isTold = place < told;
    if ("ask" in value) {
      if (!context.conversation.interactive) throw new AppError("forbidden", sentences.nobodyToAnswer(call.registered.name));
      const number = questions++;
      // The turn must be stored before anybody is asked about its call.
      if (!isTold) await save();
      const question = { number, text: clean(value.ask), options: optionsOf(value) };
      const told = isTold ? null : { callId, id, name: call.registered.name, ...step };
      ({ answer, refusal } = await answerTo(() => askQuestion({ context, call, question, step: told, whileWaiting, stopped })));
    } else if (!isTold) {
      appendEvent(live, "call.step", { callId, id, name: call.registered.name, ...step });
      await save();
    }
    if (!isTold) told += 1;
  }
}

type AnsweredStep = Exclude<Step, GateStep | WaitStep>;

function stepOf(value: AnsweredStep, question: number | null): JsonObject {
  return "ask" in value ? { ask: clean(value.ask), question, options: optionsOf(value) } : { say: clean(value.say) };
}

const optionsOf = ({ options }: { options?: readonly string[] }) => [...(options ?? [])].slice(0, maxOptions).map(clean);

/** Returns the answer, or the error that the tool gets instead. */
async function answerTo(wait: () => Promise<string>): Promise<{ answer: string; refusal: AppError | null }> {
  try {
    return { answer: await wait(), refusal: null };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { answer: "", refusal: error };
  }
}

const clean = (text: string) => storableText(text).slice(0, stepLimit);

async function stepsTold(turnId: string, callId: string): Promise<number> {
  return db().$count(turnEvents, and(eq(turnEvents.turnId, turnId), eq(turnEvents.event, "call.step"), ofCall(callId)));
}

const ofCall = (callId: string) => sql`${turnEvents.data}->>'callId' = ${callId}`;
