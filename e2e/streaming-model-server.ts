import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type StreamingModelServer = {
  /** Base URL of the provider. */
  url: string;
  /** Headers of each request, in order. */
  asked: { path: string; headers: IncomingHttpHeaders }[];
  close: () => Promise<void>;
};

/** A provider on this machine that lists its models and streams chat completions. It accepts one key only. */
export async function startStreamingModelServer({
  key,
  models,
}: {
  key: string;
  models: readonly string[];
}): Promise<StreamingModelServer> {
  const asked: StreamingModelServer["asked"] = [];
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    asked.push({ path: url, headers });
    request.resume().on("end", () => {
      const send = (status: number, body: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      if (headers.authorization !== `Bearer ${key}`) return send(401, { error: { message: "Incorrect API key provided" } });
      if (url === "/v1/models") return send(200, { object: "list", data: models.map((id) => ({ id, object: "model" })) });
      if (url !== "/v1/chat/completions") return send(404, { error: { message: "Not found" } });
      const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
        `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chunk({ role: "assistant", content: "rea" }, null));
      response.write(chunk({ content: "dy" }, null));
      const usage = { prompt_tokens: 12, completion_tokens: 2, total_tokens: 14 };
      return response.end(`${chunk({}, "stop", { usage })}data: [DONE]\n\n`);
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
