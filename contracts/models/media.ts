import { z } from "zod";
import { Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { baseAddress, keyChange, providerChanges } from "../provider-settings";
import { RunModel } from "../runs/runs";

export const mediaKinds = ["image", "video", "music", "model3d"] as const;
export type MediaKind = (typeof mediaKinds)[number];

export const mediaProviderIds = ["openai", "gemini", "fal", "minimax", "meshy"] as const;
export type MediaProviderId = (typeof mediaProviderIds)[number];
const ProviderId = z.enum(mediaProviderIds);

export const mediaProviderStatuses = ["ready", "off", "needs_key", "key_unreadable"] as const;
export type MediaProviderStatus = (typeof mediaProviderStatuses)[number];

/** States of one request to a provider. `submitting`: sent, without an answer yet. */
export const mediaTaskStatuses = ["submitting", "running", "succeeded", "failed"] as const;
export type MediaTaskStatus = (typeof mediaTaskStatuses)[number];

/** A model's name at a provider. It becomes part of addresses, so no part of it may be `..` or hold other signs. */
export const MediaModelName = z
  .string()
  .trim()
  .min(1, "needs a name")
  .max(120, "at most 120 characters")
  .regex(/^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/, "is no model name: use letters, digits, dots, hyphens and slashes");

const models = (value: z.ZodType<string | null>) => ({ image: value, video: value, music: value, model3d: value });

export const MediaProvider = z
  .object({
    id: ProviderId,
    title: z.string(),
    enabled: z.boolean(),
    kinds: z.array(z.enum(mediaKinds)).describe("What it makes."),
    address: z.string().nullable().describe("Base address of requests; `null`: the provider's own."),
    defaultAddress: z.string(),
    hasKey: z.boolean().describe("An API key is stored; it is sealed and never shown."),
    status: z.enum(mediaProviderStatuses),
    models: z.object(models(z.string().nullable())).describe("The chosen model of each kind; `null`: the default."),
    defaultModels: z.object(models(z.string().nullable())).describe("`null`: the provider makes no such thing."),
    knownModels: z.object({
      image: z.array(z.string()),
      video: z.array(z.string()),
      music: z.array(z.string()),
      model3d: z.array(z.string()),
    }),
  })
  .meta({ id: "MediaProvider" });
export type MediaProvider = z.infer<typeof MediaProvider>;

export const MediaSettings = z
  .object({
    providers: z.array(MediaProvider).describe("In the order in which they are asked."),
    analysisModel: RunModel.nullable().describe("The model of image_analyze; `null`: the models of the calling agent."),
    unavailableReasons: z.object(models(z.string().nullable())).describe("Why nothing of a kind can be made; `null`: it can."),
    version: z.number().int(),
    updatedAt: Timestamp.nullable().describe("`null`: nobody has changed the defaults."),
  })
  .meta({ id: "MediaSettings" });
export type MediaSettings = z.infer<typeof MediaSettings>;

const chosen = MediaModelName.nullable().optional();

export const MediaProviderDraft = z.strictObject({
  id: ProviderId,
  enabled: z.boolean().optional(),
  address: baseAddress().nullable().optional().describe("`null`: the provider's own. It may be private, because an admin names it."),
  key: keyChange(1_000),
  models: z
    .strictObject({ image: chosen, video: chosen, music: chosen, model3d: chosen })
    .optional()
    .describe("Members that are left out stay; `null`: the default."),
});
export type MediaProviderDraft = z.infer<typeof MediaProviderDraft>;

export const MediaSettingsPatch = z
  .strictObject({
    providers: providerChanges(MediaProviderDraft, mediaProviderIds),
    analysisModel: RunModel.nullable().optional(),
  })
  .meta({ examples: [{ analysisModel: null }] });
export type MediaSettingsPatch = z.infer<typeof MediaSettingsPatch>;

export const MediaTrial = z.strictObject({ provider: ProviderId }).meta({ examples: [{ provider: "openai" }] });
export type MediaTrial = z.infer<typeof MediaTrial>;

export const MediaTrialResult = z
  .object({ succeeded: z.boolean(), sentence: z.string(), durationMs: z.number().int() })
  .meta({ id: "MediaTrialResult" });
export type MediaTrialResult = z.infer<typeof MediaTrialResult>;

export const mediaEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/media-settings",
    summary: "Providers of images, videos, music and 3D models in their order, without their keys",
    permission: "tools:read",
    response: MediaSettings,
  }),
  update: endpoint({
    method: "PATCH",
    path: "/api/v1/media-settings",
    summary: "Change the members that are sent",
    headers: ["If-Match"],
    permission: "tools:write",
    body: MediaSettingsPatch,
    response: MediaSettings,
  }),
  test: endpoint({
    method: "POST",
    path: "/api/v1/media-settings/test",
    summary: "Ask a provider whether it accepts the stored key; nothing is made, so it costs nothing",
    permission: "tools:write",
    body: MediaTrial,
    response: MediaTrialResult,
  }),
};

export const mediaContract = defineContract({
  reference: { name: "Media settings", description: "The providers that make images, videos, music and 3D models, and their keys." },
  glossary: {
    "media task":
      "One paid request to a media provider, stored before it leaves, so that a call that starts again pays nothing ([media.md](media.md)).",
  },
  endpoints: mediaEndpoints,
  audit: { "media_settings.updated": "Media settings updated" },
});
