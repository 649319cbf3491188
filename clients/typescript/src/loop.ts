import { type Conversation, type LoopOptions, toInstructions } from "./conversation.js";
import type { ToolFormat } from "./wire.js";

export type Loop<Tool, Wanted, Result, Answer> = LoopOptions & {
  format: ToolFormat;
  /** Asks the model once. Append its reply to the history, and return the tool calls in it with its answer. */
  ask: (tools: Tool[], instructions: string) => Promise<{ calls: readonly Wanted[]; answer: Answer }>;
  /** `runChatCalls`, `runResponseCalls` or `runLangChainCalls`. */
  run: (conversation: Conversation, calls: readonly Wanted[], options: LoopOptions) => Promise<Result[]>;
  /** Appends the results to the history. */
  append: (results: Result[]) => void;
  /** Times that the model is asked at most; 20 when absent. */
  maxSteps?: number;
};

/**
 * Asks a model and runs its calls until it calls no tool. Tools are listed before every step, because `enable_tool` adds some.
 * @returns the answer of the last step. @throws HandrailError; the signal's reason; Error when the steps are used up
 */
export async function runLoop<Tool, Wanted, Result, Answer>(
  conversation: Conversation,
  { format, ask, run, append, maxSteps = 20, ...options }: Loop<Tool, Wanted, Result, Answer>,
): Promise<Answer> {
  for (let step = 0; step < maxSteps; step++) {
    const listing = await conversation.tools<Tool>(format);
    const { calls, answer } = await ask(listing.tools, toInstructions(listing));
    if (calls.length === 0) return answer;
    append(await run(conversation, calls, options));
  }
  throw new Error(`The model still calls tools after ${maxSteps} steps. Raise maxSteps, or ask for less at once.`);
}
