import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A word and the words that mean the same. */
const meanings = [
  ["car", "automobile", "vehicle"],
  ["doctor", "physician"],
  ["house", "building", "dwelling"],
  ["zephyrine", "breeze"],
];
const dimensions = 32;

export type EmbeddingRequest = { path: string; model: string; texts: string[]; authorization: string; taskType: string | null };

export type EmbeddingServer = {
  openAiUrl: string;
  googleUrl: string;
  requests: EmbeddingRequest[];
  /** Answers the next requests with this status; 200 to answer them. */
  answerWith: (status: number) => void;
};

/** Starts a server that speaks the embedding protocols of OpenAI and Gemini until the test ends. Words of one meaning have one vector. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  let status = 200;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const path = (incoming.url ?? "").split("?")[0] ?? "";
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const headers = incoming.headers;
      const authorization = String(headers.authorization ?? headers["x-goog-api-key"] ?? "");
      const send = (code: number, answer: object) =>
        response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(answer));
      if (status !== 200) return send(status, { error: { message: "The model is being loaded", code: status, status: "UNAVAILABLE" } });
      if (path === "/v1/embeddings") {
        const texts: string[] = [body.input].flat();
        requests.push({ path, model: body.model, texts, authorization, taskType: null });
        const data = texts.map((text, index) => ({ object: "embedding", index, embedding: embed(text) }));
        return send(200, { object: "list", data, model: body.model, usage: { prompt_tokens: 1, total_tokens: 1 } });
      }
      const [, model = "", verb] = /^\/v1beta\/models\/([^:]+):(embedContent|batchEmbedContents)$/.exec(path) ?? [];
      if (!verb) return send(404, { error: { message: `No route for ${path}`, code: 404, status: "NOT_FOUND" } });
      const asked: { content: { parts: { text: string }[] }; taskType: string }[] = verb === "embedContent" ? [body] : body.requests;
      const texts = asked.map(({ content }) => content.parts.map(({ text }) => text).join(""));
      requests.push({ path, model, texts, authorization, taskType: asked[0]?.taskType ?? null });
      const embeddings = texts.map((text) => ({ values: embed(text) }));
      send(200, verb === "embedContent" ? { embedding: embeddings[0] } : { embeddings });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answerWith = (code: number) => {
    status = code;
  };
  return { openAiUrl: `${origin}/v1`, googleUrl: `${origin}/v1beta`, requests, answerWith };
}

function embed(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.001);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const known = meanings.findIndex((words) => words.includes(word));
    const at =
      known >= 0
        ? known
        : meanings.length + ([...word].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % (dimensions - meanings.length));
    vector[at] = (vector[at] ?? 0) + (known >= 0 ? 4 : 0.2);
  }
  return vector;
}
