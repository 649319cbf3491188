import { z } from "zod";
import { files, http } from "@/server/capabilities/call-capabilities";
import { defineTool } from "@/server/tools/define-tool";
import { ImageReference } from "../images/image-reference";
import { loadImage } from "../images/load-image";
import { media } from "../media-capability";
import {
  AspectRatio,
  availabilityOf,
  commonAliases,
  commonParameters,
  makeOrLookUp,
  mediaTimeoutMs,
  sendsPromptAndImage,
} from "./media-tool";

export const videoGenerate = defineTool({
  name: "video_generate",
  title: "Make a video",
  description:
    "Makes a short video from a prompt, optionally from a first image, with the workspace's video provider. It costs money and takes minutes: it runs as a background job, and the video comes with a later turn. One video of a conversation at a time.",
  family: "media",
  tier: "extension",
  effect: "write",
  recovery: { resumes: true },
  needs: [media, files, http],
  names: {
    aliases: [
      "videoGenerate",
      "VideoGenerateTool",
      "generate_video",
      "create_video",
      "video_generation",
      "text_to_video",
      "image_to_video",
    ],
    parameterAliases: { ...commonAliases, seconds: "duration", durationSeconds: "duration", duration_seconds: "duration" },
  },
  primaryArgument: "prompt",
  running: { backgroundable: true, startsInBackground: ({ action }) => action === "generate" },
  timeoutMs: mediaTimeoutMs,
  disclosure: { workspaceAvailability: availabilityOf("video") },
  input: z
    .object({
      prompt: z.string().trim().min(1).max(5_000).optional().describe("What the video shows"),
      imageUrl: ImageReference.optional().describe("First image: URL, workspace path, artifact:<id>, task:<id> or msg:<id>:<index>"),
      aspectRatio: AspectRatio.optional(),
      duration: z.int().min(1).max(60).optional().describe("Seconds; providers take few values, such as 5, 6, 8 or 10"),
      ...commonParameters,
    })
    .superRefine(({ action, prompt }, context) => {
      if (action === "generate" && prompt === undefined) {
        context.addIssue({ code: "custom", message: "is needed: describe the wanted video", path: ["prompt"] });
      }
    }),
  approval: {
    effects: sendsPromptAndImage,
  },
  execute({ prompt = "", imageUrl, aspectRatio, duration, ...asked }, context) {
    return makeOrLookUp("video", asked, context, async () => ({
      prompt,
      image: imageUrl === undefined ? null : await loadImage(imageUrl, context),
      aspectRatio: aspectRatio ?? null,
      durationSeconds: duration ?? null,
    }));
  },
});
