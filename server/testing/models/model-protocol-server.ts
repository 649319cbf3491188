import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { ProviderKind } from "@/contracts/models/models";
import { modelProtocols, type ScriptedAnswer } from "./model-protocols";

export type { ScriptedAnswer } from "./model-protocols";

export type ModelServerRequest = { protocol: ProviderKind; model: string; headers: IncomingHttpHeaders; body: JsonObject };

export type ModelServer = {
  /** The base URL of a provider of this kind. */
  baseUrl: (kind: ProviderKind) => string;
  origin: string;
  /** Requests for an answer, in order. */
  requests: ModelServerRequest[];
  /** Requests whose client left before the end. */
  abandoned: () => number;
};

type Script = readonly ScriptedAnswer[] | ((request: ModelServerRequest, place: number) => ScriptedAnswer);

/**
 * Starts a server that speaks the streaming protocols of chat completions, Anthropic and Gemini until the test ends.
 * A list of answers is given in order, its last one for every later request.
 */
export async function startModelServer(script: Script, models: readonly string[] = ["test-model"]): Promise<ModelServer> {
  const requests: ModelServerRequest[] = [];
  let abandoned = 0;
  const next = (request: ModelServerRequest): ScriptedAnswer => {
    const place = requests.push(request) - 1;
    const answer = typeof script === "function" ? script(request, place) : (script[place] ?? script.at(-1));
    if (!answer) throw new Error("The script of the model server is empty");
    return answer;
  };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const path = (incoming.url ?? "").split("?")[0] ?? "";
      const { method = "", headers } = incoming;
      if (method === "GET") return sendModels(response, path, models);
      const found = findProtocol(path);
      if (!found) return sendJson(response, 404, { error: { message: `No route for ${method} ${path}` } });
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      if (!isJsonObject(body)) return sendJson(response, 400, { error: { message: "The body is no object" } });
      const model = found.model ?? String(body.model);
      response.on("close", () => {
        if (!response.writableFinished) abandoned += 1;
      });
      void send(response, found.protocol, model, next({ protocol: found.protocol, model, headers, body }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, baseUrl: (kind) => `${origin}${kind === "google" ? "/v1beta" : "/v1"}`, requests, abandoned: () => abandoned };
}

function findProtocol(path: string): { protocol: ProviderKind; model?: string } | null {
  if (path === "/v1/chat/completions") return { protocol: "openai_compatible" };
  if (path === "/v1/responses") return { protocol: "openai_responses" };
  if (path === "/v1/messages") return { protocol: "anthropic" };
  const model = /^\/v1beta\/models\/([^:]+):streamGenerateContent$/.exec(path)?.[1];
  return model ? { protocol: "google", model } : null;
}

async function send(response: ServerResponse, protocol: ProviderKind, model: string, answer: ScriptedAnswer): Promise<void> {
  if (answer.status && answer.status !== 200) {
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
    return sendJson(response, answer.status, { error: { message: answer.message ?? "No reason given", type: "error" } });
  }
  response.writeHead(200, { "content-type": "text/event-stream", ...answer.headers });
  const { pieces, end } = modelProtocols[protocol](model, answer);
  for (const piece of pieces) response.write(piece);
  await answer.holdsUntil;
  switch (answer.breaksOff) {
    case "connection":
      // Pieces already written must arrive first.
      return void setImmediate(() => response.destroy());
    case "early":
      return void response.end();
    case "malformed":
      return void response.end("data: {this is no JSON\n\n");
    default:
      response.end(end);
  }
}

function sendModels(response: ServerResponse, path: string, models: readonly string[]): void {
  if (path === "/v1/models") sendJson(response, 200, { object: "list", data: models.map((id) => ({ id, object: "model" })) });
  else if (path === "/v1beta/models") {
    const listed = models.map((name) => ({ name: `models/${name}`, supportedGenerationMethods: ["generateContent"] }));
    sendJson(response, 200, { models: listed });
  } else sendJson(response, 404, { error: { message: `No route for GET ${path}` } });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
