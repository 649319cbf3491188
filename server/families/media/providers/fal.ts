import type { Json, JsonObject } from "@/contracts/common";
import type { MediaClient } from "./media-client";
import { MediaFault, unreadable, workFailed } from "./media-fault";
import type { Begun, ImageRequest, MadeFile, Maker, MediaProvider, Polled } from "./provider";
import { at, dataUri, listAt, numberAt, present, ratioOf, textAt } from "./read-json";

const modelPath = /^[\w-]+\/[\w.-]+(?:\/[\w.-]+)*$/;

/**
 * fal's queue: `POST /{model}` takes the work, `GET /{owner}/{app}/requests/{id}/status` tells how far it is, and the same
 * address without `/status` has the result. Every model has its own input; the members below are those of the models that are named.
 * Source: fal.ai documentation, "Asynchronous Inference" and the models' schemas.
 */
export const fal: MediaProvider = {
  id: "fal",
  title: "fal",
  defaultAddress: "https://queue.fal.run",
  authorize: (key) => ({ authorization: `Key ${key}` }),
  // The status of a request that does not exist: 404 with a valid key, 401 without.
  check: async (client) => {
    await client.ask("/fal-ai/flux/requests/00000000-0000-0000-0000-000000000000/status").catch((error: unknown) => {
      const isKnown = error instanceof MediaFault && /HTTP (?:404|422|400|405)/.test(error.message);
      if (!isKnown) throw error;
    });
  },
  makers: {
    image: maker(
      "fal-ai/flux/dev",
      ["fal-ai/flux/dev", "fal-ai/flux/schnell", "fal-ai/nano-banana", "fal-ai/nano-banana/edit"],
      (request, model) => {
        const { prompt, images, count } = request;
        const first = images[0];
        // Models whose name ends in edit take several images, the others one.
        const edited =
          images.length > 1 || model.endsWith("/edit") ? { image_urls: images.map(dataUri) } : first ? { image_url: dataUri(first) } : {};
        const named = images.length > 0 && model === "fal-ai/flux/dev" ? "fal-ai/nano-banana/edit" : model;
        const input = named === "fal-ai/nano-banana/edit" ? { image_urls: images.map(dataUri) } : edited;
        return { model: named, input: present({ prompt, num_images: count, ...input, ...sizeOf(request, named) }) };
      },
    ),
    video: maker(
      "fal-ai/kling-video/v2.1/master/text-to-video",
      [
        "fal-ai/kling-video/v2.1/master/text-to-video",
        "fal-ai/kling-video/v2.1/master/image-to-video",
        "fal-ai/minimax/hailuo-02/standard/text-to-video",
      ],
      ({ prompt, image, aspectRatio, durationSeconds }, model) => ({
        model: image ? model.replace(/text-to-video$/, "image-to-video") : model,
        input: present({
          prompt,
          image_url: image ? dataUri(image) : undefined,
          aspect_ratio: aspectRatio ?? undefined,
          duration: durationSeconds === null ? undefined : String(durationSeconds),
        }),
      }),
    ),
    music: maker("fal-ai/ace-step", ["fal-ai/ace-step", "fal-ai/minimax-music/v2"], ({ prompt, lyrics, instrumental }, model) => ({
      model,
      input: model.includes("ace-step")
        ? present({ tags: prompt, lyrics: instrumental ? "[inst]" : (lyrics ?? undefined) })
        : present({ prompt, lyrics_prompt: lyrics ?? undefined }),
    })),
    model3d: maker(
      "fal-ai/meshy/v6-preview/text-to-3d",
      ["fal-ai/meshy/v6-preview/text-to-3d", "fal-ai/meshy/v6-preview/image-to-3d", "fal-ai/trellis"],
      ({ prompt, image, texture, pbr }, model) => {
        const named = image ? model.replace(/text-to-3d$/, "image-to-3d") : model;
        const options = named.includes("/meshy/") ? { enable_pbr: pbr, should_texture: texture } : {};
        return { model: named, input: present({ prompt: prompt ?? undefined, image_url: image ? dataUri(image) : undefined, ...options }) };
      },
    ),
  },
};

function maker<Request>(
  defaultModel: string,
  knownModels: readonly string[],
  toInput: (request: Request, model: string) => { model: string; input: JsonObject },
): Maker<Request> {
  return {
    defaultModel,
    knownModels,
    async begin(request, asked, client): Promise<Begun> {
      const { model, input } = toInput(request, asked);
      if (!modelPath.test(model)) throw new MediaFault("refused", `has no model ${model}: its models are named owner/app`);
      const answer = await client.ask(`/${model}`, { body: input });
      const id = textAt(answer, "request_id");
      if (!id || !/^[\w-]{1,100}$/.test(id)) throw unreadable("the id of its request");
      // The addresses of the answer are not used, because the key would follow them.
      return { handle: { app: model.split("/").slice(0, 2).join("/"), id } };
    },
    poll: ({ app, id }, client) => pollRequest(`/${String(app)}/requests/${String(id)}`, client),
    cancel: async ({ app, id }, client) => void (await client.ask(`/${String(app)}/requests/${String(id)}/cancel`, { method: "PUT" })),
  };
}

async function pollRequest(address: string, client: MediaClient): Promise<Polled> {
  const status = await client.ask(`${address}/status`);
  switch (status.status) {
    case "IN_QUEUE": {
      const place = numberAt(status, "queue_position");
      return { state: "working", progress: place === null ? "waiting at fal" : `place ${place + 1} in fal's queue` };
    }
    case "IN_PROGRESS":
      return { state: "working", progress: null };
    case "COMPLETED":
      break;
    default:
      throw workFailed(textAt(status, "error") ?? `its status is ${String(status.status)}`);
  }
  const error = textAt(status, "error");
  if (error) throw workFailed(error);
  const files = filesIn(await client.ask(address));
  if (files.length === 0) throw unreadable("a file");
  return { state: "done", files };
}

/** Members in which fal's models answer files. */
const members = ["images", "image", "video", "audio", "audio_file", "model_glb", "model_mesh"];

function filesIn(answer: JsonObject): MadeFile[] {
  for (const member of members) {
    const found = at(answer, member);
    const entries: readonly Json[] = Array.isArray(found) ? listAt(answer, member) : found === null ? [] : [found];
    const files = entries.flatMap((entry) => textAt(entry, "url") ?? []).map((url) => ({ url }));
    if (files.length > 0) return files;
  }
  return [];
}

/** Flux takes sizes, other models take ratios. */
function sizeOf({ size, aspectRatio }: ImageRequest, model: string): JsonObject {
  if (!model.includes("flux")) return aspectRatio ? { aspect_ratio: aspectRatio } : {};
  if (size) return { image_size: { width: size.width, height: size.height } };
  const ratio = ratioOf(aspectRatio);
  if (ratio === null) return {};
  const side = (factor: number) => Math.round((1024 * factor) / 16) * 16;
  return { image_size: { width: side(Math.sqrt(ratio)), height: side(1 / Math.sqrt(ratio)) } };
}
