import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Message = { role: string; content?: unknown; tool_call_id?: string };
type Item = { type?: string; output?: unknown };
type Asked = { messages?: Message[]; input?: Item[]; tools?: { name?: string; function?: { name: string } }[] };
type ToolCall = { name: string; arguments: object };

export type ModelServer = {
  /** For OPENAI_BASE_URL. */
  url: string;
  /** Every request that it was asked. */
  asked: Asked[];
  close: () => Promise<void>;
};

/**
 * A model that speaks OpenAI's protocols, chat completions and responses. Its n-th reply makes the n-th list of calls;
 * after the last list it answers with the text of all results.
 */
export async function startModelServer(...steps: (readonly ToolCall[])[]): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const reply = request.url === "/v1/chat/completions" ? toCompletion : request.url === "/v1/responses" ? toResponse : null;
    if (!reply) {
      response.writeHead(404).end();
      return;
    }
    const question: Asked = JSON.parse(body);
    const calls = steps[asked.length] ?? [];
    asked.push(question);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply(question, calls, asked.length)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function toCompletion({ messages = [] }: Asked, calls: readonly ToolCall[], step: number) {
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => textOf(content));
  const toolCalls = calls.map(({ name, arguments: args }, place) => ({
    id: `call_${step}_${place}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message =
    calls.length > 0
      ? { role: "assistant", content: null, tool_calls: toolCalls }
      : { role: "assistant", content: `The model read: ${results.join(" | ")}` };
  return {
    // LangChain takes messages of one id for one message.
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion",
    created: 1,
    model: "local",
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

function toResponse({ input = [] }: Asked, calls: readonly ToolCall[], step: number) {
  const results = input.filter(({ type }) => type === "function_call_output").map(({ output }) => textOf(output));
  const text = { type: "output_text", text: `The model read: ${results.join(" | ")}`, annotations: [] };
  const output =
    calls.length > 0
      ? calls.map(({ name, arguments: args }, place) => ({
          type: "function_call",
          id: `fc_${step}_${place}`,
          call_id: `call_${step}_${place}`,
          name,
          arguments: JSON.stringify(args),
          status: "completed",
        }))
      : [{ type: "message", id: `msg_${step}`, role: "assistant", status: "completed", content: [text] }];
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return { id: `resp_${randomUUID()}`, object: "response", created_at: 1, model: "local", status: "completed", output, usage };
}

const textOf = (content: unknown): string => (typeof content === "string" ? content : JSON.stringify(content));
