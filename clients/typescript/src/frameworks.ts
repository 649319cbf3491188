import { type Conversation, type LoopOptions, type RunOptions, toInstructions } from "./conversation.js";
import type { Call, McpTool, SubmittedCall } from "./wire.js";

/** A tool call of OpenAI's chat completions. */
type ChatToolCall = { id: string; type?: string; function?: { name: string; arguments: string } };

/** Runs the tool calls of a chat completion. @returns messages to append: one per call, then the images that calls returned */
export async function runChatCalls(conversation: Conversation, toolCalls: readonly ChatToolCall[], options?: RunOptions) {
  const calls = toolCalls.flatMap(({ id, function: called }) => (called ? [{ id, ...called }] : []));
  const results = await conversation.run(calls, options);
  const messages = results.map(({ id, content }) => ({ role: "tool" as const, tool_call_id: id, content }));
  return [...messages, ...(await imageMessages(conversation, results))];
}

type ResponseCall = { type: string; call_id: string; name: string; arguments: string };

/** Runs the function calls in the output of OpenAI's Responses API. @returns input items for the next request */
export async function runResponseCalls(conversation: Conversation, output: readonly { type: string }[], options?: RunOptions) {
  const wanted = output.filter((item) => item.type === "function_call") as ResponseCall[];
  const calls = wanted.map(({ call_id, name, arguments: args }) => ({ id: call_id, name, arguments: args }));
  const results = await conversation.run(calls, options);
  return Promise.all(
    results.map(async (call) => {
      const images = await conversation.images(call);
      const parts = images.map((image_url) => ({ type: "input_image" as const, detail: "auto" as const, image_url }));
      const output = parts.length > 0 ? [{ type: "input_text" as const, text: call.content }, ...parts] : call.content;
      return { type: "function_call_output" as const, call_id: call.id, output };
    }),
  );
}

/** Runs the tool calls of a LangChain message. @returns messages to append: one per call, then the images that calls returned */
export async function runLangChainCalls(
  conversation: Conversation,
  toolCalls: readonly { id?: string; name: string; args: Record<string, unknown> }[],
  options?: RunOptions,
) {
  const calls = toolCalls.map(({ id, name, args }, place) => ({ id: id ?? `call_${place}`, name, arguments: args }));
  const results = await conversation.run(calls, options);
  const messages = results.map(({ id, name, content, isError }) => {
    return { role: "tool" as const, tool_call_id: id, name, content, status: isError ? ("error" as const) : ("success" as const) };
  });
  return [...messages, ...(await imageMessages(conversation, results))];
}

/** A message of the role `tool` takes text only, so images come in a message of the user. */
async function imageMessages(conversation: Conversation, results: readonly Call[]) {
  const images = (await Promise.all(results.map((call) => conversation.images(call)))).flat();
  const content = images.map((url) => ({ type: "image_url" as const, image_url: { url } }));
  return content.length > 0 ? [{ role: "user" as const, content }] : [];
}

/** The text for the model, and images as data URLs. */
export type ToolOutput = { text: string; images: string[] };
type Define<Tool> = (tool: McpTool, execute: (input: unknown, id: string) => Promise<ToolOutput>) => Tool;

/**
 * Tools with an `execute` of their own, for frameworks that run the loop themselves (AI SDK, OpenAI Agents).
 * Calls that the framework starts together become one turn, so that they keep their order.
 *
 * `tools` is one object for the whole loop: `refresh` adds what `enable_tool` activated meanwhile, so call it before each step.
 */
export async function executableTools<Tool>(conversation: Conversation, define: Define<Tool>, options: LoopOptions = {}) {
  const tools: Record<string, Tool> = {};
  const execute = collectCalls((calls) => conversation.run(calls, options));
  const shown = async (result: Call) => ({ text: result.content, images: await conversation.images(result) });
  const refresh = async (): Promise<string> => {
    const listing = await conversation.tools<McpTool>("mcp");
    const listed = new Set(listing.tools.map(({ name }) => name));
    for (const name of Object.keys(tools)) if (!listed.has(name)) delete tools[name];
    for (const tool of listing.tools) {
      tools[tool.name] ??= define(tool, (input, id) =>
        execute({ id, name: tool.name, arguments: input as Record<string, unknown> }).then(shown),
      );
    }
    return toInstructions(listing);
  };
  return { tools, instructions: await refresh(), refresh };
}

/** Collects the calls of one moment into one turn. */
function collectCalls(run: (calls: SubmittedCall[]) => Promise<Call[]>): (call: SubmittedCall) => Promise<Call> {
  type Waiting = { call: SubmittedCall; resolve: (result: Call) => void; reject: (reason: unknown) => void };
  let waiting: Waiting[] = [];
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    try {
      // One result per call, in the order of the calls.
      const results = await run(batch.map(({ call }) => call));
      for (const [place, { resolve }] of batch.entries()) resolve(results[place] as Call);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return (call) =>
    new Promise((resolve, reject) => {
      // Frameworks start the calls of one reply together; a macrotask later all of them are here.
      if (waiting.length === 0) setTimeout(flush, 0);
      waiting.push({ call, resolve, reject });
    });
}
