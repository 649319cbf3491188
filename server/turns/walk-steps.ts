import "server-only";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { turnEvents } from "@/db/schema";
import { onTurnSignal } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { log } from "@/server/platform/log";
import { storableText } from "@/server/platform/storable";
import type { Steps, ToolResult } from "@/server/tools/define-tool";
import { type LiveTurn, note } from "./live-turn";
import { passGate } from "./pass-gate";
import type { ReadyCall } from "./plan-segment";
import type { TurnContext } from "./turn-context";
import { watchTurn } from "./watch-turns";

const stepLimit = 2_000;
const mostOptions = 20;

type Walk = { live: LiveTurn; context: TurnContext; call: ReadyCall; steps: Steps; save: () => Promise<void>; stopped: AbortSignal };

/**
 * Walks through a tool that works in steps. Each step stands in the turn's journal, and so does each answer: a tool that
 * runs again after a crash gets the answers that were given before, and nobody is asked twice.
 */
export async function walkSteps(walk: Walk): Promise<ToolResult> {
  try {
    return await goThrough(walk);
  } finally {
    // A tool that was left at one of its steps gets to clean up.
    walk.steps.return("").catch((error) => log().debug({ err: error }, "a tool did not end cleanly"));
  }
}

async function goThrough({ live, context, call, steps, save, stopped }: Walk): Promise<ToolResult> {
  const { id: callId, runtimeId: id } = call.row;
  let told = await stepsTold(live.turn.id, callId);
  let questions = 0;
  let answer = "";
  for (let place = 0; ; place++) {
    stopped.throwIfAborted();
    const { value, done } = await steps.next(answer);
    // A tool that took no notice of its end has nothing to say any more.
    stopped.throwIfAborted();
    if (done) return value;
    answer = "";
    if ("approve" in value) {
      // Its question and its answer stand in the approval, and are found there after a crash.
      answer = await passGate({ live, context, call, step: value, save, stopped });
      place -= 1;
      continue;
    }
    const question = "ask" in value ? questions++ : null;
    if (place >= told) {
      const said: JsonObject =
        "ask" in value
          ? { ask: clean(value.ask), question, options: [...(value.options ?? [])].slice(0, mostOptions).map(clean) }
          : { say: clean(value.say) };
      note(live, "call.step", { callId, id, name: call.registered.name, ...said });
      await save();
      told += 1;
    }
    if (question !== null) answer = await answerTo(live.turn.id, callId, question, stopped);
  }
}

const clean = (text: string) => storableText(text).slice(0, stepLimit);

async function stepsTold(turnId: string, callId: string): Promise<number> {
  return db().$count(turnEvents, and(eq(turnEvents.turnId, turnId), eq(turnEvents.event, "call.step"), ofCall(callId)));
}

const ofCall = (callId: string) => sql`${turnEvents.data}->>'callId' = ${callId}`;

/** Waits until somebody has answered a question, wherever they did. @throws when the call is stopped. */
async function answerTo(turnId: string, callId: string, question: number, stopped: AbortSignal): Promise<string> {
  let wake = () => {};
  const off = onTurnSignal(turnId, () => wake());
  const unwatch = watchTurn(turnId);
  const stop = () => wake();
  stopped.addEventListener("abort", stop);
  try {
    while (true) {
      const news = new Promise<void>((resolve) => {
        wake = resolve;
      });
      stopped.throwIfAborted();
      const given = (await questionsOf(turnId, callId)).find((asked) => asked.number === question)?.answer;
      if (given !== undefined) return given;
      await news;
    }
  } finally {
    off();
    unwatch();
    stopped.removeEventListener("abort", stop);
  }
}

const Told = z.object({ question: z.number(), text: z.string().optional() });

/** The questions of a call in order, with their answers as far as they were given. */
export async function questionsOf(turnId: string, callId: string, tx: Pick<ReturnType<typeof db>, "select"> = db()) {
  const rows = await tx
    .select({ event: turnEvents.event, data: turnEvents.data })
    .from(turnEvents)
    .where(and(eq(turnEvents.turnId, turnId), inArray(turnEvents.event, ["call.step", "call.answered"]), ofCall(callId)))
    .orderBy(asc(turnEvents.seq));
  const questions = new Map<number, { number: number; answer: string | undefined }>();
  for (const { event, data } of rows) {
    const parsed = Told.safeParse(data);
    if (!parsed.success) continue;
    const { question: number, text } = parsed.data;
    questions.set(number, { number, answer: event === "call.answered" ? text : questions.get(number)?.answer });
  }
  return [...questions.values()];
}
