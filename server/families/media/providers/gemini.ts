import type { MediaClient } from "./media-client";
import { declined, MediaFault, unreadable, workFailed } from "./media-fault";
import type { ImageRequest, MadeFile, MediaProvider } from "./provider";
import { at, base64, listAt, present, ratioOf, textAt } from "./read-json";

const imageTimeoutMs = 280_000;

/**
 * Google's Gemini API. Images: `models/{model}:generateContent` with images as `inlineData`, one image a request. Videos: Veo by
 * `models/{model}:predictLongRunning`, whose operation is asked until it is done; the download needs the key.
 * Source: ai.google.dev, "Image generation" and "Generate videos with Veo".
 */
export const gemini: MediaProvider = {
  id: "gemini",
  title: "Google Gemini",
  defaultAddress: "https://generativelanguage.googleapis.com/v1beta",
  authorize: (key) => ({ "x-goog-api-key": key }),
  check: async (client) => void (await client.ask("/models?pageSize=1")),
  makers: {
    image: {
      defaultModel: "gemini-2.5-flash-image",
      knownModels: ["gemini-2.5-flash-image", "gemini-3-pro-image-preview"],
      async begin(request, model, client) {
        // One request makes one image, so several are asked for side by side.
        const asked = await Promise.allSettled(Array.from({ length: request.count }, () => oneImage(request, model, client)));
        const files = asked.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
        const faults = asked.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
        if (files.length === 0) throw faults.find((fault) => fault instanceof MediaFault && fault.outcome === "unknown") ?? faults[0];
        const lost = faults.map((fault) => (fault instanceof Error ? fault.message : String(fault)));
        return { files, ...(lost.length > 0 ? { notes: [`Google Gemini made ${files.length} of ${request.count}: it ${lost[0]}`] } : {}) };
      },
    },
    video: {
      defaultModel: "veo-3.0-generate-001",
      knownModels: ["veo-3.0-generate-001", "veo-3.0-fast-generate-001", "veo-3.1-generate-preview", "veo-3.1-fast-generate-preview"],
      async begin({ prompt, image, aspectRatio, durationSeconds }, model, client) {
        const instance = present({
          prompt,
          image: image ? { bytesBase64Encoded: base64(image.bytes), mimeType: image.mediaType } : undefined,
        });
        const parameters = present({ aspectRatio: aspectRatio ?? undefined, durationSeconds: durationSeconds ?? undefined });
        const answer = await client.ask(`/models/${model}:predictLongRunning`, { body: { instances: [instance], parameters } });
        const name = textAt(answer, "name");
        if (!name || !operationName.test(name)) throw unreadable("the name of its operation");
        return { handle: { operation: name } };
      },
      async poll({ operation }, client) {
        const answer = await client.ask(`/${String(operation)}`);
        if (answer.done !== true) return { state: "working", progress: null };
        const error = textAt(answer, "error", "message");
        if (error) throw workFailed(error);
        const response = at(answer, "response", "generateVideoResponse") ?? undefined;
        const files = listAt(response, "generatedSamples").flatMap((sample): MadeFile[] => {
          const url = textAt(sample, "video", "uri");
          return url ? [{ url, withKey: true }] : [];
        });
        if (files.length === 0) throw declined(textAt(response, "raiMediaFilteredReasons", 0) ?? "its safety filter kept the video back");
        return { state: "done", files };
      },
    },
  },
};

/** The name becomes part of an address. */
const operationName = /^models\/[\w.-]+\/operations\/[\w-]+$/;

async function oneImage(request: ImageRequest, model: string, client: MediaClient): Promise<MadeFile[]> {
  const { prompt, images } = request;
  const aspectRatio = nearestRatio(request);
  const parts = [{ text: prompt }, ...images.map(({ bytes, mediaType }) => ({ inlineData: { mimeType: mediaType, data: base64(bytes) } }))];
  const answer = await client.ask(`/models/${model}:generateContent`, {
    body: {
      contents: [{ role: "user", parts }],
      generationConfig: { responseModalities: ["TEXT", "IMAGE"], ...(aspectRatio ? { imageConfig: { aspectRatio } } : {}) },
    },
    timeoutMs: imageTimeoutMs,
  });
  const blocked = textAt(answer, "promptFeedback", "blockReason");
  if (blocked) throw declined(blocked);
  const candidate = at(answer, "candidates", 0) ?? undefined;
  const made = listAt(candidate, "content", "parts");
  const files = made.flatMap((part): MadeFile[] => {
    const data = textAt(part, "inlineData", "data");
    return data && at(part, "thought") !== true ? [{ bytes: Buffer.from(data, "base64") }] : [];
  });
  if (files.length > 0) return files;
  const words = made.flatMap((part) => textAt(part, "text") ?? []).join(" ");
  const reason = textAt(candidate, "finishReason");
  if (words || (reason && reason !== "STOP")) throw declined(words || (reason ?? ""));
  throw unreadable("an image");
}

const ratios = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"];

/** The documented ratio that is nearest to what was asked for. */
function nearestRatio({ size, aspectRatio }: ImageRequest): string | null {
  const wanted = size ? size.width / size.height : ratioOf(aspectRatio);
  if (wanted === null) return null;
  const distance = (ratio: string) => Math.abs(Math.log((ratioOf(ratio) ?? 1) / wanted));
  return ratios.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}
