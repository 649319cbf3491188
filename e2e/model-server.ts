import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Message = { role: string; content?: unknown; tool_call_id?: string };
type Asked = { messages: Message[]; tools?: { function: { name: string } }[] };
type ToolCall = { name: string; arguments: object };

export type ModelServer = {
  /** For OPENAI_BASE_URL. */
  url: string;
  /** Every request that it was asked. */
  asked: Asked[];
  close: () => Promise<void>;
};

/**
 * A model that speaks the chat completions protocol: asked without results it calls the tools, asked with them it answers
 * with their text.
 */
export async function startModelServer(calls: readonly ToolCall[]): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    if (request.url !== "/v1/chat/completions") {
      response.writeHead(404).end();
      return;
    }
    const question: Asked = JSON.parse(body);
    asked.push(question);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(replyTo(question, calls)));
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

function replyTo({ messages }: Asked, calls: readonly ToolCall[]) {
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => textOf(content));
  const message =
    results.length > 0
      ? { role: "assistant", content: `The model read: ${results.join(" | ")}` }
      : {
          role: "assistant",
          content: null,
          tool_calls: calls.map(({ name, arguments: args }, place) => ({
            id: `call_${place}`,
            type: "function",
            function: { name, arguments: JSON.stringify(args) },
          })),
        };
  return {
    // LangChain takes messages of one id for one message.
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion",
    created: 1,
    model: "local",
    choices: [{ index: 0, message, finish_reason: results.length > 0 ? "stop" : "tool_calls" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

const textOf = (content: unknown): string => (typeof content === "string" ? content : JSON.stringify(content));
