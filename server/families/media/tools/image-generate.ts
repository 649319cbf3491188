import { z } from "zod";
import { files, http } from "@/server/capabilities/call-capabilities";
import { defineTool } from "@/server/tools/define-tool";
import { effectsOfImages, ImageReference, referencesOf } from "../images/image-reference";
import { loadImages } from "../images/load-image";
import { media } from "../media-capability";
import { AspectRatio, availabilityOf, commonParameters, makeOrLookUp, mediaTimeoutMs, sendsPrompt } from "./media-tool";

const maxImages = 5;

const Size = z
  .string()
  .trim()
  .regex(/^\d{2,4}[x×*]\d{2,4}$/i, "must be width x height in pixels, such as 1024x1024")
  .transform((text) => {
    const [width = 0, height = 0] = text.split(/[x×*]/i).map(Number);
    return `${width}x${height}`;
  })
  .refine((size) => size.split("x").every((side) => Number(side) >= 64 && Number(side) <= 4096), "must have sides of 64 to 4096 pixels")
  .describe("Pixels, such as 1024x1024; instead of aspectRatio");

export const imageGenerate = defineTool({
  name: "image_generate",
  title: "Make or edit images",
  description:
    "Makes images from a prompt, or edits up to 5 given images by it, with the workspace's image provider. It costs money. The images become artifacts that the user sees. Each image: workspace path, artifact:<id>, task:<id>, msg:<id>:<index>, data URI or http(s) URL.",
  family: "media",
  tier: "extension",
  effect: "write",
  recovery: { resumes: true },
  needs: [media, files, http],
  names: {
    aliases: [
      "imageGenerate",
      "ImageGenerateTool",
      "generate_image",
      "create_image",
      "image_generation",
      "text_to_image",
      "edit_image",
      "image_edit",
    ],
    parameterAliases: {
      text: "prompt",
      description: "prompt",
      n: "count",
      num_images: "count",
      numImages: "count",
      aspect_ratio: "aspectRatio",
      ratio: "aspectRatio",
      task_id: "taskId",
      image_url: "image",
      imageUrl: "image",
      image_urls: "images",
      imageUrls: "images",
    },
  },
  primaryArgument: "prompt",
  running: { backgroundable: true },
  timeoutMs: mediaTimeoutMs,
  disclosure: { workspaceAvailability: availabilityOf("image") },
  input: z
    .object({
      prompt: z.string().trim().min(1).max(32_000).optional().describe("The wanted image, or the wanted change"),
      image: ImageReference.optional().describe("An image to edit"),
      images: z.array(ImageReference).min(1).max(maxImages).optional().describe("Images to edit or combine"),
      size: Size.optional(),
      aspectRatio: AspectRatio.optional(),
      count: z.int().min(1).max(4).default(1).describe("Images to make"),
      ...commonParameters,
    })
    .superRefine(({ action, prompt, image, images, size, aspectRatio }, context) => {
      const issue = (path: string, message: string) => context.addIssue({ code: "custom", message, path: [path] });
      if (action === "generate" && prompt === undefined) issue("prompt", "is needed: describe the wanted image");
      if (size !== undefined && aspectRatio !== undefined) issue("size", "cannot go with aspectRatio: send one of them");
      if (image !== undefined && (images?.length ?? 0) >= maxImages) issue("images", `at most ${maxImages} images, with image`);
    }),
  approval: {
    effects: ({ action, ...given }) => (action !== "generate" ? [] : [...effectsOfImages(given), sendsPrompt]),
  },
  async execute({ prompt = "", image, images, size, aspectRatio, count, ...asked }, context) {
    const [width = 0, height = 0] = (size ?? "").split("x").map(Number);
    return makeOrLookUp("image", asked, context, async () => ({
      prompt,
      images: await loadImages(referencesOf({ image, images }), context),
      size: size === undefined ? null : { width, height },
      aspectRatio: aspectRatio ?? null,
      count,
    }));
  },
});
