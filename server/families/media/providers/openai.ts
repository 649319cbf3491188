import { isJsonObject } from "@/contracts/lib/is-json-object";
import { unreadable } from "./media-fault";
import type { ImageRequest, MadeFile, MediaProvider } from "./provider";
import { present, ratioOf, textAt } from "./read-json";

const imageTimeoutMs = 280_000;

/**
 * OpenAI's images: `POST /images/generations` with JSON and `POST /images/edits` with a form. GPT models answer base64,
 * DALL·E answers addresses unless asked for base64. Servers that speak the same protocol work by their address.
 * Source: OpenAI API reference, "Images".
 */
export const openai: MediaProvider = {
  id: "openai",
  title: "OpenAI",
  defaultAddress: "https://api.openai.com/v1",
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  check: async (client) => void (await client.ask("/models")),
  makers: {
    image: {
      defaultModel: "gpt-image-1",
      knownModels: ["gpt-image-1", "gpt-image-1-mini", "gpt-image-1.5", "dall-e-3", "dall-e-2"],
      async begin(request, model, client) {
        const { prompt, images, count } = request;
        const isDallE = model.startsWith("dall-e");
        const fields = present({
          model,
          prompt,
          n: count,
          size: sizeOf(request, model),
          // GPT models refuse the member, because they know no other form.
          response_format: isDallE ? "b64_json" : undefined,
        });
        const answer =
          images.length === 0
            ? await client.ask("/images/generations", { body: fields, timeoutMs: imageTimeoutMs })
            : await client.ask("/images/edits", {
                form: [
                  ...Object.entries(fields).map(([name, value]) => ({ name, value: String(value) })),
                  ...images.map(({ bytes, mediaType }, index) => ({
                    name: isDallE ? "image" : "image[]",
                    fileName: `image-${index + 1}.${mediaType.split("/")[1] ?? "png"}`,
                    mediaType,
                    bytes,
                  })),
                ],
                timeoutMs: imageTimeoutMs,
              });
        const files = (Array.isArray(answer.data) ? answer.data : []).flatMap((made): MadeFile[] => {
          if (!isJsonObject(made)) return [];
          const data = textAt(made, "b64_json");
          const url = textAt(made, "url");
          return data ? [{ bytes: Buffer.from(data, "base64") }] : url ? [{ url }] : [];
        });
        if (files.length === 0) throw unreadable("images");
        return { files };
      },
    },
  },
};

/** A size in pixels is sent as written; a ratio chooses among the sizes that the model documents. */
function sizeOf({ size, aspectRatio }: ImageRequest, model: string): string | undefined {
  if (size) return `${size.width}x${size.height}`;
  const ratio = ratioOf(aspectRatio);
  if (ratio === null || model === "dall-e-2") return undefined;
  const [wide, tall] = model === "dall-e-3" ? ["1792x1024", "1024x1792"] : ["1536x1024", "1024x1536"];
  return ratio > 1.15 ? wide : ratio < 0.87 ? tall : "1024x1024";
}
