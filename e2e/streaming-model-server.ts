import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type StreamingModelServer = {
  /** Base URL of the provider. */
  url: string;
  /** Headers of each request, in order. */
  asked: { path: string; headers: IncomingHttpHeaders }[];
  close: () => Promise<void>;
};

/** A question as the provider receives it. */
export type AskedCompletion = { messages: AskedMessage[] };
export type AskedMessage = {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
};
/** A reply; `holds` leaves it without an end, `until` or `pauseMs` passes before its second half. */
export type StreamedReply = {
  text?: string;
  reasoning?: string;
  toolCalls?: readonly { id: string; name: string; arguments: object }[];
  holds?: boolean;
  until?: Promise<unknown>;
  pauseMs?: number;
};

/** A provider on this machine that lists its models and streams chat completions. It accepts one key only. */
export async function startStreamingModelServer({
  key,
  models,
  reply = () => ({ text: "ready" }),
}: {
  key: string;
  models: readonly string[];
  reply?: (question: AskedCompletion) => StreamedReply;
}): Promise<StreamingModelServer> {
  const asked: StreamingModelServer["asked"] = [];
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    asked.push({ path: url, headers });
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", async () => {
      const send = (status: number, body: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      if (headers.authorization !== `Bearer ${key}`) return send(401, { error: { message: "Incorrect API key provided" } });
      if (url === "/v1/models") return send(200, { object: "list", data: models.map((id) => ({ id, object: "model" })) });
      if (url !== "/v1/chat/completions") return send(404, { error: { message: "Not found" } });
      const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
        `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const { text = "", reasoning = "", toolCalls = [], holds = false, until, pauseMs = 0 } = reply(JSON.parse(body));
      const middle = Math.ceil(text.length / 2);
      if (reasoning) response.write(chunk({ role: "assistant", reasoning_content: reasoning }, null));
      response.write(chunk({ role: "assistant", content: text.slice(0, middle) }, null));
      if (holds) return;
      await until;
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      response.write(chunk({ content: text.slice(middle) }, null));
      for (const [index, { id, name, arguments: args }] of toolCalls.entries()) {
        const call = { index, id, type: "function", function: { name, arguments: JSON.stringify(args) } };
        response.write(chunk({ tool_calls: [call] }, null));
      }
      const usage = { prompt_tokens: 12, completion_tokens: 2, total_tokens: 14 };
      return response.end(`${chunk({}, toolCalls.length > 0 ? "tool_calls" : "stop", { usage })}data: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
