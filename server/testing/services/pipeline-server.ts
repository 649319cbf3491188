import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type PipelineServer = {
  url: string;
  /** Each request, in order. */
  requests: { method: string; path: string; body: unknown; authorization: string | null; idempotencyKey: string | null }[];
  /** The body of the task's status response. */
  state: unknown;
  gates: { node_id: string; question?: string; options?: string[] }[];
  /** Receives the answer to a gate. */
  onAnswer: (gate: string, answer: unknown) => void;
};

/** Starts a pipeline on the loopback address that speaks the protocol of docs/core-execute.md. */
export async function startPipeline(): Promise<PipelineServer> {
  const pipeline: PipelineServer = { url: "", requests: [], state: { status: "running" }, gates: [], onAnswer: () => {} };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { method = "", url = "", headers } = request;
    const body = text ? JSON.parse(text) : null;
    const key = headers["idempotency-key"];
    pipeline.requests.push({
      method,
      path: url,
      body,
      authorization: headers.authorization ?? null,
      idempotencyKey: typeof key === "string" ? key : null,
    });
    const answered = /\/gates\/([^/]+)\/answer$/.exec(url);
    if (answered?.[1]) {
      pipeline.gates = pipeline.gates.filter(({ node_id }) => node_id !== answered[1]);
      pipeline.onAnswer(answered[1], body);
    }
    const answer =
      method === "POST" && url === "/messages/async"
        ? { intent_id: "task-1" }
        : url.endsWith("/gates")
          ? { pending: pipeline.gates }
          : method === "GET"
            ? pipeline.state
            : {};
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  pipeline.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return pipeline;
}
