import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { mediaProviderIds } from "@/contracts/models/media";
import { type Interfere, mediaServer, onePixel } from "@/server/testing/services/media-server";
import { collectFiles } from "../tasks/collect-files";
import { mediaProviders } from ".";
import { MediaFault } from "./media-fault";
import { openClient } from "./open-client";
import type { GivenImage, Maker, MediaRequests } from "./provider";

const neverAborted = new AbortController().signal;
const image: GivenImage = { bytes: onePixel, mediaType: "image/png" };
const anImage: MediaRequests["image"] = { prompt: "a cat", images: [], size: null, aspectRatio: null, count: 1 };

type Id = (typeof mediaProviderIds)[number];
type Kind = keyof MediaRequests;

async function serve(id: Id, options: { interfere?: Interfere; polls?: number; key?: string } = {}) {
  const server = await mediaServer(options);
  const access = {
    provider: mediaProviders[id],
    address: server.address(id),
    key: options.key ?? "key-1",
    status: "ready" as const,
    models: {},
  };
  return { server, client: openClient(access, neverAborted, []) };
}

/** Makes something as a call does, without storing it. */
async function make<K extends Kind>(
  id: Id,
  kind: K,
  request: MediaRequests[K],
  options: Parameters<typeof serve>[1] & { model?: string } = {},
) {
  const { server, client } = await serve(id, options);
  const maker = mediaProviders[id].makers[kind] as Maker<MediaRequests[K]>;
  const progress: (string | null)[] = [];
  const begun = await maker.begin(request, options.model ?? maker.defaultModel, client);
  let made = "files" in begun ? begun.files : null;
  let handle: JsonObject = "handle" in begun ? begun.handle : {};
  while (made === null) {
    const polled = await maker.poll?.(handle, client);
    if (polled?.state === "working") progress.push(polled.progress);
    else if (polled?.state === "next") handle = (await maker.goOn?.(polled.handle, client)) ?? {};
    else made = polled?.files ?? [];
  }
  const files = await collectFiles(made, { kind, client, signal: neverAborted, progress: () => {} });
  return { server, files: files.map(({ name, mediaType }) => `${name} ${mediaType}`), progress };
}

test("OpenAI makes several images as base64, and DALL·E's addresses are downloaded", async () => {
  const several = await make("openai", "image", { ...anImage, count: 2, aspectRatio: "16:9" });
  expect(several.files).toEqual(["image-1.png image/png", "image-2.png image/png"]);
  expect(several.server.bodies()).toEqual([{ model: "gpt-image-1", prompt: "a cat", n: 2, size: "1536x1024" }]);
  const old = await make("openai", "image", { ...anImage, size: { width: 512, height: 512 } }, { model: "dall-e-2" });
  expect(old.files).toEqual(["image.png image/png"]);
  expect(old.server.bodies()[0]).toMatchObject({ model: "dall-e-2", size: "512x512", response_format: "b64_json" });
  expect(old.server.received.at(-1)).toMatchObject({
    method: "GET",
    url: "/files/image.png",
    headers: expect.not.objectContaining({ authorization: "Bearer key-1" }),
  });
});

test("OpenAI edits images that are sent as files of a form", async () => {
  const { server, files } = await make("openai", "image", { ...anImage, prompt: 'a "hat"', images: [image, image] });
  expect(files).toEqual(["image.png image/png"]);
  const [sent] = server.received;
  expect(sent).toMatchObject({
    url: "/openai/images/edits",
    headers: { "content-type": expect.stringMatching(/^multipart\/form-data; boundary=handrail-/) },
  });
  expect(sent?.body.match(/name="image\[\]"; filename="image-\d\.png"\r\ncontent-type: image\/png/g)).toHaveLength(2);
  expect(sent?.body).toContain('name="prompt"\r\n\r\na "hat"\r\n');
});

test("Gemini makes one image a request, from a prompt and images, in the nearest ratio", async () => {
  const { server, files } = await make("gemini", "image", { ...anImage, images: [image], size: { width: 1920, height: 1000 }, count: 2 });
  expect(files).toHaveLength(2);
  const body = server.bodies()[0] as { contents: { parts: object[] }[]; generationConfig: object };
  expect(body.contents[0]?.parts).toEqual([
    { text: "a cat" },
    { inlineData: { mimeType: "image/png", data: onePixel.toString("base64") } },
  ]);
  expect(body.generationConfig).toEqual({ responseModalities: ["TEXT", "IMAGE"], imageConfig: { aspectRatio: "16:9" } });
});

test("Veo's operation is asked until it is done, and its video is fetched with the key", async () => {
  const request = { prompt: "waves", image, aspectRatio: "9:16", durationSeconds: 8 };
  const { server, files, progress } = await make("gemini", "video", request, { polls: 3 });
  expect(files).toEqual(["video.mp4 video/mp4"]);
  expect(progress).toHaveLength(2);
  expect(server.bodies()).toEqual([
    {
      instances: [{ prompt: "waves", image: { bytesBase64Encoded: onePixel.toString("base64"), mimeType: "image/png" } }],
      parameters: { aspectRatio: "9:16", durationSeconds: 8 },
    },
  ]);
  expect(server.received.at(-1)).toMatchObject({ url: "/gemini/download", headers: { "x-goog-api-key": "key-1" } });
});

test("fal's queue tells the place in it, and its key stays at its own address", async () => {
  const { server, files, progress } = await make("fal", "image", { ...anImage, aspectRatio: "16:9", count: 2 }, { polls: 2 });
  expect(files).toEqual(["image.png image/png"]);
  expect(progress).toEqual(["place 4 in fal's queue"]);
  expect(server.bodies()).toEqual([{ prompt: "a cat", num_images: 2, image_size: { width: 1360, height: 768 } }]);
  expect(server.received.map(({ url }) => url)).toEqual([
    "/fal/fal-ai/flux/dev",
    "/fal/fal-ai/flux/requests/r1/status",
    "/fal/fal-ai/flux/requests/r1/status",
    "/fal/fal-ai/flux/requests/r1",
    "/files/image.png",
  ]);
  expect(server.received.at(-1)?.headers.authorization).toBeUndefined();
});

test("fal takes images, videos, music and 3D models by the inputs of their models", async () => {
  const edited = await make("fal", "image", { ...anImage, images: [image] });
  expect(edited.server.paid()).toEqual(["/fal/fal-ai/nano-banana/edit"]);
  expect(edited.server.bodies()[0]).toMatchObject({ image_urls: [expect.stringMatching(/^data:image\/png;base64,/)] });
  const video = await make("fal", "video", { prompt: "waves", image, aspectRatio: null, durationSeconds: 5 });
  expect(video.server.paid()).toEqual(["/fal/fal-ai/kling-video/v2.1/master/image-to-video"]);
  expect(video.server.bodies()[0]).toMatchObject({ duration: "5", image_url: expect.stringContaining("base64") });
  const music = await make("fal", "music", { prompt: "jazz", lyrics: null, instrumental: true });
  expect(music.files).toEqual(["music.mp3 audio/mpeg"]);
  expect(music.server.bodies()).toEqual([{ tags: "jazz", lyrics: "[inst]" }]);
  const model = await make("fal", "model3d", { prompt: "a chair", image: null, texture: true, pbr: true });
  expect(model.files).toEqual(["model.glb model/gltf-binary"]);
});

test("MiniMax answers images and music at once, and a video after a task and a file", async () => {
  expect((await make("minimax", "image", { ...anImage, images: [image] })).files).toEqual(["image.png image/png"]);
  const song = await make("minimax", "music", { prompt: "folk", lyrics: "[Verse]\nOh", instrumental: false });
  expect(song.files).toEqual(["music.mp3 audio/mpeg"]);
  expect(song.server.bodies()[0]).toMatchObject({ model: "music-2.6", lyrics: "[Verse]\nOh", output_format: "hex" });
  const video = await make("minimax", "video", { prompt: "waves", image: null, aspectRatio: null, durationSeconds: 6 }, { polls: 2 });
  expect(video.files).toEqual(["video.mp4 video/mp4"]);
  expect(video.progress).toEqual(["processing"]);
  expect(video.server.received.map(({ url }) => url).slice(-2)).toEqual(["/minimax/files/retrieve?file_id=f1", "/files/video.mp4"]);
});

test("Meshy refines a preview when a texture is wanted, and makes a model from an image in one task", async () => {
  const textured = await make("meshy", "model3d", { prompt: "a chair", image: null, texture: true, pbr: true }, { polls: 2 });
  expect(textured.files).toEqual(["model.glb model/gltf-binary"]);
  expect(textured.server.bodies()).toEqual([
    { mode: "preview", prompt: "a chair", ai_model: "latest" },
    { mode: "refine", preview_task_id: "preview-1", enable_pbr: true },
  ]);
  expect(textured.progress).toEqual(["form 40 %", "texture 40 %"]);
  const bare = await make("meshy", "model3d", { prompt: "a chair", image: null, texture: false, pbr: false });
  expect(bare.server.paid()).toHaveLength(1);
  const pictured = await make("meshy", "model3d", { prompt: null, image, texture: true, pbr: false });
  expect(pictured.server.bodies()[0]).toMatchObject({ should_texture: true, image_url: expect.stringContaining("base64") });
});

const requests: { [K in Kind]: MediaRequests[K] } = {
  image: anImage,
  video: { prompt: "x", image: null, aspectRatio: null, durationSeconds: null },
  music: { prompt: "x", lyrics: null, instrumental: true },
  model3d: { prompt: "x", image: null, texture: true, pbr: false },
};
const pairs = mediaProviderIds.flatMap((id) => (Object.keys(mediaProviders[id].makers) as Kind[]).map((kind) => [id, kind] as const));

const faultOf = (id: Id, kind: Kind, interfere: Interfere, key = "key-1") =>
  make(id, kind, requests[kind], { interfere, key }).then(
    () => null,
    (error: unknown) => (error instanceof MediaFault ? { outcome: error.outcome, words: error.message, recover: error.mayRecover } : error),
  );

test.each(pairs)("%s's faults with %s say whether the work may have been done, and never the key", async (id, kind) => {
  const wrongKey = await faultOf(id, kind, () => undefined, "sk-wrong-key");
  expect(wrongKey).toMatchObject({ outcome: "refused", words: expect.stringContaining("refuses the key") });
  expect(JSON.stringify(wrongKey)).not.toContain("sk-wrong-key");
  expect(await faultOf(id, kind, () => ({ status: 429, headers: { "retry-after": "7" }, json: { message: "slow down" } }))).toMatchObject({
    outcome: "refused",
    words: expect.stringContaining("limits the number of requests (HTTP 429). It says: “slow down”"),
    recover: true,
  });
  expect(await faultOf(id, kind, () => ({ status: 402, json: {} }))).toMatchObject({ words: expect.stringContaining("no credit left") });
  expect(await faultOf(id, kind, () => ({ status: 500, text: "<html>" }))).toMatchObject({
    outcome: "refused",
    words: "has a fault (HTTP 500).",
  });
  expect(await faultOf(id, kind, () => ({ status: 504, text: "" }))).toMatchObject({ outcome: "unknown" });
  expect(await faultOf(id, kind, () => "cut")).toMatchObject({ outcome: "unknown", words: expect.stringContaining("could not be asked") });
  expect(await faultOf(id, kind, () => ({ text: "{ this is no JSON" }))).toMatchObject({ outcome: "unknown" });
  expect(await faultOf(id, kind, () => ({ json: { strange: true } }))).toMatchObject({
    outcome: "unknown",
    words: expect.stringContaining("sent an answer without"),
  });
  expect(await faultOf(id, kind, () => ({ status: 302, headers: { location: "https://elsewhere.example/" } }))).toMatchObject({
    outcome: "refused",
  });
});

test("work that the provider accepted and that failed there says why", async () => {
  const failing =
    (part: string, json: object): Interfere =>
    ({ method, url }) =>
      method === "GET" && url.includes(part) ? { json } : undefined;
  expect(await faultOf("fal", "video", failing("status", { status: "COMPLETED", error: "The prompt is unsafe" }))).toMatchObject({
    words: "failed: The prompt is unsafe",
  });
  expect(await faultOf("meshy", "model3d", failing("text-to-3d/", { status: "FAILED", task_error: { message: "Busy" } }))).toMatchObject({
    words: "failed: Busy",
  });
  expect(
    await faultOf("minimax", "video", failing("query", { status: "Fail", base_resp: { status_code: 1026, status_msg: "unsafe" } })),
  ).toMatchObject({ words: "declined the request: unsafe (1026)" });
  const filtered = {
    done: true,
    response: { generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ["It shows a person."] } },
  };
  expect(await faultOf("gemini", "video", failing("operations", filtered))).toMatchObject({
    words: "declined the request: It shows a person.",
  });
  expect(await faultOf("gemini", "video", failing("operations", { done: true, error: { code: 13, message: "Internal" } }))).toMatchObject({
    words: "failed: Internal",
  });
  const blocked: Interfere = () => ({ json: { promptFeedback: { blockReason: "SAFETY" } } });
  expect(await faultOf("gemini", "image", blocked)).toMatchObject({ outcome: "refused", words: "declined the request: SAFETY" });
});

test("a file is refused that is something else, too large, or at a private address that nobody named", async () => {
  const file =
    (reply: ReturnType<Interfere>): Interfere =>
    ({ url }) =>
      url.startsWith("/files/") ? reply : undefined;
  expect(await faultOf("fal", "video", file({ bytes: onePixel }))).toMatchObject({ words: "sent something else than a video" });
  expect(await faultOf("fal", "image", file({ bytes: Buffer.alloc(21 * 1_048_576) }))).toMatchObject({
    words: "made a file of more than 20 MiB",
  });
  const elsewhere: Interfere = ({ url }) =>
    url.endsWith("/requests/r1") ? { json: { images: [{ url: "http://127.0.0.1:9/secret" }] } } : undefined;
  expect(await faultOf("fal", "image", elsewhere)).toMatchObject({
    outcome: "unsent",
    words: expect.stringContaining("private or local address"),
  });
});

test.each(["operations/../../files", "models/x/operations/a/../../b"])("an operation named %s is not asked for", async (name) => {
  expect(await faultOf("gemini", "video", ({ method }) => (method === "POST" ? { json: { name } } : undefined))).toMatchObject({
    words: "sent an answer without the name of its operation",
  });
});

test.each(mediaProviderIds)("%s's key is checked by a request that costs nothing", async (id) => {
  const { server, client } = await serve(id);
  await mediaProviders[id].check(client);
  expect(server.paid()).toEqual([]);
  const wrong = await serve(id, { key: "sk-wrong-key" });
  await expect(mediaProviders[id].check(wrong.client)).rejects.toThrow("refuses the key");
});
