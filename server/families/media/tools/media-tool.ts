import { z } from "zod";
import type { MediaKind } from "@/contracts/models/media";
import { MediaModelName } from "@/contracts/models/media";
import type { DeclaredEffect } from "@/server/guard/effects/declare-effects";
import { type RichResult, toolResult } from "@/server/tools/define-tool";
import { effectsOfImage } from "../images/image-reference";
import type { MediaCapability } from "../media-capability";
import type { MediaRequests } from "../providers/provider";
import { readMediaChain, unavailableReason } from "../settings/media-chain";
import type { Made, Watch } from "../tasks/make-media";

const mediaActions = ["generate", "list", "status"] as const;
type MediaAction = (typeof mediaActions)[number];

/** Time of a call in the foreground; a background job may take ten times as long. */
export const mediaTimeoutMs = 300_000;

/** Parameters of every tool that makes something. */
export const commonParameters = {
  action: z.enum(mediaActions).default("generate").describe("list: providers and models; status: how far a task is"),
  model: z
    .string()
    .trim()
    .max(130)
    .refine((name) => MediaModelName.safeParse(name.replace(/^[a-z]+:/, "")).success, "is no model name: the action list shows them")
    .optional()
    .describe("Name that action list shows"),
  taskId: z.uuid().optional().describe("For action status"),
};

export const commonAliases = {
  task_id: "taskId",
  text: "prompt",
  description: "prompt",
  image_url: "imageUrl",
  image: "imageUrl",
  aspect_ratio: "aspectRatio",
} as const;

/** The prompt goes to a provider that the settings choose, so the host is known only then. */
export const sendsPrompt: DeclaredEffect = { kind: "send", argument: "/prompt" };

/** Effects of a tool that sends its prompt, and an image when the call names one. */
export const sendsPromptAndImage = ({ action, imageUrl }: { action: MediaAction; imageUrl?: string | undefined }): DeclaredEffect[] =>
  action !== "generate" ? [] : [...(imageUrl === undefined ? [] : effectsOfImage("/imageUrl", imageUrl)), sendsPrompt];

/** The check that a provider of the kind is ready. */
export const availabilityOf = (kind: MediaKind) => async (workspaceId: string) =>
  unavailableReason(await readMediaChain(workspaceId), kind);

export const AspectRatio = z
  .string()
  .trim()
  .regex(/^[1-9]\d?:[1-9]\d?$/, "must be a ratio such as 16:9")
  .describe("Such as 16:9");

/** Answers the actions that make nothing; for `generate` makes what the request describes. */
export async function makeOrLookUp<Kind extends MediaKind>(
  kind: Kind,
  { action, taskId, model }: { action: MediaAction; taskId?: string | undefined; model?: string | undefined },
  { media, signal, progress }: Watch & { media: MediaCapability },
  request: () => Promise<MediaRequests[Kind]>,
): Promise<RichResult> {
  const watch = { signal, progress };
  if (action === "generate") return resultOf(kind, await media.make({ kind, model: model ?? null, request }, watch));
  if (action === "list") return toolResult({ text: await media.list(kind) });
  const seen = await media.look(kind, taskId ?? null, watch);
  return "text" in seen ? toolResult({ text: seen.text }) : resultOf(kind, seen.made);
}

const nouns: Readonly<Record<MediaKind, (count: number) => string>> = {
  image: (count) => (count === 1 ? "1 image" : `${count} images`),
  video: () => "the video",
  music: () => "the music",
  model3d: () => "the 3D model",
};

/** Tells the model what was made and how to go on with it; the files become artifacts of the call. */
function resultOf(kind: MediaKind, { taskId, title, model, files, notes }: Made): RichResult {
  const names = files.map(({ name, bytes }) => `${name} (${bytes.byteLength.toLocaleString("en")} bytes)`).join(", ");
  const text = [
    `Made ${nouns[kind](files.length)} with ${title} (${model}): ${names}.`,
    `The user sees it with this call.${kind === "image" ? ` To edit it, send image task:${taskId}${files.length > 1 ? " or task:<id>:<number>" : ""}.` : ""}`,
    ...notes,
  ].join("\n");
  return toolResult({ text, files: [...files], structuredContent: { taskId, provider: title, model, files: files.length } });
}
