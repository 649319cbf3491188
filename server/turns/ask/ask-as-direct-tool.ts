import "server-only";
import { storableText } from "@/server/platform/database/storable";
import type { PersonQuestion } from "@/server/tools/define-tool";
import { withoutSlot } from "../execute/call-slots";
import type { ReadyCall } from "../step-data";
import type { TurnContext } from "../turn-context";
import type { CallWait } from "../waits/call-wait";
import { askedBefore, askQuestion } from "./ask-question";

const textLimit = 2_000;
const optionLimit = 200;
const maxOptions = 20;

type DirectCall = {
  context: TurnContext;
  call: ReadyCall;
  save: () => Promise<void>;
  whileWaiting: CallWait;
  /** The call's slot. A wait for a person gives the slot back, because the wait may be long and uses nothing. */
  slot: { giveBack: () => void };
};

/**
 * Makes the function with which a direct tool asks a person. Questions of one call are numbered and asked one after the
 * other; a call that runs again after a crash gets the answers that were already given.
 */
export function askAsDirectTool({ context, call, save, whileWaiting, slot }: DirectCall) {
  let questions = 0;
  let last: Promise<unknown> = Promise.resolve();
  return (asked: PersonQuestion, over: AbortSignal): Promise<string> => {
    const number = questions++;
    const question = {
      number,
      text: clean(asked.text, textLimit),
      options: [...(asked.options ?? [])].slice(0, maxOptions).map((option) => clean(option, optionLimit)),
      ...(asked.url ? { url: asked.url } : {}),
    };
    const answer = last.then(async () => {
      over.throwIfAborted();
      // The turn must be stored before anybody is asked about its call.
      await save();
      const { id: callId, runtimeId: id } = call.row;
      const { text, options, url } = question;
      const step = { callId, id, name: call.registered.name, ask: text, question: number, options, ...(url ? { url } : {}) };
      const isAsked = (await askedBefore(callId, number)) !== undefined;
      const asking = { context, call, question, step: isAsked ? null : step, whileWaiting, stopped: over };
      return await withoutSlot(context.turn.workspaceId, slot)(() => askQuestion(asking), over);
    });
    last = answer.catch(() => {});
    return answer;
  };
}

const clean = (text: string, limit: number) => storableText(text).slice(0, limit).toWellFormed();
