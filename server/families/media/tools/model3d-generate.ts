import { z } from "zod";
import { files, http } from "@/server/capabilities/call-capabilities";
import { defineTool } from "@/server/tools/define-tool";
import { ImageReference } from "../images/image-reference";
import { loadImage } from "../images/load-image";
import { media } from "../media-capability";
import { availabilityOf, commonAliases, commonParameters, makeOrLookUp, mediaTimeoutMs, sendsPromptAndImage } from "./media-tool";

export const model3dGenerate = defineTool({
  name: "model3d_generate",
  title: "Make a 3D model",
  description:
    "Makes a 3D model (GLB) from a prompt or from an image of the object, with the workspace's 3D provider. It costs money and takes minutes: it runs as a background job, and the model comes with a later turn.",
  family: "media",
  tier: "extension",
  effect: "write",
  recovery: { resumes: true },
  needs: [media, files, http],
  names: {
    aliases: ["model3dGenerate", "Model3dGenerateTool", "generate_3d_model", "generate_3d", "text_to_3d", "image_to_3d", "create_3d_model"],
    parameterAliases: {
      ...commonAliases,
      enable_texture: "enableTexture",
      texture: "enableTexture",
      enable_pbr: "enablePbr",
      pbr: "enablePbr",
    },
  },
  primaryArgument: "prompt",
  running: { backgroundable: true, startsInBackground: ({ action }) => action === "generate" },
  timeoutMs: mediaTimeoutMs,
  disclosure: { workspaceAvailability: availabilityOf("model3d") },
  input: z
    .object({
      prompt: z.string().trim().min(1).max(600).optional().describe("The object; or send imageUrl"),
      imageUrl: ImageReference.optional().describe(
        "Image of the object: URL, workspace path, artifact:<id>, task:<id> or msg:<id>:<index>",
      ),
      enableTexture: z.boolean().default(true).describe("False: the form alone, which is cheaper"),
      enablePbr: z.boolean().default(false).describe("Maps of metal, roughness and normals"),
      ...commonParameters,
    })
    .superRefine(({ action, prompt, imageUrl, enableTexture, enablePbr }, context) => {
      const issue = (path: string, message: string) => context.addIssue({ code: "custom", message, path: [path] });
      if (action === "generate" && prompt === undefined && imageUrl === undefined) issue("prompt", "is needed, or imageUrl");
      if (enablePbr && !enableTexture) issue("enablePbr", "needs enableTexture");
    }),
  approval: {
    effects: sendsPromptAndImage,
  },
  execute({ prompt, imageUrl, enableTexture, enablePbr, ...asked }, context) {
    return makeOrLookUp("model3d", asked, context, async () => ({
      prompt: prompt ?? null,
      image: imageUrl === undefined ? null : await loadImage(imageUrl, context),
      texture: enableTexture,
      pbr: enablePbr,
    }));
  },
});
