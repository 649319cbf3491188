import { z } from "zod";
import { files, http } from "@/server/capabilities/call-capabilities";
import { defineTool } from "@/server/tools/define-tool";
import { fenceExternalText } from "@/server/tools/results/external-text";
import { analysisUnavailable } from "../images/analyze-images";
import { effectsOfImages, ImageReference, referencesOf } from "../images/image-reference";
import { loadImages } from "../images/load-image";
import { media } from "../media-capability";

const maxImages = 5;

export const imageAnalyze = defineTool({
  name: "image_analyze",
  title: "Look at images",
  description:
    "Has a vision model look at up to 5 images and answer a question about them. Each image: workspace path, artifact:<id>, task:<id>, msg:<id>:<index>, data URI or http(s) URL; PNG, JPEG, WebP or GIF up to 20 MB.",
  family: "media",
  tier: "extension",
  effect: "read",
  needs: [media, files, http],
  names: {
    aliases: ["imageAnalyze", "ImageAnalyzeTool", "analyze_image", "describe_image", "vision", "vision_analyze", "look_at_image"],
    parameterAliases: {
      prompt: "question",
      query: "question",
      image_url: "image",
      imageUrl: "image",
      path: "image",
      filePath: "image",
      file_path: "image",
      image_urls: "images",
      imageUrls: "images",
    },
  },
  primaryArgument: "image",
  timeoutMs: 120_000,
  disclosure: { workspaceAvailability: analysisUnavailable },
  input: z
    .object({
      question: z.string().trim().min(1).max(4_000).default("Describe the image.").describe("What to find out"),
      image: ImageReference.optional().describe("One image"),
      images: z.array(ImageReference).min(1).max(maxImages).optional().describe("Several images"),
    })
    .superRefine((given, context) => {
      const count = referencesOf(given).length;
      if (count === 0) context.addIssue({ code: "custom", message: "is needed: name the image to look at", path: ["image"] });
      if (count > maxImages) context.addIssue({ code: "custom", message: `at most ${maxImages} images, with image`, path: ["images"] });
    }),
  approval: {
    effects: effectsOfImages,
  },
  async execute({ question, ...given }, context) {
    const loaded = await loadImages(referencesOf(given), context);
    const answer = await context.media.analyze({ text: question, images: loaded }, context.signal);
    return fenceExternalText(answer, loaded.length === 1 ? "a model that looked at the image" : "a model that looked at the images");
  },
});
