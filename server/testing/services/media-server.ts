import type { ServerResponse } from "node:http";
import { httpApi, type ReceivedRequest } from "./http-api";

/** A PNG of one pixel. */
export const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
export const mediaFiles = {
  "image.png": onePixel,
  "video.mp4": Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypmp42isom"), Buffer.alloc(64)]),
  "music.mp3": Buffer.concat([Buffer.from("ID3"), Buffer.alloc(64)]),
  "model.glb": Buffer.concat([Buffer.from("glTF"), Buffer.alloc(64)]),
} as const;

type Reply = { status?: number; headers?: Record<string, string>; json?: unknown; bytes?: Buffer; text?: string };
/** Answers a request in place of the protocol; `cut` breaks the connection, undefined leaves it to the protocol. */
export type Interfere = (request: ReceivedRequest, place: number) => Reply | "cut" | "hold" | undefined;

/** A server that speaks the protocols of all five media providers, each at its own path, until the test ends. */
export async function mediaServer({ interfere = () => undefined, polls = 1 }: { interfere?: Interfere; polls?: number } = {}) {
  const asked = new Map<string, number>();
  const api = await httpApi((request, response, place) => {
    const reply = interfere(request, place) ?? answerOf(request, api.origin, (key) => countedDown(asked, key, polls));
    if (reply === "cut") response.destroy();
    else if (reply !== "hold") send(response, reply);
  });
  return {
    ...api,
    address: (provider: string) => `${api.origin}/${provider}`,
    /** Paid requests, in order. */
    paid: () => api.received.filter(({ method }) => method === "POST").map(({ url }) => url),
    bodies: () => api.received.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body) as Record<string, unknown>),
  };
}

/** Returns true from the last of `polls` questions on. */
function countedDown(asked: Map<string, number>, key: string, polls: number): boolean {
  const times = (asked.get(key) ?? 0) + 1;
  asked.set(key, times);
  return times >= polls;
}

function send(response: ServerResponse, { status = 200, headers = {}, json, bytes, text }: Reply): void {
  const type = json === undefined ? "application/octet-stream" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers }).end(json === undefined ? (bytes ?? text ?? "") : JSON.stringify(json));
}

const keys: Record<string, (request: ReceivedRequest) => boolean> = {
  openai: ({ headers }) => headers.authorization === "Bearer key-1",
  gemini: ({ headers }) => headers["x-goog-api-key"] === "key-1",
  fal: ({ headers }) => headers.authorization === "Key key-1",
  minimax: ({ headers }) => headers.authorization === "Bearer key-1",
  meshy: ({ headers }) => headers.authorization === "Bearer key-1",
};

function answerOf(request: ReceivedRequest, origin: string, isDone: (key: string) => boolean): Reply {
  const { pathname, searchParams } = new URL(request.url, origin);
  const file = /^\/files\/(.+)$/.exec(pathname)?.[1];
  if (file) return { bytes: mediaFiles[file as keyof typeof mediaFiles] };
  const [, provider = "", path = ""] = /^\/(\w+)(\/.*)$/.exec(pathname) ?? [];
  if (!keys[provider]?.(request)) {
    return provider === "minimax"
      ? { json: { base_resp: { status_code: 1004, status_msg: "login fail: key-1 is wrong" } } }
      : { status: 401, json: { error: { message: `Incorrect API key provided: ${request.headers.authorization ?? ""}` } } };
  }
  const at = (name: string) => `${origin}/files/${name}`;
  const b64 = onePixel.toString("base64");
  const ok = { status_code: 0, status_msg: "success" };
  const route = `${request.method} ${provider}${path}`;
  switch (route) {
    case "GET openai/models":
    case "GET gemini/models":
      return { json: { data: [] } };
    case "POST openai/images/generations": {
      const { n, model } = JSON.parse(request.body) as { n: number; model: string };
      return {
        json: { created: 1, data: Array.from({ length: n }, () => (model === "dall-e-2" ? { url: at("image.png") } : { b64_json: b64 })) },
      };
    }
    case "POST openai/images/edits":
      return { json: { created: 1, data: [{ b64_json: b64 }] } };
    case "POST gemini/models/gemini-2.5-flash-image:generateContent":
      return {
        json: {
          candidates: [
            {
              content: { role: "model", parts: [{ text: "Here." }, { inlineData: { mimeType: "image/png", data: b64 } }] },
              finishReason: "STOP",
            },
          ],
        },
      };
    case "POST gemini/models/veo-3.0-generate-001:predictLongRunning":
      return { json: { name: "models/veo-3.0-generate-001/operations/op1" } };
    case "GET gemini/models/veo-3.0-generate-001/operations/op1": {
      const sample = { video: { uri: `${origin}/gemini/download` } };
      return {
        json: isDone(route) ? { done: true, response: { generateVideoResponse: { generatedSamples: [sample] } } } : { done: false },
      };
    }
    case "GET gemini/download":
      return { bytes: mediaFiles["video.mp4"] };
    case "POST minimax/image_generation":
      return { json: { id: "1", data: { image_base64: [b64] }, metadata: { success_count: "1", failed_count: "0" }, base_resp: ok } };
    case "POST minimax/video_generation":
      return { json: { task_id: "t1", base_resp: ok } };
    case "GET minimax/query/video_generation":
      return {
        json: isDone(route)
          ? { task_id: searchParams.get("task_id"), status: "Success", file_id: "f1", base_resp: ok }
          : { status: "Processing", base_resp: ok },
      };
    case "GET minimax/files/retrieve":
      return { json: { file: { file_id: "f1", download_url: at("video.mp4") }, base_resp: ok } };
    case "GET minimax/files/list":
      return { json: { files: [], base_resp: ok } };
    case "POST minimax/music_generation":
      return { json: { data: { audio: mediaFiles["music.mp3"].toString("hex"), status: 2 }, base_resp: ok } };
    case "GET meshy/openapi/v1/balance":
      return { json: { balance: 1000 } };
    case "POST meshy/openapi/v2/text-to-3d":
      return { status: 202, json: { result: (JSON.parse(request.body) as { mode: string }).mode === "refine" ? "refine-1" : "preview-1" } };
    case "POST meshy/openapi/v1/image-to-3d":
      return { status: 202, json: { result: "image-1" } };
    default:
      return answerQueue(route, path, { isDone, at });
  }
}

/** The task objects of Meshy and the queue of fal. */
function answerQueue(
  route: string,
  path: string,
  { isDone, at }: { isDone: (key: string) => boolean; at: (name: string) => string },
): Reply {
  if (/^GET meshy\/openapi\/v[12]\/(?:text|image)-to-3d\/[\w-]+$/.test(route)) {
    return {
      json: isDone(route)
        ? { status: "SUCCEEDED", progress: 100, model_urls: { glb: at("model.glb") } }
        : { status: "IN_PROGRESS", progress: 40 },
    };
  }
  const status = /^GET fal\/([\w-]+\/[\w-]+)\/requests\/(\w+)\/status$/.exec(route);
  if (status) return { json: isDone(route) ? { status: "COMPLETED" } : { status: "IN_QUEUE", queue_position: 3 } };
  const result = /^GET fal\/([\w-]+\/[\w-]+)\/requests\/(\w+)$/.exec(route)?.[1];
  if (result?.includes("kling")) return { json: { video: { url: at("video.mp4"), content_type: "video/mp4" } } };
  if (result?.includes("ace-step")) return { json: { audio: { url: at("music.mp3") } } };
  if (result?.includes("meshy") || result?.includes("trellis")) return { json: { model_glb: { url: at("model.glb") } } };
  if (result) return { json: { images: [{ url: at("image.png"), content_type: "image/png" }], seed: 1 } };
  if (/^PUT fal\/.*\/cancel$/.test(route)) return { status: 202, json: { status: "CANCELLATION_REQUESTED" } };
  // The addresses of a real answer lead to the queue; these lead elsewhere, and nobody may follow them with the key.
  if (route.startsWith("POST fal/"))
    return { json: { request_id: "r1", status_url: "https://elsewhere.example/", response_url: "https://elsewhere.example/" } };
  return { status: 404, json: { detail: `No route for ${route} ${path}` } };
}
